/** Classifies levels against the anchor, and decides whether they are drift. */

import type { BaselineRun } from '../../types/baseline.ts';
import type { DriftPolicy } from '../../types/config.ts';
import { EXIT } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Place, Standing } from '../../types/trend.ts';
import type { Fraction } from '../../types/units.ts';

/** What drift means for a run. */
interface DriftRule {
	readonly policy: DriftPolicy;
	/** A drop since the anchor of this or more is drift. */
	readonly threshold: Fraction;
}

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

/**
 * Returns the exit code of a baseline: 130 when it was cut off, 3 when nothing could be measured, 0 else. The branch being slower
 * fails nothing by itself: what is merged is merged, and a job that is red until the next release is soon looked at by nobody.
 * Who wants it red enforces the drift limit: 1 when a row is beyond it.
 */
export function baselineExitCode(run: BaselineRun, rule: DriftRule): number {
	if (run.interrupted) return EXIT.interrupted;
	if (!run.unchanged && !hasFigures(run)) return EXIT.nothingMeasured;
	return rule.policy === 'enforce' && driftOf(run, rule).length > 0 ? EXIT.gateFailed : EXIT.passed;
}

export function driftOf({ rows }: Pick<BaselineRun, 'rows'>, { threshold }: DriftRule): readonly MainRow[] {
	return rows.filter(({ theta, high, settled = true }) => isDrifted({ theta, high, settled }, threshold));
}

function hasFigures({ records }: BaselineRun): boolean {
	return records.some(({ purpose, cells }) => purpose === 'level' && cells.some(({ theta }) => theta !== null));
}
