import { METRICS, type MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';
import type { Estimate, Interval } from '../types/verdict.ts';
import { endsOf, locationOf } from './location.ts';
import { lag1Of } from './moments.ts';
import type { Ends, IntervalLevels } from './signed-rank.ts';

/** One-sided error of each end of an interval over all looks. Both ends are right with probability 1 − 2 × this. */
export const END_ERROR = 0.05;
const CONFIDENCE = 1 - 2 * END_ERROR;

/**
 * Returns the estimated change in `metric` from `d` (signed log ratios, negative is worse); null without rounds. The
 * interval inverts the tests at the one-sided errors `levels` of d. `correction` multiplies the standard error and,
 * above 1, disables ranks. `bound`: error common to all rounds. Source: docs/statistics.md, "Looking more than once".
 */
export function estimateOf(
	metric: MetricName,
	d: readonly number[],
	levels: IntervalLevels,
	correction = 1,
	bound = 0,
): Estimate | null {
	const location = locationOf(d, correction, bound);
	if (!location) return null;
	return {
		metric,
		rounds: location.rounds,
		mean: location.mean,
		centre: location.centre,
		sd: location.sd,
		se: location.se,
		change: changeOf(metric, location.centre),
		interval: asChange(metric, endsOf(location, levels)),
		lag1: lag1Of(d),
		d: [...d],
	};
}

/** Returns the change (head − base) / base of a signed log ratio of `metric`. */
export function changeOf(metric: MetricName, d: number): Fraction {
	// Adding 0 turns −0, which JSON loses, into 0.
	return METRICS[metric].better === 'higher' ? Math.expm1(0 + d) : Math.expm1(0 - d);
}

export function signedLogOf(metric: MetricName, change: Fraction): number {
	return METRICS[metric].better === 'higher' ? Math.log1p(change) : -Math.log1p(change);
}

function asChange(metric: MetricName, ends: Ends): Interval {
	const low = ends.low === null ? null : changeOf(metric, ends.low);
	const high = ends.high === null ? null : changeOf(metric, ends.high);
	const turned = METRICS[metric].better === 'lower';
	return { low: turned ? high : low, high: turned ? low : high, confidence: CONFIDENCE };
}
