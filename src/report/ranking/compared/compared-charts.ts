import { escapeHtml, NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { formatChange, formatCount } from '../../../text/numbers.ts';
import { COMPARISON_KINDS, type RankingResult } from '../../../types/ranking/ranking.ts';
import type { RankingSetup } from '../../../types/ranking/ranking-setup.ts';
import type { Fraction } from '../../../types/units.ts';
import { areOfOneMachine } from '../ranking-facts.ts';
import { writeRate } from '../ranking-figures.ts';
import { CHART_WIDTH, drawBars, drawGroups, frameChart, type Group, lineClass } from '../ranking-svg.ts';
import { type ComparedRates, comparedRates, headlineOf, type WrapperPair, wrapperPairs } from './compared-rates.ts';
import { averagesOf, comparableAverages, type Ranked, writePercent } from './servers-in-short.ts';
import { writeInterval, writeLoss } from './wrapper-tables.ts';

/** Returns a bar per server, fastest first, which a phone shows too; empty if averages cannot be compared. */
export function drawAverages(scenarios: readonly Ranked[], { preset }: Pick<RankingSetup, 'preset'>): string {
	const averages = comparableAverages(scenarios);
	const count = averages[0]?.standings.length ?? 0;
	const most = Math.max(...averages.map(({ part, interval }) => interval?.high ?? part), Number.MIN_VALUE);
	const at = (part: Fraction) => `${((100 * part) / most).toFixed(2)}%`;
	const lines = averages.map(({ server, part, interval }) => {
		const ends = interval && ([interval.low, interval.high] as const);
		const whisker = ends && `<line class="whisker" x1="${at(ends[0])}" x2="${at(ends[1])}" y1="7" y2="7"/>`;
		const range = ends && ` <span class="interval">[${ends.map((end) => (100 * end).toFixed(0)).join(' … ')}]</span>`;
		return `<li><code>${name(server)}</code> <span><strong>${writePercent(part)}</strong>${range ?? ''}</span><svg class="chart" width="100%" height="14" aria-hidden="true"><rect class="head" width="${at(part)}" height="14" rx="3"/>${whisker ?? ''}</svg></li>`;
	});
	const isSure = averages.some(({ interval }) => interval !== null);
	const compared = new Set(averages.map(({ server }) => server));
	const others = averagesOf(scenarios).filter(({ server }) => !compared.has(server));
	const left =
		others.length === 0 ? '' : ` Not in all of them: ${others.map(({ server }) => name(server)).join(', ')}.`;
	const words = `${preset === null ? 'Throughput' : 'Requests/s'} relative to the fastest server${count === 1 ? '' : `, geometric mean over ${count} scenarios`}${isSure ? ', with 95 % intervals' : ''}.${left}`;
	return lines.length === 0 ? '' : `<p class="hint">${words}</p><ol class="bars">${lines.join('\n')}</ol>`;
}

/** Returns a card per wrapper with its rate and cost in its headline scenario. */
export function drawCards(result: RankingResult): string {
	const cards = wrapperPairs(result).flatMap((pair) => {
		const headline = headlineOf(pair);
		if (headline === undefined) return [];
		const { row, against, loss, texts } = headline;
		const interval = loss.low === null ? '' : ` ${writeInterval(loss)}`;
		return `<div class="card"><strong>${escapeHtml(texts.row)}</strong><span>requests/s</span><p>${escapeHtml(`${writeLoss(loss.value)} overhead${interval}`)}</p><p class="hint">${name(row.server)} on ${name(against.server)} (${escapeHtml(texts.against)}) in ${name(row.scenario)}</p></div>`;
	});
	return cards.length === 0 ? '' : `<div class="cards">${cards.join('\n')}</div>`;
}

/** Returns bars of hosts and wrappers: all pairs in their headline scenarios, then each pair in all. */
export function drawWrapperBars(result: RankingResult): string {
	const pairs = wrapperPairs(result);
	const headlines = pairs.flatMap((pair) => headlineOf(pair) ?? []);
	const [first] = headlines;
	const pairCharts = pairs.filter(({ scenarios }) => scenarios.length > 1).map(drawPair);
	const title = `Wrappers and hosts${first === undefined ? '' : ` in ${plainText(first.row.scenario, NAME_LIMIT)}`}, requests/s`;
	return [
		drawGroups(
			headlines.map((headline) => groupOf(headline, headline.against.server)),
			title,
		),
		...pairCharts,
	].join('\n');
}

function drawPair({ wrapper, host, scenarios }: WrapperPair): string {
	return drawGroups(
		scenarios.map((comparison) => groupOf(comparison, comparison.row.scenario)),
		`${plainText(host, NAME_LIMIT)} and ${plainText(wrapper, NAME_LIMIT)}, requests/s`,
	);
}

/** Returns pairs of bars for costs within servers; each kind has a chart. */
export function drawLosses(result: RankingResult): string {
	return COMPARISON_KINDS.filter((kind) => kind !== 'wrapper')
		.map((kind) => {
			const compared = comparedRates(result, kind);
			const [first] = compared;
			const title =
				first === undefined
					? ''
					: `${plainText(first.against.scenario, NAME_LIMIT)} and ${plainText(first.row.scenario, NAME_LIMIT)}, requests/s`;
			return drawGroups(
				compared.map((comparison) => groupOf(comparison, comparison.row.server, 'scenario')),
				title,
			);
		})
		.filter((chart) => chart !== '')
		.join('\n');
}

function groupOf(
	{ row, against, rates, texts, loss }: ComparedRates,
	title: string,
	by: 'server' | 'scenario' = 'server',
): Group {
	return {
		title,
		lines: [
			{ name: against[by], value: rates.against, label: texts.against, style: 'base' },
			{ name: row[by], value: rates.row, label: `${texts.row} (${formatChange(-loss.value)})`, style: 'head' },
		],
	};
}

/** Returns bars of a single server's scenarios; empty for several servers. */
export function drawScenarios({ rows }: RankingResult): string {
	const lines = rows.flatMap(({ server, scenario, alone }) => {
		const value = alone?.metrics.throughput ?? null;
		const label = `${writeRate({ alone })}/s`;
		return value === null ? [] : [{ server, line: { name: scenario, value, label, style: 'head' as const } }];
	});
	const [first] = lines;
	if (first === undefined || lines.length < 2 || lines.some(({ server }) => server !== first.server)) return '';
	const title = `${plainText(first.server, NAME_LIMIT)} in each scenario, requests/s`;
	return drawBars(
		lines.map(({ line }) => line),
		title,
	);
}

const HEIGHT = 300;
/** Space for numbers and names. */
const EDGES = { left: 80, right: 170, top: 14, bottom: 34 } as const;

interface Series {
	readonly server: string;
	readonly points: readonly { readonly count: number; readonly throughput: number }[];
	/** Index of the last fully valid point. The line is dashed after it. */
	readonly solid?: number;
}

/** Returns a chart per ramp, one line per server; empty for several machines. */
export function drawRamps({ ramps, rows }: RankingResult): string {
	if (!areOfOneMachine(rows)) return '';
	return [...Map.groupBy(ramps, ({ scenario }) => scenario)]
		.map(([scenario, group]) =>
			drawSeries(
				group.map(({ server, steps }) => ({
					server,
					points: steps.map(({ connections, throughput }) => ({ count: connections, throughput })),
				})),
				`${plainText(scenario, NAME_LIMIT)}: requests/s by connections`,
			),
		)
		.join('\n');
}

/** Returns a chart by worker processes, one line per server; empty for several machines. */
export function drawScalings({ scalings, rows }: RankingResult): string {
	if (!areOfOneMachine(rows)) return '';
	const series = scalings
		.filter(({ steps }) => steps.length > 1)
		.map(({ server, steps }) => ({
			server,
			points: steps.map(({ workers, throughput }) => ({ count: workers, throughput })),
			solid: steps.findLastIndex(({ oversubscribed }) => !oversubscribed),
		}));
	const isDashed = series.some(({ points, solid }) => solid < points.length - 1);
	const dashed = isDashed ? '; dashed: more workers than CPUs' : '';
	return series.length === 0 ? '' : drawSeries(series, `Worker processes: requests/s by workers${dashed}`);
}

function drawSeries(series: readonly Series[], title: string): string {
	const all = series.flatMap(({ points }) => points);
	const counts = [...new Set(all.map(({ count }) => count))].toSorted((one, other) => one - other);
	const most = Math.max(...all.map(({ throughput }) => throughput), Number.MIN_VALUE);
	const [least = 1, largest = least] = [counts[0], counts.at(-1)];
	const span = Math.log(largest / least) || 1;
	const x = (value: number) => EDGES.left + ((CHART_WIDTH - EDGES.left - EDGES.right) * Math.log(value / least)) / span;
	const y = (value: number) => HEIGHT - EDGES.bottom - ((HEIGHT - EDGES.top - EDGES.bottom) * value) / most;
	const at = ({ count, throughput }: Series['points'][number]) => `${x(count).toFixed(1)},${y(throughput).toFixed(1)}`;
	const line = (points: Series['points'], style: string) =>
		points.length < 2 ? '' : `<polyline class="${style}" points="${points.map(at).join(' ')}"/>`;
	const lines = series.map(({ server, points, solid = points.length - 1 }, index) => {
		const last = points.at(-1);
		const label =
			last === undefined
				? ''
				: `<text x="${x(last.count) + 8}" y="${(y(last.throughput) + 4).toFixed(1)}">${name(server)}</text>`;
		const style = lineClass(index);
		const beyond = points.slice(Math.max(0, solid));
		return `${line(points.slice(0, solid + 1), style)}${line(beyond, `${style} dashed`)}${label}`;
	});
	const ticks = counts.map(
		(value) => `<text class="axis tick" x="${x(value).toFixed(1)}" y="${HEIGHT - 18}">${value}</text>`,
	);
	const levels = [0, most / 2, most].map(
		(value) =>
			`<line class="grid" x1="${EDGES.left}" x2="${CHART_WIDTH - EDGES.right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/><text class="axis level" x="${EDGES.left - 8}" y="${(y(value) + 4).toFixed(1)}">${formatCount(value)}</text>`,
	);
	return frameChart([...levels, ...ticks, ...lines], title, { height: HEIGHT, left: EDGES.left, below: 2 });
}

function name(text: string): string {
	return escapeHtml(plainText(text, NAME_LIMIT));
}
