/** Status texts of a comparison. */
import { formatChange, formatDuration, formatPercent } from '../text/numbers.ts';
import { METRICS, placeOfRow } from '../types/metric.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Round } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';
import type { Decision, RowDecision } from '../types/verdict.ts';

/** More cells would scroll away. */
const SHOWN = 8;

/** Returns the status between rounds, with estimates of open rows in loaded cells; empty without any. */
export function describeProgress(
	cells: readonly string[],
	rounds: readonly Round[],
	decision: Decision,
	secondsLeft: Seconds,
): string {
	const rows = decision.rows.filter((row) => cells.includes(row.cell));
	const open = rows.filter((row) => !row.final);
	if (open.length === 0) return '';
	const decided = rows.length - open.length;
	const head = `Round ${rounds.length + 1}: ${decided} of ${rows.length} rows decided, at most ${formatDuration(Math.max(0, secondsLeft))} left`;
	const several = new Set(rows.map((row) => row.metric)).size > 1;
	const nameOf = (row: RowDecision): string =>
		several ? `${placeOfRow(row.cell, row.metric)} ${METRICS[row.metric].label}` : row.cell;
	const lines = open.slice(0, SHOWN).map((row) => `  ${nameOf(row)}  ${describeRow(row)}`);
	const more = open.length > SHOWN ? [`  and ${open.length - SHOWN} more`] : [];
	return [head, ...lines, ...more].join('\n');
}

export function describeRefusals(refused: readonly RefusedCell[]): string[] {
	const byMessage = Map.groupBy(refused, ({ fault, others = [] }) =>
		[fault, ...others].map(({ message }) => message).join('; '),
	);
	return [...byMessage].map(
		([message, cells]) => `  ${cells.map(({ cell }) => cell).join(', ')} cannot be measured: ${message}`,
	);
}

function describeRow(row: RowDecision): string {
	const { estimate } = row;
	if (estimate === null || estimate.rounds < 2) return 'measuring';
	const spread = estimate.sd === 0 ? '' : `, noise ${formatPercent(estimate.sd)} a round`;
	const judge = row.judgedBy === row.metric ? '' : ` ${METRICS[row.judgedBy].label}`;
	const doubt = row.needsConfirmation ? ', confirming with alternating windows' : '';
	return `${formatChange(estimate.change)}${judge} after ${estimate.rounds} rounds${spread}${doubt}`;
}
