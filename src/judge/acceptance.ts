import type { Result } from '../types/result.ts';
import type { Fraction } from '../types/units.ts';
import type { Acceptance, AcceptedRows, Gate, RedRow } from '../types/verdict.ts';
import { gateOf } from './gate.ts';
import { type GateRow, gateRowOf, redKindOf, redRows } from './gate-row.ts';

/** Red rows, divided by whether an acceptance covers them. */
interface Weighed {
	readonly accepted: readonly RedRow[];
	readonly open: readonly RedRow[];
}

/** A change of more than this many times the accepted size is a different change, however wide its interval. */
const MOST_TIMES = 2;

/**
 * Returns `result` with the gate it would have without the accepted red rows. It passes only if all red rows are
 * accepted and something was measured; without numbers it stays `error`. Only the acceptance that covers most red rows
 * counts: they do not add up.
 */
export function acceptRedRows(result: Result, acceptances: readonly Acceptance[]): Result {
	const rows = result.cells.map(gateRowOf);
	const red = redRows(rows);
	const acceptance = bestAcceptance(red, acceptances);
	if (acceptance === null) return result;
	const weighed = weighAcceptance(red, acceptance);
	return { ...result, gate: { ...gateWithout(result.gate, rows, weighed), accepted: acceptance } };
}

export function weighResult({ cells, gate }: Pick<Result, 'cells' | 'gate'>): Weighed {
	return weighAcceptance(redRows(cells.map(gateRowOf)), gate.accepted);
}

function gateWithout(gate: Gate, rows: readonly GateRow[], { accepted, open }: Weighed): Gate {
	// The reporting job may have made the outcome worse, so it is kept.
	const { accepted: _earlier, ...before } = gate;
	if (open.length > 0) return before;
	const remainingGate = gateOf(rows.flatMap((row) => without(row, accepted)));
	const blameless =
		remainingGate.outcome === 'error' && rows.length === accepted.length ? 'always' : remainingGate.neutral;
	const { neutral: _neutral, ...causes } = before;
	return { ...causes, outcome: remainingGate.outcome, ...(blameless && { neutral: blameless }) };
}

/**
 * Turns an accepted slower row into an unchanged one, because it still counts as measured. Its drift is accepted too.
 */
function without(row: GateRow, accepted: readonly RedRow[]): readonly GateRow[] {
	if (!accepted.some(({ cell, metric }) => cell === row.cell && metric === row.metric)) return [row];
	const { drift: _drift, ...rest } = row;
	if (redKindOf(row) === 'adds-to-drift') return [rest];
	return row.verdict === 'regressed' ? [{ ...rest, verdict: 'unchanged' }] : [];
}

export function weighAcceptance(red: readonly RedRow[], acceptance: Acceptance | undefined): Weighed {
	const covered = (row: RedRow): boolean => acceptance !== undefined && covers(acceptance, row);
	return { accepted: red.filter(covered), open: red.filter((row) => !covered(row)) };
}

/** Returns the acceptance that covers most red rows (the first, if several do); null without one. */
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

function isWithin({ change, least }: RedRow, upTo: Fraction): boolean {
	if (change === null) return false;
	const worse = (value: Fraction): number => (change < 0 ? -value : value);
	return worse(least ?? change) <= upTo && worse(change) <= MOST_TIMES * upTo;
}
