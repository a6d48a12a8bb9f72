/** Classifies levels against the anchor, and decides whether they are drift. */
import type { Place, Standing } from '../../types/trend.ts';
import type { Fraction } from '../../types/units.ts';

/** Tolerance as a share of the threshold. Records do not store the tolerance; half the threshold is its default. */
const TOLERANCE_SHARE = 0.5;

/**
 * Returns where a row stands: below the anchor when the estimate is a drop of half the threshold or more and the whole 95 % interval is a
 * drop; above likewise upwards; else level where a drop of the threshold is ruled out, and unsure where it is not. An unsettled level is
 * `unsettled`. Log ratios.
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
 * Returns whether a level is drift: the estimate is a drop of `threshold` or more, and the upper end of the interval a drop of at least
 * half of that. As in a comparison, a drop that may be harmless does not make a row slower. An unsettled level is never drift. Log ratios.
 */
export function isDrifted(
	{ theta, high, settled }: Pick<Standing, 'theta' | 'high' | 'settled'>,
	threshold: Fraction,
): boolean {
	return settled && theta <= Math.log1p(-threshold) && high <= Math.log1p(-threshold / 2);
}
