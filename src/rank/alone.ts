import { mean, median } from 'simple-statistics';
import type { AloneFigures, LatencyFigures, MeasureSample } from '../types/measure.ts';
import { METRIC_NAMES } from '../types/metric.ts';

/** How the figures of several rounds become one. */
export type Aggregate = 'median' | 'mean';

/** Returns the figures of a server alone, one entry a round, in the order measured: as the server of its own pairs, or as the reference of others'. */
export function aloneRounds(samples: readonly MeasureSample[], server: string, scenario: string): AloneFigures[] {
	const own = samples.filter((sample) => sample.scenario === scenario && sample.faults.length === 0);
	const asServer = own.flatMap((sample) => (sample.server === server ? (sample.alone.server ?? []) : []));
	const asReference = own.flatMap((sample) => (sample.reference === server ? (sample.alone.reference ?? []) : []));
	return [...asServer, ...asReference];
}

/** Returns the middle of each figure over rounds; null for no round. */
export function middleOf(rounds: readonly AloneFigures[], aggregate: Aggregate): AloneFigures | null {
	if (rounds.length === 0) return null;
	const middle = (values: readonly number[]): number =>
		aggregate === 'mean' ? mean(values as number[]) : median(values as number[]);
	const metrics = METRIC_NAMES.map((metric) => {
		const values = rounds.flatMap((round) => round.metrics[metric] ?? []);
		return [metric, values.length === 0 ? null : middle(values)] as const;
	});
	const latencies = rounds.flatMap(({ latency }) => latency ?? []);
	const at = (key: keyof LatencyFigures): number => middle(latencies.map((latency) => latency[key]));
	return {
		metrics: Object.fromEntries(metrics),
		latency:
			latencies.length === 0
				? null
				: {
						mean: at('mean'),
						p2_5: at('p2_5'),
						p50: at('p50'),
						p75: at('p75'),
						p90: at('p90'),
						p95: at('p95'),
						p99: at('p99'),
						p99_9: at('p99_9'),
						max: at('max'),
					},
		bytesPerSecond: middle(rounds.map(({ bytesPerSecond }) => bytesPerSecond)),
	};
}
