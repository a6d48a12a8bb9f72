/** The page of one row. */
import { CHANGE_STATE_LABELS } from '../../text/change-states.ts';
import { csvLine } from '../../text/escape.ts';
import { countOf, INTERVAL_95 } from '../../text/numbers.ts';
import type { MetricName } from '../../types/metric.ts';
import type { SiteCell, SiteChange, SiteIndex } from '../site-data.ts';
import { type Address, addressOf, replaceQuery } from './address.ts';
import { mostLikely } from './change-card.ts';
import { drawCurve } from './curve.ts';
import { h, say, table } from './dom.ts';
import { loadCell } from './load.ts';
import { describeStanding, markDifference } from './standing-words.ts';
import {
	anchorName,
	change,
	commitLink,
	commitText,
	day,
	dayOf,
	interval,
	perSecond,
	rowName,
	seAt,
	share,
	shareColumn,
	shortName,
} from './words.ts';

const HEADERS = [
	...['commit', 'label', 'day', 'log_ratio', 'log_ratio_se', 'rounds', 'verdict', 'requests_per_s'],
	...['share_of_reference', 'share_low', 'share_high', 'cpu_per_request_us', 'environment'],
];

const PAGE = 25;
const PAUSE_MS = 250;
/** Name of the release that all points are measured against. */
const ANCHOR = 'the anchor';
const SHA_DIGITS = 10;

export async function drawRow(
	site: SiteIndex,
	address: Address,
): Promise<{ element: HTMLElement; ready: () => () => void }> {
	const id = address.path.join('/');
	const index = site.rows.findIndex((row) => row.id === id);
	const row = site.rows[index];
	if (!row)
		return {
			element: h(
				'section',
				{},
				h('h1', {}, `There is no row ${id}`),
				h('p', {}, h('a', { href: '#/rows' }, 'All rows')),
			),
			ready: () => () => {},
		};
	const cell = await loadCell(row.file);
	const absolute = address.query.abs === '1' && cell.rate.some((rate) => rate !== null);
	const byTime = address.query.time === '1';
	const box = h('div', {
		class: 'curve',
		role: 'group',
		tabindex: 0,
		'aria-label': `Levels of ${rowName(row)}`,
		'aria-details': 'points',
		'aria-describedby': 'keys',
	});
	const pointText = h('p', { class: 'told' }, 'Point at the curve to see a commit.');
	const link = (query: Readonly<Record<string, string>>, words: string, pressed: boolean) =>
		h(
			'a',
			{
				href: addressOf('row', address.path, { ...address.query, ...query }),
				class: 'toggle',
				'aria-current': pressed ? 'true' : null,
			},
			words,
		);
	const anchor = anchorName(site);
	const element = h(
		'section',
		{},
		h('h1', {}, rowName(row)),
		h('p', { class: 'lead' }, `This row ${describeStanding(row, anchor)}`),
		changeList(site, index),
		h(
			'p',
			{ class: 'toggles' },
			link({ abs: '' }, `% against ${anchor}`, !absolute),
			link({ abs: '1' }, 'requests/s', absolute),
			h('span', { class: 'gap' }),
			link({ time: '' }, 'commits', !byTime),
			link({ time: '1' }, 'days', byTime),
		),
		h(
			'figure',
			{ class: 'chart' },
			box,
			h(
				'figcaption',
				{ id: 'keys', class: 'quiet' },
				absolute
					? 'Figures of different machines: compare levels instead.'
					: 'Points with 95 % intervals; thick lines are levels; a coloured band spans the commits at which a change may have begun; dashed lines are releases. Drag to zoom, double-click to leave; arrow keys go from point to point.',
			),
		),
		pointText,
		pointsTable(site, cell, row.metric),
		h(
			'p',
			{},
			'Download these points: ',
			h('a', { href: csvAddress(site, cell), download: `${id.replaceAll('/', '-')}.csv` }, 'CSV'),
			' · ',
			h('a', { href: `data/${row.file}`, download: true }, 'JSON'),
			' · ',
			h('a', { href: 'data/all.json', download: true }, 'all rows, JSON'),
		),
	);
	const ready = () => attachCurve(site, cell, index, { box, told: pointText, address, absolute, byTime });
	return { element, ready };
}

function changeList(site: SiteIndex, row: number): HTMLElement {
	const changes = site.changes.filter((each) => each.row === row).toSorted((a, b) => b.commit - a.commit);
	if (changes.length === 0) return h('p', {}, 'Its level has not changed.');
	return h(
		'ul',
		{ class: 'rows' },
		changes.map((each) => h('li', {}, h('span', {}, ...changeWords(site, each)))),
	);
}

function changeWords(site: SiteIndex, each: SiteChange): readonly (HTMLElement | string)[] {
	const { row, step, se, candidates, commit, state } = each;
	const metric = site.rows[row]?.metric ?? 'throughput';
	const group = site.groups.find((indexes) => indexes.some((index) => site.changes[index] === each));
	const others = (group?.length ?? 1) - 1;
	const search = site.commits.sha[commit]?.slice(0, SHA_DIGITS) ?? site.commits.label[commit] ?? '';
	const with_ =
		others === 0 ? 'certainty and next step' : `with ${countOf(others, 'other row')}: certainty and next step`;
	return [
		markDifference(step, se, change(metric, step)),
		` ${interval(metric, step, se)} at `,
		commitLink(site, mostLikely(each)),
		` (${CHANGE_STATE_LABELS[state]}${candidates.length > 1 ? `, one of ${candidates.length} commits` : ''}), `,
		h('a', { href: addressOf('changes', [], { show: 'all', q: search }) }, with_),
	];
}

