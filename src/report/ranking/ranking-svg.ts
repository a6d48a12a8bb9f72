import { escapeHtml, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatPair } from '../../text/numbers.ts';
import type { MetricName } from '../../types/metric.ts';
import type { LatencyFigures } from '../../types/ranking/load-figures.ts';
import type { RankingRow } from '../../types/ranking/ranking.ts';
import { scroll } from '../html/html-parts.ts';
import { writeFigure, writeRate, writeShare } from './ranking-figures.ts';

/** In units of the drawing, which the page scales. */
export const CHART_WIDTH = 800;

/** Colours that the page's stylesheet names. More lines use them again. */
const LINE_COLOURS = ['head', 'regressed', 'unchanged', 'inconclusive', 'invalid', 'base'] as const;

export const RANKING_STYLES = `
.chart { display: block; width: 100%; height: auto; margin: .5rem 0 1rem; }
.chart text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: var(--text); }
.chart .name { text-anchor: end; }
.chart .axis { fill: var(--muted); font-size: 12px; }
.chart .head { fill: var(--head); fill-opacity: .75; }
.chart .base { fill: var(--base); fill-opacity: .6; }
.chart .whisker { stroke: var(--text); stroke-width: 2; stroke-opacity: .8; }
.chart .dot { fill: var(--head); stroke: var(--back); }
.chart .group { font-weight: 600; }
.chart .tick { text-anchor: middle; }
.chart .level { text-anchor: end; }
.chart .grid { stroke: var(--line); }
.chart polyline { fill: none; stroke-width: 2.5; stroke: var(--${LINE_COLOURS[0]}); }
@media (max-width: 720px) { .scroll > .chart { min-width: 40rem; } }
.chart .dashed { stroke-dasharray: 6 5; }
${LINE_COLOURS.map((colour, index) => `.chart .${lineClass(index)} { stroke: var(--${colour}); }`)
	.slice(1)
	.join('\n')}
.cards { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }
.card { background: var(--raised); border-radius: 10px; padding: .75rem 1.25rem; }
.card strong { display: block; font-size: 1.8rem; line-height: 1.2; }
.card p { margin: .25rem 0 0; }
ol.bars { list-style: none; margin: 0; padding: 0; }
ol.bars li { display: grid; grid-template-columns: minmax(0, 12rem) 1fr; gap: 0 1rem; align-items: center; padding: .2rem 0; }
ol.bars li > span { text-align: right; }
ol.bars .chart { grid-column: 1 / -1; height: 14px; margin: 0; }
.contents { columns: 14rem; }
td:has(> .places) { white-space: normal; }
tr:has(.places) td { vertical-align: top; }
.places { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`.trim();

const NAMES = 170;
const VALUES = 190;
const PLOT = CHART_WIDTH - NAMES - VALUES;
const LINE = 26;
const BAR = 14;
const AXIS = 18;

export interface Line {
	readonly name: string;
	readonly value: number;
	readonly low?: number;
	readonly high?: number;
	readonly label: string;
	readonly style: 'head' | 'base';
}

export interface Group {
	readonly title: string;
	readonly lines: readonly Line[];
}

export function drawShares(rows: readonly RankingRow[]): string {
	return drawBars(
		rows.flatMap((row): Line[] =>
			row.share === null
				? []
				: [
						{
							name: row.server,
							...row.share,
							label: `${writeShare(row)} (${writeFigure(row)}${row.alone?.metrics.throughput == null ? '' : '/s'})`,
							style: row.share.low === row.share.high ? 'base' : 'head',
						},
					],
		),
		'Share of the reference, with its 95 % interval',
	);
}

export function drawRates(rows: readonly RankingRow[]): string {
	return drawBars(
		rows.flatMap(({ server, alone }): Line[] => {
			const value = alone?.metrics.throughput ?? null;
			return value === null ? [] : [{ name: server, value, label: `${writeRate({ alone })}/s`, style: 'head' }];
		}),
		'Requests per second, each server alone',
	);
}

export function drawMemory(rows: readonly RankingRow[]): string {
	return drawBars(
		rows.flatMap(({ server, alone }): Line[] =>
			MEMORIES.flatMap(([metric, what, style]): Line[] => {
				const value = alone?.metrics[metric] ?? null;
				if (value === null) return [];
				const { base, unit } = formatPair(value, null, 'MB');
				return [{ name: server, value, label: `${base} ${unit} ${what}`, style }];
			}),
		),
		'Memory at rest and at its peak',
	);
}

const MEMORIES = [
	['memory-at-rest', 'at rest', 'base'],
	['memory-after-load', 'after load', 'head'],
	['memory-after-100k', 'after 100,000 requests', 'head'],
	['memory-peak', 'peak', 'head'],
] as const satisfies readonly (readonly [MetricName, string, Line['style']])[];

