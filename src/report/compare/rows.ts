import { isSkipped, needsRebase, redKindOf } from '../../judge/gate-row.ts';
import { labelOf } from '../../judge/row-words.ts';
import { hasTooFewRounds } from '../../judge/warnings.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import {
	type FigurePair,
	formatChange,
	formatInterval,
	formatPair,
	formatRanges,
	NONE,
	UNKNOWN,
} from '../../text/numbers.ts';
import { isCounted, isOfServer, METRICS, type MetricName } from '../../types/metric.ts';
import type { CellResult, MetricResult } from '../../types/result.ts';
import type { Fraction } from '../../types/units.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { Span } from './interval-picture.ts';

/** Names are one harmless line each (`plainText`), not yet escaped. */
export interface Row {
	readonly cell: CellResult;
	/** Same as in raw data and ChartData. */
	readonly id: string;
	readonly server: string;
	/** `–` if the row is about the server's process. */
	readonly scenario: string;
	/** `server/scenario`, or the server alone. */
	readonly name: string;
	readonly verdict: Verdict;
	readonly metric: string;
	readonly base: string;
	readonly head: string;
	readonly unit: string;
	readonly change: string;
	readonly interval: string;
	readonly span: Span | null;
	/** Ascending. */
	readonly notes: readonly number[];
}

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

/** Rows that need a decision come first. */
const VERDICT_ORDER: readonly Verdict[] = [
	'regressed',
	'improved',
	'invalid',
	'new',
	'removed',
	'inconclusive',
	'unchanged',
	'unaffected',
	'same-code',
];

/** Returns `cells` by verdict, then most harmful first (improved: largest gain). */
export function orderCells(cells: readonly CellResult[]): readonly CellResult[] {
	const harm = (cell: CellResult): number => {
		const mid = spanOf(cell)?.mid ?? 0;
		return cell.verdict === 'improved' ? -mid : mid;
	};
	return cells.toSorted(
		(a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict) || harm(a) - harm(b),
	);
}

export function rowOf(cell: CellResult, notes: readonly number[]): Row {
	const figures = cell.metrics[cell.judgedBy];
	const server = plainText(cell.server, NAME_LIMIT);
	const scenario = plainText(cell.scenario, NAME_LIMIT);
	const ofServer = isOfServer(cell.metric);
	const tooFew = cell.change !== null && hasTooFewRounds(cell.warnings);
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
		interval: tooFew ? UNKNOWN : isExact(cell) ? 'exact' : formatInterval(cell.interval),
		span: spanOf(cell),
		notes,
	};
}

function isExact({ judgedBy, interval }: CellResult): boolean {
	return isCounted(judgedBy) && interval !== null && interval.low === interval.high;
}

/** Returns the metrics except the deciding one, in the order of METRICS. */
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

/** Returns figures that differ by the change of paired rounds, which a side's own could contradict. */
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

/** Returns `scenario` if there is one server with one row per scenario. */
export function nounOf(rows: readonly Row[]): 'scenario' | 'row' {
	const servers = new Set(rows.map((row) => row.server));
	const cells = new Set(rows.map((row) => row.id));
	const ofServer = rows.some(({ cell }) => isOfServer(cell.metric));
	return servers.size <= 1 && cells.size === rows.length && !ofServer ? 'scenario' : 'row';
}

/** Whether a row compares base and head: both have it, base is recent enough, their code differs. */
export function isCompared({ verdict, cell }: Pick<Row, 'verdict' | 'cell'>): boolean {
	return verdict !== 'new' && verdict !== 'removed' && !isSkipped(verdict) && !needsRebase(cell);
}

/** Whether a row neither passed nor was skipped. */
export function isTelling({ verdict }: Pick<Row, 'verdict'>): boolean {
	return verdict !== 'unchanged' && !isSkipped(verdict);
}

export function isUnaffected({ verdict }: Pick<Row, 'verdict'>): boolean {
	return verdict === 'unaffected';
}

export function nameOf(row: Row): { readonly code: string } {
	return { code: row.name };
}

/** Returns red rows first. */
export function redFirst(rows: readonly Row[]): readonly Row[] {
	return rows.toSorted((a, b) => Number(redKindOf(a.cell) === null) - Number(redKindOf(b.cell) === null));
}

/** Returns a cell's estimate; negative is worse. A cost increase x becomes the throughput change 1 / (1 + x) − 1. */
export function spanOf(cell: CellResult): Span | null {
	const { change, interval, threshold } = cell;
	if (change === null) return null;
	const { low = null, high = null } = (hasTooFewRounds(cell.warnings) ? null : interval) ?? {};
	if (METRICS[cell.judgedBy].better === 'higher') return { low, mid: change, high, threshold };
	const limit = isCounted(cell.judgedBy) ? threshold / (1 + threshold) : threshold;
	return { low: turn(high), mid: turn(change) ?? 0, high: turn(low), threshold: limit };
}

function turn(change: Fraction | null): Fraction | null {
	return change === null || change <= -1 ? null : 1 / (1 + change) - 1;
}
