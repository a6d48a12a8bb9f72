/** What rows without a share are compared by. */
import type { MetricName } from '../types/metric.ts';
import type { MeasureRow, Ranged } from '../types/ranking/measure.ts';
import { logShareOf, ratioOf } from './log-share.ts';

type Judged = Pick<MeasureRow, 'alone' | 'judgedBy' | 'logShare'>;

/** Returns whether a row is one of requests per second, which CPU time stands in for where these are not believed. */
export function isRate(judgedBy: MetricName): boolean {
	return judgedBy === 'throughput' || judgedBy === 'cpu-per-request';
}

/**
 * Returns how fast a server is alone, the more the faster: requests per second, or requests per second of CPU time where a preset's
 * driver was at its limit. Null where that is not known.
 */
export function speedOf({ alone, judgedBy, logShare }: Judged): number | null {
	if (judgedBy !== 'cpu-per-request' || logShare !== null) return alone?.metrics.throughput ?? null;
	const cpu = alone?.metrics['cpu-per-request'] ?? null;
	return cpu === null || cpu <= 0 ? null : 1 / cpu;
}

/** Returns how many times as fast one server is as another, each alone; NaN where that is not known. */
export function speedRatio(one: Judged, other: Judged): number {
	// A row judged by CPU time and one that is not have nothing in common.
	if (one.judgedBy !== other.judgedBy)
		return (one.alone?.metrics.throughput ?? Number.NaN) / (other.alone?.metrics.throughput ?? Number.NaN);
	return (speedOf(one) ?? Number.NaN) / (speedOf(other) ?? Number.NaN);
}

// How two servers that were each loaded alone compare, from the requests per second of their rounds.

/**
 * Returns how many times as many requests per second one server answers as the other, with its 95 % interval: Welch's t on the
 * logarithms of their rounds. Null where one of them has less than two rounds.
 */
export function aloneRatio(
	one: Pick<MeasureRow, 'throughputs'>,
	other: Pick<MeasureRow, 'throughputs'>,
): Ranged | null {
	const [a, b] = [one, other].map(({ throughputs }) =>
		throughputs.length < 2 ? null : logShareOf(throughputs.map(Math.log), []),
	);
	return a && b ? ratioOf(a, b) : null;
}
