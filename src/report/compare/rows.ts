import { needsRebase } from '../../judge/gate-row.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import {
	type FigurePair,
	formatChange,
	formatInterval,
	formatPair,
	formatPercent,
	formatRanges,
	NONE,
} from '../../text/numbers.ts';
import { isOfServer, METRICS, type MetricName } from '../../types/metric.ts';
import type { CellResult, MetricResult } from '../../types/result.ts';
import type { Fraction } from '../../types/units.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { Span } from './interval-picture.ts';

/** One line of a report table, ready to be laid out. Names are one harmless line each (`plainText`), not yet escaped. */
export interface Row {
	readonly cell: CellResult;
	/** Id of the cell as the raw data and ChartData spell it. */
	readonly id: string;
	readonly server: string;
	/** Of a row about a server's process, whatever is asked of it, `–`. */
	readonly scenario: string;
	/** What it is called besides its metric: `server/scenario`, or the server alone. */
	readonly name: string;
	readonly verdict: Verdict;
	/** Label of the metric that decided. */
	readonly metric: string;
	readonly base: string;
	readonly head: string;
	readonly unit: string;
	readonly change: string;
	readonly interval: string;
	/** Null without an estimate. */
	readonly span: Span | null;
	/** Numbers of its footnotes, ascending. */
	readonly notes: readonly number[];
}

/** One metric of one row, for the table of other metrics. */
export interface MetricRow {
	readonly row: Row;
	readonly metric: string;
	readonly base: string;
	readonly head: string;
	readonly unit: string;
	readonly change: string;
	readonly interval: string;
	readonly source: MetricResult['source'];
}

/** Reading order: what needs a decision first. */
const VERDICT_ORDER: readonly Verdict[] = [
	'regressed',
	'improved',
	'invalid',
	'new',
	'removed',
	'inconclusive',
	'unchanged',
	'same-code',
];

/** Returns `cells` as rows in reading order: by verdict, then the most harmful first (of improved: the largest first). */
export function orderCells(cells: readonly CellResult[]): readonly CellResult[] {
	const harm = (cell: CellResult): number => {
		const mid = spanOf(cell)?.mid ?? 0;
		return cell.verdict === 'improved' ? -mid : mid;
	};
	return cells.toSorted(
		(a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict) || harm(a) - harm(b),
	);
}

/** Returns the row of a cell with the footnotes `notes`. */
export function rowOf(cell: CellResult, notes: readonly number[]): Row {
	const figures = cell.metrics[cell.judgedBy];
	const server = plainText(cell.server, NAME_LIMIT);
	const scenario = plainText(cell.scenario, NAME_LIMIT);
	const ofServer = isOfServer(cell.metric);
	return {
		cell,
		id: `${cell.server}/${cell.scenario}`,
		server,
		scenario: ofServer ? NONE : scenario,
		name: ofServer ? server : `${server}/${scenario}`,
		verdict: cell.verdict,
		metric: labelOf(cell.judgedBy),
		...formatFigures(figures, METRICS[cell.judgedBy].unit),
		change: formatChange(cell.change),
		interval: formatInterval(cell.interval),
		span: spanOf(cell),
		notes,
	};
}

/** Returns the metrics of a row other than the one that decided it, in the order of METRICS. */
export function otherMetrics(row: Row): readonly MetricRow[] {
	const { metrics, judgedBy } = row.cell;
	return (Object.keys(METRICS) as MetricName[]).flatMap((name) => {
		const result = metrics[name];
		if (!result || name === judgedBy) return [];
		return {
			row,
			metric: labelOf(name),
			...formatFigures(result, METRICS[name].unit),
			change: formatChange(result.change),
			interval: formatInterval(result.interval),
			source: result.source,
		};
	});
}

/**
 * Returns both sides' figures as text. Their level is the geometric mean of both sides' windows; what lies between them is the
 * change of the paired rounds. Windows that load one side alone are too few to tell small differences, so each side's own
 * figure could contradict the change beside it. The JSON file keeps each side's own. A level that is not sure makes them ranges.
 */
function formatFigures(result: MetricResult | undefined, unit: string): FigurePair {
	const { base = null, head = null, change = null, level } = result ?? {};
	if (base === null || head === null || base <= 0 || head <= 0 || (change !== null && change <= -1)) {
		return formatPair(base, head, unit);
	}
	const half = Math.sqrt(change === null ? head / base : 1 + change);
	if (level) return formatRanges([level.low / half, level.high / half], [level.low * half, level.high * half], unit);
	const middle = Math.sqrt(base * head);
	return formatPair(middle / half, middle * half, unit);
}

/** Returns what to call the rows: each is a scenario of its own when there is one server and one row for each. */
export function nounOf(rows: readonly Row[]): 'scenario' | 'row' {
	const servers = new Set(rows.map((row) => row.server));
	const cells = new Set(rows.map((row) => row.id));
	const ofServer = rows.some(({ cell }) => isOfServer(cell.metric));
	return servers.size <= 1 && cells.size === rows.length && !ofServer ? 'scenario' : 'row';
}

/** Returns whether the row says how head compares: both sides have it, base is not too old for it, and their code differs. */
export function isCompared({ verdict, cell }: Pick<Row, 'verdict' | 'cell'>): boolean {
	return verdict !== 'new' && verdict !== 'removed' && verdict !== 'same-code' && !needsRebase(cell);
}

/** Returns whether there is something to read in a row: not where it passed, or was skipped because its code is the same. */
export function isTelling({ verdict }: Pick<Row, 'verdict'>): boolean {
	return verdict !== 'unchanged' && verdict !== 'same-code';
}

/** Returns the name of a row's cell, in code style. */
export function nameOf(row: Row): { readonly code: string } {
	return { code: row.name };
}

/** Returns the name of a metric in reports, the same in tables and sentences: throughput is called by its unit. */
export function labelOf(metric: MetricName): string {
	return metric === 'throughput' ? METRICS[metric].unit : METRICS[metric].label;
}

/** Returns what a change of the row is a change of, in a sentence: `−6.1 % requests/s`, `+7 % CPU per request`. */
export function metricWord({ cell: { judgedBy } }: Row): string {
	return labelOf(judgedBy);
}

/**
 * Returns the change at which the row fails, such as `−5 %`. Where lower is better it is the rise that means as much: a request that
 * costs 5.3 % more leaves room for 5 % fewer.
 */
export function formatLimit({ cell: { judgedBy, threshold } }: Row): string {
	return METRICS[judgedBy].better === 'higher'
		? formatPercent(-threshold)
		: `+${formatPercent(1 / (1 - threshold) - 1)}`;
}

/**
 * Returns the estimate of a cell turned so that negative is worse, whatever the metric: a rise of cost by x is the drop of
 * throughput to 1 / (1 + x) that it means, so the threshold stands at the same place for every row.
 */
export function spanOf(cell: CellResult): Span | null {
	const { change, interval, threshold } = cell;
	if (change === null) return null;
	const { low = null, high = null } = interval ?? {};
	if (METRICS[cell.judgedBy].better === 'higher') return { low, mid: change, high, threshold };
	return { low: turn(high), mid: turn(change) ?? 0, high: turn(low), threshold };
}

function turn(change: Fraction | null): Fraction | null {
	return change === null || change <= -1 ? null : 1 / (1 + change) - 1;
}
