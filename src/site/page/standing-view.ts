import { PLACE_WORDS } from '../../text/change-states.ts';
import { countOf, INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteIndex, SiteRow } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadOverview } from './load.ts';
import { addUp } from './overview-view.ts';
import { commonScale, sparkline } from './sparkline.ts';
import { change, commitLink, perSecond, range, rowLink, share, shareColumn, spoken, unit } from './words.ts';

type Standing = NonNullable<SiteRow['standing']>;
interface StandingRow {
	readonly row: SiteRow;
	readonly index: number;
	readonly standing: Standing;
}

/** Draws rows against the latest anchor, slowest first. */
export async function drawStanding(site: SiteIndex): Promise<HTMLElement> {
	const { rows: curves } = await loadOverview();
	const levels = curves.map(([, each]) => addUp(each).map((value) => value / 10_000));
	const scale = commonScale(levels);
	const measured = site.rows.flatMap((row, index) => (row.standing ? [{ row, index, standing: row.standing }] : []));
	const ordered = measured.toSorted((a, b) => rank(a) - rank(b) || a.standing.theta - b.standing.theta);
	const anchor = site.eras.at(-1)?.anchor ?? 'the anchor';
	const shares = shareColumn(site.rows);
	return h(
		'section',
		{},
		h('h1', {}, headline(ordered, anchor)),
		lead(site, ordered, anchor),
		table(
			`Levels against ${anchor}, 95 % intervals that hold for all rows together`,
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
				mark(standing.place, change(row.metric, standing.theta), standing.failed > 0),
				range(row.metric, standing.low, standing.high),
				sparkline(addUp(curves[index]?.[0] ?? []), levels[index] ?? [], scale) as unknown as HTMLElement,
				standing.since === null ? h('span', { class: 'quiet' }, anchor) : commitLink(site, standing.since),
				perSecond(row.rate),
				...shares.map(() => share(row.ofReference)),
			]),
		),
		...(measured.length === site.rows.length
			? []
			: [
					h(
						'p',
						{ class: 'note' },
						`${countOf(site.rows.length - measured.length, 'row')} without a level against ${anchor}.`,
					),
				]),
		...site.warnings.map((words) => h('p', { class: 'note' }, words)),
	);
}

/** Slower rows first, then rows that one baseline leaves open. */
function rank({ standing: { place, mayBeSlower } }: StandingRow): number {
	if (place === 'below') return 0;
	return place === 'unsettled' && mayBeSlower ? 1 : 2;
}

function headline(rows: readonly StandingRow[], anchor: string): string {
	const slower = rows.filter(({ standing }) => standing.place === 'below').length;
	if (rows.length === 0) return 'Nothing is measured yet';
	if (slower === 0) return `No row is slower than ${anchor}`;
	return `${slower} of ${rows.length} rows ${slower === 1 ? 'is' : 'are'} slower than ${anchor}`;
}

/** Names the slowest row; or else a row that one baseline leaves open; or else counts unknown rows. */
function lead(site: SiteIndex, rows: readonly StandingRow[], anchor: string): HTMLElement {
	const [first] = rows;
	if (first === undefined) {
		return h('p', { class: 'lead quiet' }, 'Measure the main branch first: benchgate baseline.');
	}
	if (rank(first) === 2) {
		const unsure = rows.filter(({ standing }) => standing.place === 'unsure').length;
		const failed = rows.filter(({ standing }) => standing.failed > 0).length;
		const noted = [
			...(unsure === 0 ? [] : [`${countOf(unsure, 'row')} ${unsure === 1 ? 'is' : 'are'} too imprecise to tell.`]),
			...(failed === 0 ? [] : [`The newest measurement of ${countOf(failed, 'row')} failed.`]),
		];
		return h('p', { class: 'lead quiet' }, noted.join(' ') || 'Nothing to do.');
	}
	const words = describeStanding(first.row, anchor).replaceAll(' %', '\u00a0%');
	return h('p', { class: 'lead' }, rowLink(site, first.index), ` ${words}`);
}

/** Returns a sentence on a row's standing, without the subject. */
export function describeStanding({ metric, standing }: Pick<SiteRow, 'metric' | 'standing'>, anchor: string): string {
	if (standing === null) return `has no level against ${anchor}.`;
	const { failed } = standing;
	const words = describePlace({ metric, standing }, anchor);
	return failed === 0 ? words : `${words} ${describeFailed(failed)}`;
}

function describeFailed(failed: number): string {
	const newest =
		failed === 1 ? 'The measurement of the newest commit' : `The measurements of the newest ${failed} commits`;
	return `${newest} failed: this is the level of the code before.`;
}

function describePlace(
	{ metric, standing }: { readonly metric: SiteRow['metric']; readonly standing: Standing },
	anchor: string,
): string {
	const { theta, low, high, place } = standing;
	const figure = `${change(metric, theta)} ${unit(metric)}`;
	const sure = `95 % sure: ${spoken(metric, low, high)}`;
	if (place === 'unsettled') {
		return `was last measured at ${figure} against ${anchor}. The level is not settled: it rests on one baseline, and the next one shows whether it lasts.`;
	}
	if (place === 'level') return `is as fast as ${anchor} (${sure}).`;
	if (place === 'unsure') return `was not measured precisely enough to be called level with ${anchor} (${sure}).`;
	return `is at ${figure} since ${anchor} (${sure}).`;
}

const MARKS: Readonly<Record<Standing['place'], readonly [kind: string, shape: string]>> = {
	below: ['slower', '▼'],
	above: ['faster', '▲'],
	level: ['same', '●'],
	unsure: ['same', '○'],
	unsettled: ['same', '◌'],
};

/** Has shape and colour, for colour-blind readers, and words if the shape is unclear. */
function mark(place: Standing['place'], words: string, hasFailed = false): HTMLElement {
	const [kind, shape] = MARKS[place];
	const doubts = [
		...(place === 'unsettled' || place === 'unsure' ? [PLACE_WORDS[place]] : []),
		...(hasFailed ? ['not measured since'] : []),
	];
	const doubt = doubts.length === 0 ? '' : h('span', { class: 'quiet' }, ` ${doubts.join(', ')}`);
	return h('span', { class: `change ${kind}` }, h('span', { 'aria-hidden': 'true' }, `${shape} `), words, doubt);
}

/** Marks the difference of two levels. It counts if its 95 % interval excludes 0. */
export function markDifference(difference: number, se: number, words: string): HTMLElement {
	const place = Math.abs(difference) <= 1.96 * se ? 'level' : difference < 0 ? 'below' : 'above';
	return mark(place, words);
}