const MARKS = [
	['p50', 4.5],
	['p95', 3.5],
	['p99', 3.5],
] as const satisfies readonly (readonly [keyof LatencyFigures, number])[];

/** Returns latencies from p2.5 to p99.9 on a logarithmic scale; empty without any. */
export function drawLatencies(rows: readonly RankingRow[]): string {
	const lines = rows.flatMap(({ server, alone }) => (alone?.latency ? [{ server, latency: alone.latency }] : []));
	const least = Math.min(...lines.map(({ latency }) => latency.p2_5));
	const most = Math.max(...lines.map(({ latency }) => latency.p99_9));
	if (lines.length === 0 || !(least > 0) || !(most > least)) return '';
	const at = (value: number) => NAMES + (PLOT * Math.log(value / least)) / Math.log(most / least);
	const drawn = lines.map(({ server, latency }, index) => {
		const y = LINE * (index + 0.5);
		const dots = MARKS.map(
			([key, radius]) =>
				`<circle class="dot" cx="${at(latency[key]).toFixed(1)}" cy="${y}" r="${radius}"><title>${key} ${writeMs(latency[key])}</title></circle>`,
		);
		return [
			writeName(server, y),
			`<line class="whisker" x1="${at(latency.p2_5).toFixed(1)}" x2="${at(latency.p99_9).toFixed(1)}" y1="${y}" y2="${y}"/>`,
			...dots,
			writeValue(`${writeMs(latency.p50)} / ${writeMs(latency.p95)} / ${writeMs(latency.p99)}`, y),
		].join('');
	});
	return frame(drawn, 'Latency: the line goes from p2.5 to p99.9, dots are p50, p95 and p99');
}

export function drawBars(lines: readonly Line[], title: string): string {
	if (lines.length === 0) return '';
	const at = scaleOf(lines);
	return frame(
		lines.map((line, index) => drawLine(line, LINE * (index + 0.5), at)),
		title,
	);
}

export function drawGroups(groups: readonly Group[], title: string): string {
	const lines = groups.flatMap((group) => group.lines);
	if (lines.length === 0) return '';
	const at = scaleOf(lines);
	const drawn = groups
		.filter((group) => group.lines.length > 0)
		.flatMap((group) => [
			(y: number) =>
				`<text class="group" x="${NAMES}" y="${y + 8}">${escapeHtml(plainText(group.title, NAME_LIMIT))}</text>`,
			...group.lines.map((line) => (y: number) => drawLine(line, y, at)),
		]);
	return frame(
		drawn.map((draw, index) => draw(LINE * (index + 0.5))),
		title,
	);
}

/** A function from values to units of the drawing. The largest value ends where numbers begin. */
function scaleOf(lines: readonly Line[]): (value: number) => number {
	const largest = Math.max(...lines.map(({ value, high = value }) => Math.max(value, high)), Number.MIN_VALUE);
	return (value) => NAMES + (PLOT * Math.max(value, 0)) / largest;
}

function drawLine(
	{ name, value, low = value, high = value, label, style }: Line,
	y: number,
	at: (value: number) => number,
): string {
	const whisker =
		low === high
			? ''
			: `<line class="whisker" x1="${at(low).toFixed(1)}" x2="${at(high).toFixed(1)}" y1="${y}" y2="${y}"/>`;
	const width = (at(value) - NAMES).toFixed(1);
	return [
		writeName(name, y),
		`<rect class="${style}" x="${NAMES}" y="${y - BAR / 2}" width="${width}" height="${BAR}" rx="3"/>`,
		whisker,
		writeValue(label, y),
	].join('');
}

function frame(lines: readonly string[], title: string): string {
	return frameChart(lines, title, { height: LINE * lines.length + AXIS, left: NAMES, below: 4 });
}

function writeName(name: string, y: number): string {
	return `<text class="name" x="${NAMES - 8}" y="${y + 4}">${escapeHtml(plainText(name, NAME_LIMIT / 2))}</text>`;
}

function writeValue(label: string, y: number): string {
	return `<text x="${CHART_WIDTH - VALUES + 8}" y="${y + 4}">${escapeHtml(label)}</text>`;
}

function writeMs(value: number): string {
	const { base, unit } = formatPair(value, null, 'ms');
	return `${base} ${unit}`;
}

export function lineClass(index: number): string {
	return `line-${index % LINE_COLOURS.length}`;
}

/** Returns inline SVG with its title `left` units in and `below` units above the bottom. */
export function frameChart(
	parts: readonly string[],
	title: string,
	{ height, left, below }: { readonly height: number; readonly left: number; readonly below: number },
): string {
	const words = `<text class="axis" x="${left}" y="${height - below}">${escapeHtml(title)}</text>`;
	return scroll(
		`<svg class="chart" viewBox="0 0 ${CHART_WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${parts.join('\n')}${words}</svg>`,
		title,
	);
}
