import type { RowDrift } from '../types/main-baselines.ts';
import { METRICS } from '../types/metric.ts';
import type { CellResult } from '../types/result.ts';
import { DIFFERENCES } from '../types/round.ts';
import { SIDES, type Side } from '../types/units.ts';
import type { Estimate, Interval, RedKind, RedRow, RowDecision } from '../types/verdict.ts';

/** What the gate reads of a row. */
export interface GateRow
	extends Pick<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict' | 'warnings' | 'newerThanBase'> {
	readonly estimate: (Pick<Estimate, 'change'> & { readonly interval: Pick<Interval, 'low' | 'high'> }) | null;
	readonly drift?: RowDrift;
}

/** Returns what the gate reads of a row of a result. */
export function gateRowOf(cell: CellResult): GateRow {
	const { server, scenario, metric, judgedBy, verdict, change, interval, warnings, newerThanBase, drift } = cell;
	const estimate = change === null ? null : { change, interval: interval ?? { low: null, high: null } };
	const row = { cell: `${server}/${scenario}`, metric, judgedBy, verdict, estimate, warnings };
	return { ...row, ...(newerThanBase && { newerThanBase }), ...(drift && { drift }) };
}

/** Who broke a row: a side, both, neither although their answers differ, or nobody knows. */
export type Blame = Side | 'both' | 'answers' | 'unknown';

type Faults = Pick<GateRow, 'verdict' | 'warnings'>;

/** Returns who broke a row; null for a row that is not invalid. */
export function blameOf({ verdict, warnings }: Faults): Blame | null {
	if (verdict !== 'invalid') return null;
	const [side, other] = SIDES.filter((one) => warnings.some((fault) => fault.side === one));
	if (side) return other ? 'both' : side;
	return warnings.some(({ code }) => DIFFERENCES.includes(code)) ? 'answers' : 'unknown';
}

/**
 * Returns whether a row says nothing about head because base is made from a commit older than the row: both sides break, in
 * the same way. A rebase brings what both lack.
 */
export function needsRebase(row: Faults & Pick<GateRow, 'newerThanBase'>): boolean {
	if (row.newerThanBase !== true || blameOf(row) !== 'both') return false;
	const [base, head] = SIDES.map((side) => row.warnings.find((fault) => fault.side === side)?.code);
	return base === head;
}

/** Returns every row that fails the gate, with the kind of its failure, in the order of `rows`. */
export function redRows(rows: readonly GateRow[]): readonly RedRow[] {
	return rows.flatMap((row) => {
		const kind = redKindOf(row);
		if (kind === null) return [];
		const { cell, metric, judgedBy, estimate } = row;
		if (kind !== 'regressed' || estimate === null) return { cell, metric, kind, change: null, least: null };
		const { change, interval } = estimate;
		const least = METRICS[judgedBy].better === 'higher' ? interval.high : interval.low;
		return { cell, metric, kind, change, least };
	});
}

/** Returns why a row fails the gate; null when it does not. */
export function redKindOf(row: Pick<GateRow, 'verdict' | 'warnings' | 'drift'>): RedKind | null {
	if (row.verdict === 'regressed' || row.verdict === 'removed') return row.verdict;
	const blame = blameOf(row);
	if (blame === 'head') return 'broken';
	if (blame === 'answers') return 'answer-changed';
	return row.drift?.verdict === 'adds' && row.drift.policy === 'enforce' ? 'adds-to-drift' : null;
}
