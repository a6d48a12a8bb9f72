/** Bins and quantiles of latency. */
import type { LatencyHistogram } from '../../../types/round.ts';

/** Values have two significant digits, so finer bins would be uneven. */
const BINS_PER_DECADE = 20;

export interface Bin {
	readonly ms: number;
	/** Of all requests. */
	readonly percent: number;
}

/** Returns bins of equal width on a logarithmic axis. Each value is spread over the range that rounds to it. */
export function rebin(histogram: LatencyHistogram): readonly Bin[] {
	const bins = new Map<number, number>();
	let total = 0;
	for (const [micros, count] of histogram) {
		total += count;
		const half = unitOf(micros) / 2;
		const low = binOf(Math.max(micros - half, 0.5));
		const high = binOf(micros + half);
		for (let bin = Math.floor(low); bin <= Math.floor(high); bin++) {
			const share = high > low ? (Math.min(bin + 1, high) - Math.max(bin, low)) / (high - low) : 1;
			bins.set(bin, (bins.get(bin) ?? 0) + count * share);
		}
	}
	if (total === 0) return [];
	const [first, last] = [Math.min(...bins.keys()) - 1, Math.max(...bins.keys()) + 1];
	return Array.from({ length: last - first + 1 }, (_, index) => ({
		ms: 10 ** ((first + index + 0.5) / BINS_PER_DECADE) / 1000,
		percent: ((bins.get(first + index) ?? 0) / total) * 100,
	}));
}

/** Returns the latency in ms that a share `q` of requests did not exceed. */
export function quantileOf(histogram: LatencyHistogram, q: number): number {
	const total = histogram.reduce((sum, [, count]) => sum + count, 0);
	let seen = 0;
	for (const [micros, count] of histogram) {
		seen += count;
		if (seen >= q * total) return Math.max(micros, 1) / 1000;
	}
	return (histogram.at(-1)?.[0] ?? 1) / 1000;
}

function binOf(micros: number): number {
	return Math.log10(micros) * BINS_PER_DECADE;
}

function unitOf(micros: number): number {
	return micros < 100 ? 1 : 10 ** (Math.floor(Math.log10(micros)) - 1);
}
