import type { BaselineCell, BaselineRecord } from '../../types/baseline.ts';
import type { Fraction } from '../../types/units.ts';

/** Where a row stands against the anchor. `below`: surely worse, and by more than does not matter. `unsure`: too imprecise to tell. */
export type Place = 'below' | 'level' | 'above' | 'unsure' | 'unknown';

/** What stands for the tolerance, which a record does not keep: what it is unless somebody sets it. */
const TOLERANCE_SHARE = 0.5;

/**
 * Returns where a row stands: below the anchor when the estimate is a drop of half the threshold or more and the whole 95 %
 * interval is a drop; above likewise upwards; else level where a drop of the threshold is ruled out, and unsure where it is not;
 * unknown without figures.
 */
export function placeOf({
	theta,
	low,
	high,
	threshold,
}: Pick<BaselineCell, 'theta' | 'low' | 'high' | 'threshold'>): Place {
	if (theta === null || low === null || high === null) return 'unknown';
	const limit = -Math.log1p(-threshold * TOLERANCE_SHARE);
	if (theta <= -limit && high < 0) return 'below';
	if (theta >= limit && low > 0) return 'above';
	return low > Math.log1p(-threshold) ? 'level' : 'unsure';
}

/** Returns the rows that have drifted. */
export function driftedRows({ cells }: Pick<BaselineRecord, 'cells'>, threshold: Fraction): readonly BaselineCell[] {
	return cells.filter(({ theta, high }) => theta !== null && high !== null && isDrifted({ theta, high }, threshold));
}

/**
 * Returns whether a level is drift: the estimate is a drop of `threshold` or more, and the whole interval up to its upper end a drop
 * of half of that or more. As in a comparison, a row is not called slower for a drop that may be harmless. Log ratios.
 */
export function isDrifted(
	{ theta, high }: { readonly theta: number; readonly high: number },
	threshold: Fraction,
): boolean {
	return theta <= Math.log1p(-threshold) && high <= Math.log1p(-threshold / 2);
}
