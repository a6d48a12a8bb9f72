import { countOf, INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteCell, SiteIndex } from '../site-data.ts';
import { type Address, addressOf } from './address.ts';
import { compareCommand, revisionAt } from './causes.ts';
import { commandBox, h, table } from './dom.ts';
import { loadCells } from './load.ts';
import { markDifference, placeOf } from './standing-words.ts';
import { change, dayOf, interval, rowLink, rowName, seBetween, shortName } from './words.ts';

interface Difference {
	readonly index: number;
	/** Log ratio; negative is worse. */
	readonly difference: number;
	readonly se: number;
}

export async function drawCompare(site: SiteIndex, { query }: Address): Promise<HTMLElement> {
	const count = site.commits.sha.length;
	const find = (name: string | undefined, otherwise: number) => {
		const commitIndex = name
			? site.commits.sha.findIndex((sha, index) => sha?.startsWith(name) || site.commits.label[index] === name)
			: -1;
		return commitIndex >= 0 ? commitIndex : otherwise;
	};
	const to = find(query.to, count - 1);
	// If each release begins an era, compare with the previous commit.
	const begin = site.eras.at(-1)?.first ?? 0;
	const from = find(query.from, begin < to ? begin : Math.max(0, to - 1));
	const rows = differencesOf(await loadCells(), from, to).toSorted((a, b) => a.difference - b.difference);
	const select = (name: 'from' | 'to', label: string, chosen: number) =>
		h(
			'label',
			{},
			`${label} `,
			h(
				'select',
				{
					name,
					onchange: (event) => {
						const ends = { from: revisionAt(site, from), to: revisionAt(site, to) };
						location.hash = addressOf('compare', [], { ...ends, [name]: (event.target as HTMLSelectElement).value });
					},
				},
				site.commits.sha
					.map((_, index) =>
						h(
							'option',
							{ value: revisionAt(site, index), selected: index === chosen },
							`${dayOf(site, index)} ${shortName(site, index)} ${(site.commits.title[index] ?? '').slice(0, 50)}`,
						),
					)
					.toReversed(),
			),
		);
	const metricOf = (index: number) => site.rows[index]?.metric ?? 'throughput';
	return h(
		'section',
		{},
		h('h1', {}, `${shortName(site, from)} → ${shortName(site, to)}`),
		h('p', { class: 'toggles' }, select('from', 'From', from), ' ', select('to', 'to', to)),
		h('p', { class: 'lead' }, summarise(site, rows)),
		h('p', {}, 'Both were measured against an anchor, not against each other. To compare them directly:'),
		commandBox(compareCommand([revisionAt(site, from), revisionAt(site, to)], [])),
		table(
			'Change of each row, with 95 % intervals that hold for all rows together',
			[['row'], ['change', 'right'], [INTERVAL_95, 'right']],
			rows.map(({ index, difference, se }) => [
				rowLink(site, index),
				markDifference(difference, se, change(metricOf(index), difference), site.reach),
				interval(metricOf(index), difference, se, site.reach),
			]),
			'rows',
		),
	);
}

function differencesOf(cells: readonly SiteCell[], from: number, to: number): readonly Difference[] {
	return cells.flatMap((cell, index) => {
		const [a, b] = [nearest(cell, from), nearest(cell, to)];
		if (a < 0 || b < 0) return [];
		return [{ index, difference: (cell.level[b] ?? 0) - (cell.level[a] ?? 0), se: seBetween(cell, a, b) }];
	});
}

/** `rows` are sorted, slowest first. */
function summarise(site: SiteIndex, rows: readonly Difference[]): string {
	const counts = Map.groupBy(rows, ({ difference, se }) => placeOf(difference, se, site.reach));
	const [slower, faster] = [counts.get('below') ?? [], counts.get('above') ?? []];
	const [worst] = slower;
	const row = worst && site.rows[worst.index];
	const named = row ? ` (${rowName(row)} ${change(row.metric, worst.difference)})` : '';
	const same = rows.length - slower.length - faster.length;
	return `Of ${countOf(rows.length, 'row')}, ${slower.length} slower${named}, ${faster.length} faster, ${same} without a clear difference.`;
}

/** The last point at or before a commit, or else the first. */
function nearest({ commit }: SiteCell, wanted: number): number {
	const before = commit.findLastIndex((each) => each <= wanted);
	return before >= 0 ? before : commit.length > 0 ? 0 : -1;
}
