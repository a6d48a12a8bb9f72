import { INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadOverview } from './load.ts';
import { addUp } from './overview-view.ts';
import { commonScale, sparkline } from './sparkline.ts';
import { change, commitLink, perSecond, range, rowLink, share, shareColumn, spoken, unit } from './words.ts';

/** Rows against the latest anchor, the slowest first: what somebody opens this page for. */
export async function drawStanding(site: SiteIndex): Promise<HTMLElement> {
	const { rows: curves } = await loadOverview();
	const levels = curves.map(([, each]) => addUp(each).map((value) => value / 10_000));
	const scale = commonScale(levels);
	const measured = site.rows.flatMap((row, index) => (row.standing ? [{ row, index, standing: row.standing }] : []));
	const ordered = measured.toSorted((a, b) => a.standing.theta - b.standing.theta);
	const slower = ordered.filter(({ standing }) => standing.high < 0);
	const anchor = site.eras.at(-1)?.anchor ?? 'the anchor';
	const shares = shareColumn(site.rows);
	const worst = slower[0];
	return h(
		'section',
		{},
		h('h1', {}, headline(slower.length, measured.length, anchor)),
		worst
			? h(
					'p',
					{ class: 'lead' },
					rowLink(site, worst.index),
					` is at ${change(worst.row.metric, worst.standing.theta)} ${unit(worst.row.metric)} `,
					`since ${anchor} (95 % sure: ${spoken(worst.row.metric, worst.standing.low, worst.standing.high)}).`.replaceAll(
						' %',
						'\u00a0%',
					),
				)
			: h(
					'p',
					{ class: 'lead quiet' },
					measured.length > 0 ? 'Nothing to do.' : 'Measure the main branch first: benchgate baseline.',
				),
		table(
			`Levels against ${anchor}, 95 % intervals`,
			[
				['row'],
				['change', 'right'],
				[INTERVAL_95, 'right'],
				['last commits'],
				['since'],
				['requests/s', 'right'],
				...shares,
			],
			ordered.map(({ row, index, standing }) => [
				rowLink(site, index),
				mark(standing.low, standing.high, change(row.metric, standing.theta)),
				range(row.metric, standing.low, standing.high),
				sparkline(addUp(curves[index]?.[0] ?? []), levels[index] ?? [], scale) as unknown as HTMLElement,
				standing.since === null ? h('span', { class: 'quiet' }, anchor) : commitLink(site, standing.since),
				perSecond(row.rate),
				...shares.map(() => share(row.ofReference)),
			]),
		),
		...site.warnings.map((words) => h('p', { class: 'note' }, words)),
	);
}

function headline(slower: number, measured: number, anchor: string): string {
	if (measured === 0) return 'Nothing is measured yet';
	if (slower === 0) return `No row is slower than ${anchor}`;
	return `${slower} of ${measured} rows ${slower === 1 ? 'is' : 'are'} slower than ${anchor}`;
}

/** A change with a shape beside the colour, for those who do not see colours. */
export function mark(low: number, high: number, words: string): HTMLElement {
	const [kind, shape] = high < 0 ? ['slower', '▼'] : low > 0 ? ['faster', '▲'] : ['same', '●'];
	return h('span', { class: `change ${kind}` }, h('span', { 'aria-hidden': 'true' }, `${shape} `), words);
}