function csvAddress(site: SiteIndex, cell: SiteCell): string {
	return `data:text/csv;charset=utf-8,${encodeURIComponent(pointsCsv(site, cell))}`;
}

interface Attached {
	readonly box: HTMLElement;
	readonly told: HTMLElement;
	readonly address: Address;
	readonly absolute: boolean;
	readonly byTime: boolean;
}

function attachCurve(
	site: SiteIndex,
	cell: SiteCell,
	row: number,
	{ box, told: pointText, address, absolute, byTime }: Attached,
): () => void {
	const changes = site.changes.filter((each) => each.row === row);
	const metric = site.rows[row]?.metric ?? 'throughput';
	let pause: ReturnType<typeof setTimeout> | undefined;
	const tell = (point: number | null, aloud = false) => {
		const commit = point === null ? undefined : cell.commit[point];
		if (point === null || commit === undefined) return;
		const pointLevel = cell.level[point] ?? 0;
		const level = `${change(metric, pointLevel)} ${sureness(cell, metric, point)}`;
		const words = `${level}, ${perSecond(cell.rate[point] ?? null)} requests/s, ${dayOf(site, commit)}`;
		pointText.replaceChildren(commitLink(site, commit), ` ${words}`);
		clearTimeout(pause);
		if (aloud) pause = setTimeout(() => say(`${commitText(site, commit)}: ${words}`), PAUSE_MS);
	};
	const shaOf = (point: number | null) =>
		point === null ? '' : (site.commits.sha[cell.commit[point] ?? -1]?.slice(0, 10) ?? '');
	const curve = drawCurve(box, {
		site,
		cell,
		metric,
		changes,
		absolute,
		byTime,
		labelOf: (each) =>
			`${change(metric, each.step)} at ${shortName(site, mostLikely(each))} (${CHANGE_STATE_LABELS[each.state]})`,
		zoom: byTime ? null : zoomOf(site, address),
		onPoint: (point) => tell(point),
		onZoom: (first, last) => replaceQuery(address, { from: shaOf(first), to: shaOf(last) }),
	});
	let at = cell.commit.length - 1;
	box.addEventListener('keydown', (event) => {
		const step = { ArrowLeft: -1, ArrowRight: 1, Home: -cell.commit.length, End: cell.commit.length }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		at = Math.max(0, Math.min(cell.commit.length - 1, at + step));
		curve.point(at);
		tell(at, true);
	});
	box.addEventListener('dblclick', () => replaceQuery(address, { from: '', to: '' }));
	return () => curve.destroy();
}

function zoomOf({ commits }: SiteIndex, { query }: Address): [number, number] | null {
	const find = (sha: string | undefined) => (sha ? commits.sha.findIndex((each) => each?.startsWith(sha)) : -1);
	const [from, to] = [find(query.from), find(query.to)];
	return from >= 0 && to > from ? [from, to] : null;
}

function sureness(cell: SiteCell, metric: MetricName, point: number): string {
	const se = seAt(cell, point);
	return se === 0 ? ANCHOR : interval(metric, cell.level[point] ?? 0, se);
}

function pointsTable(site: SiteIndex, cell: SiteCell, metric: MetricName): HTMLElement {
	const all = [
		...cell.commit.map((commit, point) => ({ commit, point, reason: '' })),
		...cell.gaps.map(({ commit, reason }) => ({ commit, point: -1, reason })),
	].sort((a, b) => b.commit - a.commit);
	const shares = shareColumn(cell.ofReference.map((ofReference) => ({ ofReference })));
	const holder = h('div', { id: 'points' });
	const pages = Math.max(1, Math.ceil(all.length / PAGE));
	const show = (page: number) => {
		const rows = all
			.slice(page * PAGE, (page + 1) * PAGE)
			.map(({ commit, point, reason }) => [
				commitLink(site, commit),
				day(site, commit),
				point < 0 ? '–' : change(metric, cell.level[point] ?? 0),
				point < 0 ? reason : sureness(cell, metric, point),
				point < 0 ? '–' : perSecond(cell.rate[point] ?? null),
				...shares.map(() => share(cell.ofReference[point] ?? null)),
				point < 0 ? '–' : String(cell.rounds[point] ?? ''),
			]);
		const step = (to: number, words: string) =>
			h('button', { type: 'button', disabled: to < 0 || to >= pages, onclick: () => show(to) }, words);
		holder.replaceChildren(
			table(
				`Points, newest first, page ${page + 1} of ${pages}`,
				[
					['commit'],
					['day'],
					['change', 'right'],
					[INTERVAL_95, 'right'],
					['requests/s', 'right'],
					...shares.map(([name]) => [name, 'right wide'] as const),
					['rounds', 'right wide'],
				],
				rows,
			),
			h('p', { class: 'pages' }, step(page - 1, 'newer'), ` ${page + 1} / ${pages} `, step(page + 1, 'older')),
		);
	};
	show(0);
	return holder;
}

/** Oldest first; levels are against the latest anchor, negative is worse, unknown is empty. */
function pointsCsv(site: SiteIndex, cell: SiteCell): string {
	const lines = cell.commit.map((commit, point) => {
		const [share = null, low = null, high = null] = cell.ofReference[point] ?? [];
		return csvLine([
			...[site.commits.sha[commit] ?? null, site.commits.label[commit] ?? null, dayOf(site, commit)],
			...[cell.level[point] ?? null, seAt(cell, point), cell.rounds[point] ?? null, cell.verdict[point] ?? null],
			...[cell.rate[point] ?? null, share, low, high, cell.cpu[point] ?? null, cell.environment[point] ?? null],
		]);
	});
	return [csvLine(HEADERS), ...lines].join('');
}
