import { type Address, replaceQuery } from './address.ts';
import { h, say } from './dom.ts';

export interface Choice {
	readonly key: string;
	readonly label: string;
	/** The first is the default, which the address leaves out. */
	readonly options: readonly (readonly [value: string, words: string])[];
}

export type Chosen = Readonly<Record<string, string>>;

/** Returns controls, whose values the address keeps, above the list drawn for them. */
export function filtered(
	address: Address,
	searchLabel: string,
	choices: readonly Choice[],
	draw: (chosen: Chosen) => { readonly list: HTMLElement; readonly count: string },
): HTMLElement {
	const search = h('input', {
		type: 'search',
		value: address.query.q ?? '',
		placeholder: searchLabel,
	}) as HTMLInputElement;
	const selects = choices.map((choice) => [choice, selectOf(choice, address.query[choice.key])] as const);
	const count = h('p', { class: 'quiet' });
	const holder = h('div', {});
	const read = (): Chosen => ({
		q: search.value.trim(),
		...Object.fromEntries(
			selects.map(([{ key, options }, { value }]) => [key, value === options[0]?.[0] ? '' : value]),
		),
	});
	const show = () => {
		const drawn = draw(read());
		holder.replaceChildren(drawn.list);
		count.textContent = drawn.count;
	};
	const change = () => {
		show();
		replaceQuery(address, read());
		say(count.textContent ?? '');
	};
	search.addEventListener('input', change);
	for (const [, select] of selects) select.addEventListener('change', change);
	show();
	return h(
		'div',
		{},
		h(
			'search',
			{ class: 'filters' },
			h('label', {}, 'Search ', search),
			selects.map(([{ label }, select]) => h('label', {}, `${label} `, select)),
		),
		count,
		holder,
	);
}

function selectOf({ key, options }: Choice, chosen: string | undefined): HTMLSelectElement {
	return h(
		'select',
		{ name: key },
		options.map(([value, words]) => h('option', { value, selected: value === chosen }, words)),
	) as HTMLSelectElement;
}

export function matches(text: string, search: string): boolean {
	const lower = text.toLowerCase();
	return search
		.toLowerCase()
		.split(/\s+/)
		.every((word) => lower.includes(word));
}
