import { METRICS, type MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';
import type { Estimate, Interval } from '../types/verdict.ts';
import { hodgesLehmann, hodgesLehmannInterval, type IntervalLevels } from './hodges-lehmann.ts';
import { lag1Of, type Moments, momentsOf } from './moments.ts';
import { studentQuantile } from './student-t.ts';

/** One-sided error of each end of an interval over all looks; both ends together hold with 1 − 2 × this. */
export const END_ERROR = 0.05;
const CONFIDENCE = 1 - 2 * END_ERROR;
/** Below this the signed-rank test says too little to be a check. */
const FEWEST_FOR_RANKS = 6;

/**
 * Returns what `d` (signed log ratios, negative is worse) says about the change in `metric`, or null for no rounds. The
 * interval is paired t with one-sided error `levels` at its low and high end in terms of d; as a change of a metric where
 * lower is better the ends swap. `correction` multiplies the standard error. Source: statistics.md 5.4.
 */
export function estimateOf(
	metric: MetricName,
	d: readonly number[],
	levels: IntervalLevels,
	correction = 1,
): Estimate | null {
	const moments = momentsOf(d, correction);
	if (!moments) return null;
	return {
		metric,
		rounds: moments.rounds,
		mean: moments.mean,
		sd: moments.sd,
		se: moments.se,
		change: changeOf(metric, moments.mean),
		interval: asChange(metric, studentInterval(moments, levels)),
		lag1: lag1Of(d),
		d: [...d],
		hodgesLehmann: rankCheck(metric, d),
	};
}

/** Returns the change (head − base) / base that a signed log ratio `d` of `metric` means. */
export function changeOf(metric: MetricName, d: number): Fraction {
	// Adding to 0 keeps a negative zero, which JSON would lose, out of results.
	return METRICS[metric].better === 'higher' ? Math.expm1(0 + d) : Math.expm1(0 - d);
}

/** Returns the signed log ratio, negative is worse, that a change of `metric` means; the inverse of `changeOf`. */
export function logRatioOf(metric: MetricName, change: Fraction): number {
	return METRICS[metric].better === 'higher' ? Math.log1p(change) : -Math.log1p(change);
}

interface Ends {
	readonly low: number | null;
	readonly high: number | null;
}

function studentInterval(moments: Moments, levels: IntervalLevels): Ends {
	if (moments.df === 0) return { low: null, high: null };
	return {
		low: moments.mean + studentQuantile(levels.low, moments.df) * moments.se,
		high: moments.mean - studentQuantile(levels.high, moments.df) * moments.se,
	};
}

function rankCheck(metric: MetricName, d: readonly number[]): Estimate['hodgesLehmann'] {
	if (d.length < FEWEST_FOR_RANKS) return null;
	const ends = hodgesLehmannInterval(d, { low: END_ERROR, high: END_ERROR });
	return { change: changeOf(metric, hodgesLehmann(d)), interval: asChange(metric, ends) };
}

function asChange(metric: MetricName, ends: Ends): Interval {
	const low = ends.low === null ? null : changeOf(metric, ends.low);
	const high = ends.high === null ? null : changeOf(metric, ends.high);
	const turned = METRICS[metric].better === 'lower';
	return { low: turned ? high : low, high: turned ? low : high, confidence: CONFIDENCE };
}
