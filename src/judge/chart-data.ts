import { changeOf } from '../stats/estimate.ts';
import { countedWindows, poolLatency, sideOf } from '../stats/windows.ts';
import type { MetricName } from '../types/metric.ts';
import type { ChartData, Raw } from '../types/result.ts';
import type { RowDecision } from '../types/verdict.ts';
import type { Part } from './decide.ts';
import { readRun } from './looks/run-so-far.ts';
import { type Sample, samplesByCell } from './looks/samples.ts';
import { decideRaw } from './shards/decide-raw.ts';
import { partsOf } from './shards/parts-of.ts';

/**
 * Returns what the pictures of the HTML report need beyond the Result, by cell id: the change of each main round in the metric
 * that judged the cell's first row, and the latency of both sides over all counted windows of main rounds.
 */
export function chartData(raw: Raw): ChartData {
	const { rows } = decideRaw(raw);
	const cells = partsOf(raw).flatMap((part) => chartsOf(part, rows));
	return {
		rounds: Object.fromEntries(cells.map(({ cell, rounds }) => [cell, rounds])),
		latency: Object.fromEntries(cells.map(({ cell, latency }) => [cell, latency])),
	};
}

function chartsOf({ plan, rounds, ended }: Part, rows: readonly RowDecision[]) {
	const startedAt = rounds.map((round) => round.startedAt);
	const { discarded } = readRun(plan, rounds)(rounds.length, ended);
	const points = (metric: MetricName, samples: readonly Sample[]) =>
		samples.flatMap(({ d, round, position }) => {
			const value = d[metric];
			if (value === null) return [];
			const change = changeOf(metric, value);
			return [{ round, startedAt: startedAt[position] as number, change, discarded: discarded.has(position) }];
		});
	return [...samplesByCell(rounds, 'main')].map(([cell, samples]) => {
		const metric = rows.find((row) => row.cell === cell)?.judgedBy ?? 'throughput';
		return { cell, rounds: points(metric, samples), latency: latencyOf(samples) };
	});
}

function latencyOf(samples: readonly Sample[]) {
	const windows = samples.flatMap((sample) => countedWindows(sample.cellRound));
	return { base: poolLatency(sideOf(windows, 'base')), head: poolLatency(sideOf(windows, 'head')) };
}
