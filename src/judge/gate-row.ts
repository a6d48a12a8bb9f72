import type { RowDrift } from '../types/main-baselines.ts';
import { METRICS } from '../types/metric.ts';
import type { CellResult } from '../types/result.ts';
import { DIFFERENCES } from '../types/round.ts';
import { type Fraction, SIDES, type Side } from '../types/units.ts';
import type { Estimate, Interval, RedKind, RedRow, RowDecision, Verdict } from '../types/verdict.ts';

export interface GateRow
	extends Pick<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict' | 'warnings' | 'newerThanBase'> {
	readonly estimate: (Pick<Estimate, 'change'> & { readonly interval: Interval | null }) | null;
	readonly threshold?: Fraction;
	readonly drift?: RowDrift;
}

export function gateRowOf(cell: CellResult): GateRow {
	const { server, scenario, metric, judgedBy, verdict, change, interval, threshold, warnings, newerThanBase, drift } =
		cell;
	const estimate = change === null ? null : { change, interval };
	const row = { cell: `${server}/${scenario}`, metric, judgedBy, verdict, estimate, threshold, warnings };
	return { ...row, ...(newerThanBase && { newerThanBase }), ...(drift && { drift }) };
}

/** Whether a row was not measured because the change cannot affect it. */
export function isSkipped(verdict: Verdict): boolean {
	return verdict === 'same-code' || verdict === 'unaffected';
}

/** The side that broke a row; `answers` if only the answers differ. */
export type Blame = Side | 'both' | 'answers' | 'unknown';

type Faults = Pick<GateRow, 'verdict' | 'warnings'>;

export function blameOf({ verdict, warnings }: Faults): Blame | null {
	if (verdict !== 'invalid') return null;
	const [side, other] = SIDES.filter((one) => warnings.some((fault) => fault.side === one));
	if (side) return other ? 'both' : side;
	return warnings.some(({ code }) => DIFFERENCES.includes(code)) ? 'answers' : 'unknown';
}

/** Whether both sides break alike because base's commit is older than the row, which a rebase fixes. */
export function needsRebase(row: Faults & Pick<GateRow, 'newerThanBase'>): boolean {
	if (row.newerThanBase !== true || blameOf(row) !== 'both') return false;
	const [base, head] = SIDES.map((side) => row.warnings.find((fault) => fault.side === side)?.code);
	return base === head;
}

export function redRows(rows: readonly GateRow[]): readonly RedRow[] {
	return rows.flatMap((row) => {
		const kind = redKindOf(row);
		if (kind === null) return [];
		const { cell, metric, judgedBy, estimate } = row;
		if (kind !== 'regressed' || estimate === null) return { cell, metric, kind, change: null, least: null };
		const { change, interval } = estimate;
		const least = METRICS[judgedBy].better === 'higher' ? interval?.high : interval?.low;
		return { cell, metric, kind, change, least: least ?? null };
	});
}

export function redKindOf(row: Pick<GateRow, 'verdict' | 'warnings' | 'drift'>): RedKind | null {
	if (row.verdict === 'regressed' || row.verdict === 'removed') return row.verdict;
	const blame = blameOf(row);
	if (blame === 'head') return 'broken';
	if (blame === 'answers') return 'answer-changed';
	return row.drift?.verdict === 'adds' && row.drift.policy === 'enforce' ? 'adds-to-drift' : null;
}
