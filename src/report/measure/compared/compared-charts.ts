/** Charts of rows that are set against each other: wrappers and hosts, scenarios of one server, more and more connections. */
import { escapeHtml, NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { formatChange, formatCount } from '../../../text/numbers.ts';
import { COMPARISON_KINDS, type MeasureResult, type Ramp } from '../../../types/ranking/measure.ts';
import { CHART_WIDTH, frameChart, lineClass } from '../chart-frame.ts';
import { drawGroups, type Group } from '../ranking-svg.ts';
import { type ComparedRates, comparedRates, headlineOf, type WrapperPair, wrapperPairs } from './compared-rates.ts';
import { writeInterval, writeLoss } from './wrapper-tables.ts';

/** Returns a card for every wrapper: what it answers in its fullest scenario, and what that costs; empty without wrappers. */
export function drawCards(result: MeasureResult): string {
	const cards = wrapperPairs(result).flatMap((pair) => {
		const told = headlineOf(pair);
		if (told === undefined) return [];
		const { row, against, loss, texts } = told;
		const interval = loss.low === null ? '' : ` ${writeInterval(loss)}`;
		return `<div class="card"><strong>${escapeHtml(texts.row)}</strong><span>requests/s</span><p>${escapeHtml(`${writeLoss(loss.value)} overhead${interval}`)}</p><p class="hint">${name(row.server)} on ${name(against.server)} (${escapeHtml(texts.against)}) in ${name(row.scenario)}</p></div>`;
	});
	return cards.length === 0 ? '' : `<div class="cards">${cards.join('\n')}</div>`;
}

/** Returns the bars of hosts and wrappers: all pairs in their fullest scenario, then every pair in all its scenarios; empty without wrappers. */
export function drawWrapperBars(result: MeasureResult): string {
	const pairs = wrapperPairs(result);
	const headlines = pairs.flatMap((pair) => headlineOf(pair) ?? []);
	const [first] = headlines;
	const own = pairs.filter(({ scenarios }) => scenarios.length > 1).map(drawPair);
	const title = `Wrappers and hosts${first === undefined ? '' : ` in ${plainText(first.row.scenario, NAME_LIMIT)}`}, requests/s`;
	return [
		drawGroups(
			headlines.map((told) => groupOf(told, told.against.server)),
			title,
		),
		...own,
	].join('\n');
}

function drawPair({ wrapper, host, scenarios }: WrapperPair): string {
	return drawGroups(
		scenarios.map((told) => groupOf(told, told.row.scenario)),
		`${plainText(host, NAME_LIMIT)} and ${plainText(wrapper, NAME_LIMIT)}, requests/s`,
	);
}

/** Returns what scenarios of one server cost against each other as pairs of bars, a chart for each kind; empty without any. */
export function drawLosses(result: MeasureResult): string {
	return COMPARISON_KINDS.filter((kind) => kind !== 'wrapper')
		.map((kind) => {
			const compared = comparedRates(result, kind);
			const [first] = compared;
			const title =
				first === undefined
					? ''
					: `${plainText(first.against.scenario, NAME_LIMIT)} and ${plainText(first.row.scenario, NAME_LIMIT)}, requests/s`;
			return drawGroups(
				compared.map((told) => groupOf(told, told.row.server, 'scenario')),
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

const HEIGHT = 300;
/** Room for the numbers at the left, and for the names at the right. */
const EDGES = { left: 80, right: 170, top: 14, bottom: 34 } as const;

/** Returns a chart of each scenario that was measured with more and more connections: a line a server; empty without any. */
export function drawRamps({ ramps }: MeasureResult): string {
	return [...Map.groupBy(ramps, ({ scenario }) => scenario)]
		.map(([scenario, group]) => drawRamp(group, `${plainText(scenario, NAME_LIMIT)}: requests/s by connections`))
		.join('\n');
}

function drawRamp(ramps: readonly Ramp[], title: string): string {
	const steps = ramps.flatMap((ramp) => ramp.steps);
	const all = [...new Set(steps.map(({ connections }) => connections))].toSorted((one, other) => one - other);
	const most = Math.max(...steps.map(({ throughput }) => throughput), Number.MIN_VALUE);
	const [least = 1, largest = least] = [all[0], all.at(-1)];
	const span = Math.log(largest / least) || 1;
	const x = (value: number) => EDGES.left + ((CHART_WIDTH - EDGES.left - EDGES.right) * Math.log(value / least)) / span;
	const y = (value: number) => HEIGHT - EDGES.bottom - ((HEIGHT - EDGES.top - EDGES.bottom) * value) / most;
	const at = (connections: number, throughput: number) => `${x(connections).toFixed(1)},${y(throughput).toFixed(1)}`;
	const lines = ramps.map(({ server, steps: own }, index) => {
		const last = own.at(-1);
		const points = own.map(({ connections, throughput }) => at(connections, throughput)).join(' ');
		const label =
			last === undefined
				? ''
				: `<text x="${x(last.connections) + 8}" y="${(y(last.throughput) + 4).toFixed(1)}">${name(server)}</text>`;
		return `<polyline class="${lineClass(index)}" points="${points}"/>${label}`;
	});
	const ticks = all.map(
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
