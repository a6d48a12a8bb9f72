import type { LatencyHistogram } from '../types/round.ts';

/** Returns the sum of `histograms`, ascending. */
export function mergeHistograms(histograms: readonly LatencyHistogram[]): LatencyHistogram {
	const counts = new Map<number, number>();
	for (const histogram of histograms) {
		for (const [value, count] of histogram) counts.set(value, (counts.get(value) ?? 0) + count);
	}
	return [...counts].sort(([a], [b]) => a - b);
}

export function countOf(histogram: LatencyHistogram): number {
	return histogram.reduce((total, [, count]) => total + count, 0);
}

/**
 * Returns the `p` quantile, 0..1, in µs; null for an empty histogram. Linear rule: of N sorted answers x₀ .. x₍N₋₁₎ the
 * value at p (N − 1), interpolated (Hyndman and Fan's type 7).
 */
export function histogramQuantile(histogram: LatencyHistogram, p: number): number | null {
	const total = countOf(histogram);
	if (total === 0) return null;
	const position = p * (total - 1);
	const below = Math.floor(position);
	const left = valueAt(histogram, below);
	const right = valueAt(histogram, Math.min(below + 1, total - 1));
	return left + (right - left) * (position - below);
}

function valueAt(histogram: LatencyHistogram, rank: number): number {
	let passed = 0;
	for (const [value, count] of histogram) {
		passed += count;
		if (rank < passed) return value;
	}
	throw new RangeError(`rank ${rank} is beyond the ${passed} answers of the histogram`);
}
