import type { MetricName } from '../types/metric.ts';
import type { Ranged, RankingRow } from '../types/ranking/ranking.ts';
import { logShareOf, ratioOf } from './log-share.ts';

type Judged = Pick<RankingRow, 'alone' | 'judgedBy' | 'logShare'>;

/** Whether requests per second, or CPU time in their place, judge a row. */
export function isRate(judgedBy: MetricName): boolean {
	return judgedBy === 'throughput' || judgedBy === 'cpu-per-request';
}

/**
 * Returns a server's speed alone: requests per second, or per second of CPU time if a preset's driver was at its limit.
 */
export function speedOf({ alone, judgedBy, logShare }: Judged): number | null {
	if (judgedBy !== 'cpu-per-request' || logShare !== null) return alone?.metrics.throughput ?? null;
	const cpu = alone?.metrics['cpu-per-request'] ?? null;
	return cpu === null || cpu <= 0 ? null : 1 / cpu;
}

/** Returns the ratio of two speeds alone; NaN if unknown. */
export function speedRatio(one: Judged, other: Judged): number {
	// Rows with different judges have only throughput in common.
	if (one.judgedBy !== other.judgedBy)
		return (one.alone?.metrics.throughput ?? Number.NaN) / (other.alone?.metrics.throughput ?? Number.NaN);
	return (speedOf(one) ?? Number.NaN) / (speedOf(other) ?? Number.NaN);
}

/**
 * Returns the ratio of two servers' requests per second alone, with its 95 % interval: Welch's t on the logs of their
 * rounds. Null below two rounds.
 */
export function aloneRatio(
	one: Pick<RankingRow, 'throughputs'>,
	other: Pick<RankingRow, 'throughputs'>,
): Ranged | null {
	const [a, b] = [one, other].map(({ throughputs }) =>
		throughputs.length < 2 ? null : logShareOf(throughputs.map(Math.log), []),
	);
	return a && b ? ratioOf(a, b) : null;
}
