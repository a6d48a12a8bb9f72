import { changeOf } from '../stats/estimate.ts';
import { countedWindows, poolLatency, sideOf } from '../stats/windows.ts';
import type { MetricName } from '../types/metric.ts';
import type { ChartData, Raw } from '../types/result.ts';
import { decide } from './decide.ts';
import { type Sample, samplesByCell } from './looks/samples.ts';

/**
 * Returns what the pictures of the HTML report need beyond the Result, by cell id: the change of each main round in the metric
 * that judged the cell's first row, and the latency of both sides over all counted windows of main rounds.
 */
export function chartData(raw: Raw): ChartData {
	const { rows, discardedRounds } = decide(raw.plan, raw.rounds, raw.ended);
	const startedAt = raw.rounds.map((round) => round.startedAt);
	const discarded = new Set(discardedRounds);
	const points = (metric: MetricName, samples: readonly Sample[]) =>
		samples.flatMap(({ d, round, position }) => {
			const value = d[metric];
			if (value === null) return [];
			const change = changeOf(metric, value);
			return [{ round, startedAt: startedAt[position] as number, change, discarded: discarded.has(round) }];
		});
	const cells = [...samplesByCell(raw.rounds, 'main')].map(([cell, samples]) => {
		const metric = rows.find((row) => row.cell === cell)?.judgedBy ?? 'throughput';
		return { cell, rounds: points(metric, samples), latency: latencyOf(samples) };
	});
	return {
		rounds: Object.fromEntries(cells.map(({ cell, rounds }) => [cell, rounds])),
		latency: Object.fromEntries(cells.map(({ cell, latency }) => [cell, latency])),
	};
}

function latencyOf(samples: readonly Sample[]) {
	const windows = samples.flatMap((sample) => countedWindows(sample.cellRound));
	return { base: poolLatency(sideOf(windows, 'base')), head: poolLatency(sideOf(windows, 'head')) };
}
