/** Where a level stands against the anchor, and whether it is drift. */
import type { Place, Standing } from '../../types/trend.ts';
import type { Fraction } from '../../types/units.ts';

/** What stands for the tolerance, which a record does not keep: half the threshold, which it is unless set. */
const TOLERANCE_SHARE = 0.5;

/**
 * Returns where a row stands: below the anchor when the estimate is a drop of half the threshold or more and the whole 95 %
 * interval is a drop; above likewise upwards; else level where a drop of the threshold is ruled out, and unsure where it is not.
 * A level that is not settled is none of these. Log ratios.
 */
export function placeOf({
	theta,
	low,
	high,
	settled,
	threshold,
}: Pick<Standing, 'theta' | 'low' | 'high' | 'settled'> & { readonly threshold: Fraction }): Place {
	if (!settled) return 'unsettled';
	const limit = -Math.log1p(-threshold * TOLERANCE_SHARE);
	if (theta <= -limit && high < 0) return 'below';
	if (theta >= limit && low > 0) return 'above';
	return low > Math.log1p(-threshold) ? 'level' : 'unsure';
}

/**
 * Returns whether a level is drift: the estimate is a drop of `threshold` or more, and the whole interval up to its upper end a drop
 * of half of that or more. As in a comparison, a row is not called slower for a drop that may be harmless. A level
 * that is not settled is never drift. Log ratios.
 */
export function isDrifted(
	{ theta, high, settled }: Pick<Standing, 'theta' | 'high' | 'settled'>,
	threshold: Fraction,
): boolean {
	return settled && theta <= Math.log1p(-threshold) && high <= Math.log1p(-threshold / 2);
}
