/** Pure: whether what changed under load is the doing of one side. */
import { MOST_UNEXPECTED } from '../../types/round.ts';
import type { Fraction } from '../../types/units.ts';

/** What both sides have alike is counted seldom, and in clusters: only what one has so many times as often is its own. */
const ALIKE = 10;

/**
 * Whether what changed in this share of a side's answers is its own doing, and not that of the time, which changes the other side's
 * about as often. A few of those, as any busy server may have, excuse nothing. Null where they were not looked at.
 */
export function isItsOwn(share: Fraction | null, other: Fraction | null): share is Fraction {
	return share !== null && other !== null && share > MOST_UNEXPECTED && share > ALIKE * other;
}

/** Returns the share of those that are not the same; 0 of none. */
export function shareOther(counts: readonly { readonly same: boolean; readonly count: number }[]): Fraction {
	const sum = (list: typeof counts) => list.reduce((total, { count }) => total + count, 0);
	const all = sum(counts);
	return all === 0 ? 0 : sum(counts.filter(({ same }) => !same)) / all;
}
