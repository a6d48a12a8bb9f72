import { PLACE_WORDS } from '../../text/change-states.ts';
import { countOf } from '../../text/numbers.ts';
import type { SiteIndex, SiteRow } from '../site-data.ts';
import type { Address } from './address.ts';
import { isSlower, maySlow } from './causes.ts';
import { h } from './dom.ts';
import { type Choice, type Chosen, filtered, matches } from './filters.ts';
import { rowsTable } from './rows-table.ts';
import { rowName, unit } from './words.ts';

const PLACES = ['below', 'unsettled', 'unsure', 'level', 'above'] as const;

export async function drawRows(site: SiteIndex, address: Address): Promise<HTMLElement> {
	const tableOf = await rowsTable(site);
	return h(
		'section',
		{},
		h('h1', {}, countOf(site.rows.length, 'row')),
		filtered(address, 'server or scenario', choicesOf(site), (chosen) => {
			const indexes = chooseRows(site, chosen);
			return { list: tableOf(indexes), count: `${indexes.length} of ${countOf(site.rows.length, 'row')}` };
		}),
	);
}

function choicesOf({ rows }: SiteIndex): readonly Choice[] {
	const several = (key: 'server' | 'metric', label: string, wordsOf: (row: SiteRow) => string): Choice[] => {
		const values = new Map(rows.map((row) => [row[key] as string, wordsOf(row)]));
		return values.size < 2 ? [] : [{ key, label, options: [['', 'all'], ...values] }];
	};
	return [
		{
			key: 'place',
			label: 'Show',
			options: [['', 'all'], ...PLACES.map((place) => [place, PLACE_WORDS[place]] as const)],
		},
		...several('server', 'Server', ({ server }) => server),
		...several('metric', 'Metric', ({ metric }) => unit(metric)),
		{
			key: 'sort',
			label: 'Sort by',
			options: [
				['', 'slowest first'],
				['fastest', 'fastest first'],
				['name', 'name'],
				['newest', 'newest level first'],
				['unsure', 'widest interval first'],
			],
		},
	];
}

export function chooseRows(site: SiteIndex, { q = '', place, server, metric, sort }: Chosen): readonly number[] {
	const { rows } = site;
	const at = (index: number) => rows[index] as SiteRow;
	const chosen = inOrder(site).filter((index) => {
		const row = at(index);
		return (
			matches(rowName(row), q) &&
			(!place || row.standing?.place === place) &&
			(!server || row.server === server) &&
			(!metric || row.metric === metric)
		);
	});
	const width = (index: number) => (at(index).standing?.high ?? 0) - (at(index).standing?.low ?? 0);
	const since = (index: number) => at(index).standing?.since ?? -1;
	switch (sort) {
		case 'fastest':
			return chosen.toSorted((a, b) => (at(b).standing?.theta ?? -9) - (at(a).standing?.theta ?? -9));
		case 'name':
			return chosen.toSorted((a, b) => (rowName(at(a)) < rowName(at(b)) ? -1 : 1));
		case 'newest':
			return chosen.toSorted((a, b) => since(b) - since(a));
		case 'unsure':
			return chosen.toSorted((a, b) => width(b) - width(a));
		default:
			return chosen;
	}
}

/** Returns all row indexes: slower rows, unsettled ones, others; unmeasured ones last. */
export function inOrder({ rows }: Pick<SiteIndex, 'rows'>): readonly number[] {
	const rank = (row: SiteRow) => (row.standing === null ? 3 : isSlower(row) ? 0 : maySlow(row) ? 1 : 2);
	return rows
		.map((row, index) => ({ row, index }))
		.toSorted((a, b) => rank(a.row) - rank(b.row) || (a.row.standing?.theta ?? 0) - (b.row.standing?.theta ?? 0))
		.map(({ index }) => index);
}
