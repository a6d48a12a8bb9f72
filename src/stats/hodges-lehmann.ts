import { medianSorted } from 'simple-statistics';
import { signedRankCritical } from './signed-rank.ts';

/** One-sided error levels of an interval's two ends. */
export interface IntervalLevels {
	/** Probability that the truth lies below the low end. */
	readonly low: number;
	/** Probability that the truth lies above the high end. */
	readonly high: number;
}

/** Returns all (x_a + x_b) / 2 with a ≤ b, ascending: n (n + 1) / 2 of them. */
export function walshAverages(values: readonly number[]): number[] {
	const averages = values.flatMap((a, index) => values.slice(index).map((b) => (a + b) / 2));
	return averages.sort((a, b) => a - b);
}

/** Returns the Hodges–Lehmann estimate of the centre, the median of the Walsh averages; NaN without values. */
export function hodgesLehmann(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : medianSorted(walshAverages(values));
}

/**
 * Returns the interval of the centre that the exact signed-rank test gives, in the unit of the values. An end is null where
 * so few values cannot reach its level (2⁻ⁿ is the smallest). Exact for symmetric noise without ties.
 * Source: Hollander and Wolfe, Nonparametric Statistical Methods, section 3.3: order statistics of the Walsh averages.
 */
export function hodgesLehmannInterval(
	values: readonly number[],
	levels: IntervalLevels,
): { readonly low: number | null; readonly high: number | null } {
	const averages = walshAverages(values);
	const low = signedRankCritical(values.length, levels.low);
	const high = signedRankCritical(values.length, levels.high);
	return { low: averages[low] ?? null, high: averages[averages.length - 1 - high] ?? null };
}
