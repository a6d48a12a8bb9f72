import { INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteCell, SiteIndex } from '../site-data.ts';
import { type Address, addressOf } from './address.ts';
import { h, table } from './dom.ts';
import { loadCell } from './load.ts';
import { markDifference } from './standing-view.ts';
import { change, interval, rowLink, seBetween, shortName } from './words.ts';

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
	const cells = await Promise.all(site.rows.map(({ file }) => loadCell(file)));
	const rows = cells.flatMap((cell, index) => {
		const [a, b] = [nearest(cell, from), nearest(cell, to)];
		if (a < 0 || b < 0) return [];
		const difference = (cell.level[b] ?? 0) - (cell.level[a] ?? 0);
		return [{ index, difference, se: seBetween(cell, a, b) }];
	});
	const select = (name: string, label: string, chosen: number, other: () => Readonly<Record<string, string>>) =>
		h(
			'label',
			{},
			`${label} `,
			h(
				'select',
				{
					name,
					onchange: (event) => {
						location.hash = addressOf('compare', [], { ...other(), [name]: (event.target as HTMLSelectElement).value });
					},
				},
				site.commits.sha
					.map((sha, index) =>
						h(
							'option',
							{ value: sha?.slice(0, 10) ?? site.commits.label[index] ?? '', selected: index === chosen },
							`${shortName(site, index)} ${(site.commits.title[index] ?? '').slice(0, 50)}`,
						),
					)
					.toReversed(),
			),
		);
	const metricOf = (index: number) => site.rows[index]?.metric ?? 'throughput';
	const nameOf = (index: number) => site.commits.sha[index]?.slice(0, 10) ?? site.commits.label[index] ?? '';
	return h(
		'section',
		{},
		h('h1', {}, `From ${shortName(site, from)} to ${shortName(site, to)}`),
		h(
			'p',
			{ class: 'toggles' },
			select('from', 'From', from, () => ({ to: nameOf(to) })),
			' ',
			select('to', 'to', to, () => ({ from: nameOf(from) })),
		),
		table(
			'Change of each row between the two commits',
			[['row'], ['change', 'right'], [INTERVAL_95, 'right']],
			rows
				.toSorted((a, b) => a.difference - b.difference)
				.map(({ index, difference, se }) => [
					rowLink(site, index),
					markDifference(difference, se, change(metricOf(index), difference)),
					interval(metricOf(index), difference, se),
				]),
		),
		h(
			'p',
			{ class: 'quiet' },
			'Both were measured against an anchor, not against each other. For a decision compare them directly: benchgate compare.',
		),
	);
}

/** Returns the last point at or before a commit, or else the first. */
function nearest({ commit }: SiteCell, wanted: number): number {
	const before = commit.findLastIndex((each) => each <= wanted);
	return before >= 0 ? before : commit.length > 0 ? 0 : -1;
}
