import type { Fraction } from '../../types/units.ts';
import type { Acceptance, AcceptedRows, RedRow } from '../../types/verdict.ts';

/** Red rows by whether somebody lets them pass. */
export interface Weighed {
	readonly accepted: readonly RedRow[];
	readonly open: readonly RedRow[];
}

/** However wide its interval is, a change of more than this many times the accepted size is not that change any more. */
const MOST_TIMES = 2;

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
