import type { BaselineRun } from '../../types/baseline.ts';
import type { DriftPolicy } from '../../types/config.ts';
import { EXIT } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Place, Standing } from '../../types/trend.ts';
import type { Fraction } from '../../types/units.ts';

interface DriftRule {
	readonly policy: DriftPolicy;
	/** Smallest drop since the anchor. */
	readonly threshold: Fraction;
}

/** Default tolerance, as a share of the threshold. Records do not store the tolerance. */
const TOLERANCE_SHARE = 0.5;

/**
 * Returns the place of a row (log ratios). `below`: the estimate is a drop of at least half the threshold since the
 * anchor, and the whole 95 % interval a drop. `above`: the same upwards. Else `level` if the interval excludes a drop
 * of the threshold, or `unsure`.
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
 * Whether a settled level is drift (log ratios): the estimate is a drop of at least `threshold`, and the interval's
 * upper end one of at least half of that. A drop that may be harmless is no drift.
 */
export function isDrifted(
	{ theta, high, settled }: Pick<Standing, 'theta' | 'high' | 'settled'>,
	threshold: Fraction,
): boolean {
	return settled && theta <= Math.log1p(-threshold) && high <= Math.log1p(-threshold / 2);
}

/**
 * Returns the exit code of a baseline; 0 for drift that is not enforced: the change is merged, and a job that stays red
 * is soon ignored.
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
