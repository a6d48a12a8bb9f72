import { signedRankCdf, signedRankCritical } from './signed-rank.ts';

/** One-sided error levels of an interval's two ends. */
export interface IntervalLevels {
	/** Probability that the truth lies below the low end. */
	readonly low: number;
	/** Probability that the truth lies above the high end. */
	readonly high: number;
}

/** Ends of an interval in the unit of the values; null where an end is unbounded. */
export interface Ends {
	readonly low: number | null;
	readonly high: number | null;
}

/** All (x_a + x_b) / 2 with a ≤ b of n values, ascending: n (n + 1) / 2 of them. */
export interface WalshAverages {
	readonly n: number;
	readonly sorted: Float64Array;
}

/** Returns the Walsh averages of `values`. */
export function walshAverages(values: readonly number[]): WalshAverages {
	const n = values.length;
	const sorted = new Float64Array((n * (n + 1)) / 2);
	let next = 0;
	for (const [index, a] of values.entries()) {
		for (let other = index; other < n; other++) sorted[next++] = (a + (values[other] as number)) / 2;
	}
	return { n, sorted: sorted.sort() };
}

/** Returns the Hodges–Lehmann estimate of the centre, the median of the Walsh averages; NaN without values. */
export function hodgesLehmann(values: readonly number[]): number {
	return hodgesLehmannOf(walshAverages(values));
}

/** Returns the Hodges–Lehmann estimate of the values whose Walsh averages are given; NaN without values. */
export function hodgesLehmannOf({ sorted }: WalshAverages): number {
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}

/**
 * Returns the one-sided signed-rank p-value of "the centre is `limit` or more": small when the values lie clearly below. W is
 * the number of Walsh averages at or above `limit`, which without ties is the rank sum of the values above it. A value equal to
 * `limit`, and a tie of two distances from it, count as much against the claim as any way of breaking the tie could, so p is
 * never too small. Source: Tukey's form of Wilcoxon's test, Hollander and Wolfe, Nonparametric Statistical Methods, section 3.1.
 */
export function signedRankBelow({ n, sorted }: WalshAverages, limit: number): number {
	return signedRankCdf(n, sorted.length - countWhile(sorted, (average) => average < limit));
}

/** Returns the mirror of `signedRankBelow`: the p-value of "the centre is `limit` or less". */
export function signedRankAbove({ n, sorted }: WalshAverages, limit: number): number {
	return signedRankCdf(
		n,
		countWhile(sorted, (average) => average <= limit),
	);
}

/**
 * Returns the interval of the centre that the signed-rank test gives: an end excludes a limit exactly when the p-value there is
 * at most the level of that end. An end is null where so few values cannot reach its level (2⁻ⁿ is the smallest).
 * Source: order statistics of the Walsh averages, Hollander and Wolfe, Nonparametric Statistical Methods, section 3.3.
 */
export function signedRankEnds({ n, sorted }: WalshAverages, levels: IntervalLevels): Ends {
	const low = signedRankCritical(n, levels.low);
	const high = signedRankCritical(n, levels.high);
	return { low: sorted[low] ?? null, high: sorted[sorted.length - 1 - high] ?? null };
}

/** How many leading values pass `test`, which none does after the first that fails. */
function countWhile(sorted: Float64Array, test: (value: number) => boolean): number {
	let passed = 0;
	let rest = sorted.length;
	while (passed < rest) {
		const middle = (passed + rest) >> 1;
		if (test(sorted[middle] as number)) passed = middle + 1;
		else rest = middle;
	}
	return passed;
}
