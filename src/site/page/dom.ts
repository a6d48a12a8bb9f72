export type Child = Node | string | null | false;

/** Strings become text, never markup; percent signs stay beside numbers. Listeners are named `on…`. */
export function h(
	tag: string,
	attributes: Readonly<Record<string, string | number | boolean | null | ((event: Event) => void)>> = {},
	...children: readonly (Child | readonly Child[])[]
): HTMLElement {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === 'function') element.addEventListener(name.slice(2), value);
		else if (value === true) element.setAttribute(name, '');
		else if (value !== null && value !== false) element.setAttribute(name, String(value));
	}
	for (const child of children.flat()) {
		if (child === null || child === false) continue;
		element.append(typeof child === 'string' ? child.replaceAll(' %', '\u00a0%') : child);
	}
	return element;
}

export type Header = readonly [name: string, style?: string];

/** Phones hide columns with the style `wide`. */
export function table(
	caption: string,
	headers: readonly Header[],
	rows: readonly (readonly Child[])[],
	style = '',
): HTMLElement {
	const cell = (child: Child, at: number) =>
		h('td', { class: headers[at]?.[1] ?? null, 'data-label': headers[at]?.[0] ?? '' }, child);
	return h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
		h(
			'table',
			{ class: style || null },
			h('caption', { class: 'quiet' }, caption),
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					headers.map(([name, style]) => h('th', { scope: 'col', class: style ?? null }, name)),
				),
			),
			h(
				'tbody',
				{},
				rows.map((row) => h('tr', {}, row.map(cell))),
			),
		),
	);
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
	tag: string,
	attributes: Readonly<Record<string, string | number>>,
	...children: readonly SVGElement[]
): SVGElement {
	const element = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
	element.append(...children);
	return element;
}

/** Makes screen readers announce words. */
export function say(words: string): void {
	const status = document.getElementById('status');
	if (status) status.textContent = words;
}

export function commandBox(command: string): HTMLElement {
	const button: HTMLElement = h(
		'button',
		{ type: 'button', 'aria-label': 'Copy the command', onclick: () => void copy(button, command) },
		'Copy',
	);
	// Lines break between words, not after a hyphen.
	const words = command.split(' ').flatMap((word, at) => [at > 0 && ' ', h('span', {}, word)]);
	return h('div', { class: 'command' }, h('code', {}, words), button);
}

/** Only secure origins have a clipboard. */
async function copy(button: HTMLElement, text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		button.textContent = 'Copied';
		say('The command is copied');
	} catch {
		prompt('Copy this command', text);
	}
}
