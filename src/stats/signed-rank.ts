/** Wilcoxon's signed ranks: distribution, tests, and the estimate of Hodges and Lehmann. */
import { normalCdf } from './distributions.ts';

const MOST_EXACT = 100;

/** Cached, because every row needs the same few at every look. */
const distributions: (readonly number[])[] = [[1]];
const summed = new Map<number, Float64Array>();

/**
 * Returns the exact null distribution of Wilcoxon's signed-rank sum W for `n` values without ties: element w is P(W =
 * w), w = 0 .. n (n + 1) / 2. Source: each rank joins the sum with probability ½ (Wilcoxon 1945), by convolution.
 */
export function signedRankProbabilities(n: number): readonly number[] {
	for (let rank = distributions.length; rank <= n; rank++)
		distributions.push(addRank(distributions[rank - 1] as readonly number[], rank));
	return distributions[n] as readonly number[];
}

/**
 * Returns P(W ≤ w) for `n` values and an integer w: exact up to 100 values; above, normal with mean n (n + 1) / 4,
 * variance n (n + 1) (2n + 1) / 24 and continuity correction w + ½. Source: Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3.1.
 */
export function signedRankCdf(n: number, w: number): number {
	if (n <= MOST_EXACT) return cumulative(n)[w] as number;
	const variance = (n * (n + 1) * (2 * n + 1)) / 24;
	return normalCdf((w + 0.5 - (n * (n + 1)) / 4) / Math.sqrt(variance));
}

/** Returns the largest w with P(W ≤ w) ≤ alpha < 1; −1 if even P(W = 0) exceeds alpha. */
export function signedRankCritical(n: number, alpha: number): number {
	let below = -1;
	let above = (n * (n + 1)) / 2;
	while (above - below > 1) {
		const middle = Math.floor((below + above) / 2);
		if (signedRankCdf(n, middle) <= alpha) below = middle;
		else above = middle;
	}
	return below;
}

function cumulative(n: number): Float64Array {
	const cachedSums = summed.get(n);
	if (cachedSums) return cachedSums;
	let sum = 0;
	const sums = Float64Array.from(signedRankProbabilities(n), (probability) => {
		sum += probability;
		return sum;
	});
	summed.set(n, sums);
	return sums;
}

function addRank(without: readonly number[], rank: number): readonly number[] {
	return Array.from(
		{ length: without.length + rank },
		(_, sum) => ((without[sum] ?? 0) + (without[sum - rank] ?? 0)) / 2,
	);
}

export interface IntervalLevels {
	/** P(truth below the low end). */
	readonly low: number;
	/** P(truth above the high end). */
	readonly high: number;
}

export interface Ends {
	readonly low: number | null;
	readonly high: number | null;
}

/** All n (n + 1) / 2 means (x_a + x_b) / 2, a ≤ b, ascending. */
export interface WalshAverages {
	readonly n: number;
	readonly sorted: Float64Array;
}

export function walshAverages(values: readonly number[]): WalshAverages {
	const n = values.length;
	const sorted = new Float64Array((n * (n + 1)) / 2);
	let next = 0;
	for (const [index, a] of values.entries()) {
		for (let other = index; other < n; other++) sorted[next++] = (a + (values[other] as number)) / 2;
	}
	return { n, sorted: sorted.sort() };
}

/** Returns the Hodges–Lehmann estimate, the median of the Walsh averages; NaN without values. */
export function hodgesLehmann(values: readonly number[]): number {
	return hodgesLehmannOf(walshAverages(values));
}

export function hodgesLehmannOf({ sorted }: WalshAverages): number {
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}

/**
 * Returns the one-sided signed-rank p-value of "the centre is `limit` or more". W is the number of Walsh averages at or
 * above `limit`. Without ties this is the rank sum of the values above it. Ties and values equal to `limit` count fully
 * against the claim, so p is never too small. Source: Tukey's form of Wilcoxon's test, Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3.1.
 */
export function signedRankBelow({ n, sorted }: WalshAverages, limit: number): number {
	return signedRankCdf(n, sorted.length - countWhile(sorted, (average) => average < limit));
}

/** Returns the p-value of "the centre is `limit` or less". */
export function signedRankAbove({ n, sorted }: WalshAverages, limit: number): number {
	return signedRankCdf(
		n,
		countWhile(sorted, (average) => average <= limit),
	);
}

/**
 * Returns the signed-rank interval of the centre. It excludes limits whose p-value is at most the end's level. An end
 * is null if too few values cannot reach the level (least p: 2⁻ⁿ). Source: order statistics of the Walsh averages,
 * Hollander and Wolfe, Nonparametric Statistical Methods, section 3.3.
 */
export function signedRankEnds({ n, sorted }: WalshAverages, levels: IntervalLevels): Ends {
	const low = signedRankCritical(n, levels.low);
	const high = signedRankCritical(n, levels.high);
	return { low: sorted[low] ?? null, high: sorted[sorted.length - 1 - high] ?? null };
}

function countWhile(sorted: Float64Array, test: (value: number) => boolean): number {
	let passed = 0;
	let end = sorted.length;
	while (passed < end) {
		const middle = (passed + end) >> 1;
		if (test(sorted[middle] as number)) passed = middle + 1;
		else end = middle;
	}
	return passed;
}
