import type { Result } from '../types/result.ts';
import type { Fraction } from '../types/units.ts';
import type { Acceptance, AcceptedRows, Gate, RedRow } from '../types/verdict.ts';
import { gateOf } from './gate.ts';
import { type GateRow, gateRowOf, redKindOf, redRows } from './gate-row.ts';

/** Red rows by whether somebody lets them pass. */
interface Weighed {
	readonly accepted: readonly RedRow[];
	readonly open: readonly RedRow[];
}

/** However wide its interval is, a change of more than this many times the accepted size is not that change any more. */
const MOST_TIMES = 2;

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

/** Returns the red rows that an acceptance lets pass, and those it does not; without one all of them stay open. */
export function weighAcceptance(red: readonly RedRow[], acceptance: Acceptance | undefined): Weighed {
	const covered = (row: RedRow): boolean => acceptance !== undefined && covers(acceptance, row);
	return { accepted: red.filter(covered), open: red.filter((row) => !covered(row)) };
}

/** Returns the acceptance that lets most red rows pass, the first of equals; null when none lets any. */
export function bestAcceptance(red: readonly RedRow[], acceptances: readonly Acceptance[]): Acceptance | null {
	const counted = acceptances.map((acceptance) => ({
		acceptance,
		count: weighAcceptance(red, acceptance).accepted.length,
	}));
	const most = Math.max(0, ...counted.map(({ count }) => count));
	return most === 0 ? null : (counted.find(({ count }) => count === most)?.acceptance ?? null);
}

function covers({ rows }: Acceptance, red: RedRow): boolean {
	return rows === undefined || rows.some((accepted) => matches(accepted, red));
}

function matches({ cell, kind, upTo }: AcceptedRows, red: RedRow): boolean {
	if (cell !== null && cell !== red.cell) return false;
	if (kind !== null && kind !== red.kind) return false;
	return upTo === null || (red.kind === 'regressed' && isWithin(red, upTo));
}

/** Whether the change may be no larger than `upTo`, by the end of its interval that is nearer to no change. */
function isWithin({ change, least }: RedRow, upTo: Fraction): boolean {
	if (change === null) return false;
	const worse = (value: Fraction): number => (change < 0 ? -value : value);
	return worse(least ?? change) <= upTo && worse(change) <= MOST_TIMES * upTo;
}
