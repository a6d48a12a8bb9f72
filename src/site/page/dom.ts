type Child = Node | string | null | false;

/** Returns an element. Strings become text, never markup. Listeners are attributes named `on…`. */
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
	for (const child of children.flat()) if (child !== null && child !== false) element.append(child);
	return element;
}

export function table(
	caption: string,
	headers: readonly (readonly [name: string, right?: 'right'])[],
	rows: readonly (readonly Child[])[],
): HTMLElement {
	const cell = (child: Child, index: number) =>
		h('td', { class: headers[index]?.[1] ?? null, 'data-label': headers[index]?.[0] ?? '' }, child);
	return h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
		h(
			'table',
			{},
			h('caption', { class: 'quiet' }, caption),
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					headers.map(([name, right]) => h('th', { scope: 'col', class: right ?? null }, name)),
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
