import { METRICS } from '../types/metric.ts';
import type { RedKind, RedRow } from '../types/verdict.ts';
import { blameOf, type GateRow } from './gate-row.ts';

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
