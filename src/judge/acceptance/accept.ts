import type { Result } from '../../types/result.ts';
import type { Acceptance, Gate, RedRow } from '../../types/verdict.ts';
import { gateOf } from '../gate.ts';
import { type GateRow, gateRowOf } from '../gate-row.ts';
import { redKindOf, redRows } from '../red-rows.ts';
import { bestAcceptance, type Weighed, weighAcceptance } from './weigh-acceptance.ts';

/**
 * Returns `result` with its gate as if the red rows that somebody accepted were not there. It passes only when every red row is
 * accepted and something was measured; without numbers it stays `error`, whose check is neutral when nothing but accepted rows
 * is to blame. Of several acceptances that which covers most red rows counts; what people accept is not added up. Verdicts and
 * reasons stay, so that every report still says what was red. Where nothing red is accepted, the result is returned as it is.
 */
export function acceptRedRows(result: Result, acceptances: readonly Acceptance[]): Result {
	const rows = result.cells.map(gateRowOf);
	const red = redRows(rows);
	const acceptance = bestAcceptance(red, acceptances);
	if (acceptance === null) return result;
	const weighed = weighAcceptance(red, acceptance);
	return { ...result, gate: { ...gateWithout(result.gate, rows, weighed), accepted: acceptance } };
}

/** Returns the red rows of a result by whether the acceptance in its gate covers them. */
export function weighResult({ cells, gate }: Pick<Result, 'cells' | 'gate'>): Weighed {
	return weighAcceptance(redRows(cells.map(gateRowOf)), gate.accepted);
}

function gateWithout({ outcome, reasons, neutral }: Gate, rows: readonly GateRow[], { accepted, open }: Weighed): Gate {
	// The reporting job may have failed it; while a row is red it stays as bad as it was.
	if (open.length > 0) return { outcome, reasons, ...(neutral && { neutral }) };
	const rest = gateOf(rows.flatMap((row) => without(row, accepted)));
	const blameless = rest.outcome === 'error' && rows.length === accepted.length ? 'always' : rest.neutral;
	return { outcome: rest.outcome, reasons, ...(blameless && { neutral: blameless }) };
}

/** A row without what was accepted of it: a slower one was measured all the same, and what it adds to a drift is accepted with it. */
function without(row: GateRow, accepted: readonly RedRow[]): readonly GateRow[] {
	if (!accepted.some(({ cell, metric }) => cell === row.cell && metric === row.metric)) return [row];
	const { drift: _drift, ...rest } = row;
	if (redKindOf(row) === 'adds-to-drift') return [rest];
	return row.verdict === 'regressed' ? [{ ...rest, verdict: 'unchanged' }] : [];
}
