import { changeOf } from '../stats/estimate.ts';
import { countedWindows, poolLatency, sideOf } from '../stats/windows.ts';
import { isCounted, type MetricName } from '../types/metric.ts';
import type { ChartData, Raw, Result } from '../types/result.ts';
import type { Part } from './decide.ts';
import { readRun } from './looks/run-so-far.ts';
import type { Sample } from './looks/samples.ts';
import { partsOf } from './run-parts.ts';

type Judged = Pick<Result, 'cells'>;

/**
 * Returns data for the HTML report's charts by cell id: the change in each main round (by the metric that judges the
 * cell's first row), and both sides' latency over all of them.
 */
export function chartData(raw: Raw, result: Judged): ChartData {
	const cells = partsOf(raw).flatMap((part) => chartsOf(part, result));
	return {
		rounds: Object.fromEntries(cells.map(({ cell, rounds }) => [cell, rounds])),
		latency: Object.fromEntries(cells.map(({ cell, latency }) => [cell, latency])),
	};
}

function chartsOf({ plan, rounds, ended }: Part, { cells }: Judged) {
	const startedAt = rounds.map((round) => round.startedAt);
	const { allSamples, discarded } = readRun(plan, rounds)(rounds.length, ended);
	const points = (metric: MetricName, samples: readonly Sample[]) =>
		samples.flatMap(({ d, round, position }) => {
			const value = d[metric];
			if (value === null) return [];
			const change = changeOf(metric, value);
			return [{ round, startedAt: startedAt[position] as number, change, discarded: discarded.has(position) }];
		});
	const main = rounds.filter(({ purpose }) => purpose === 'main');
	return [...new Set(main.flatMap((round) => round.cells.map(({ cell }) => cell)))].map((cell) => {
		const samples = allSamples(cell).filter(({ cellRound }) => cellRound.purpose === 'main');
		const row = cells.find(
			({ server, scenario, judgedBy }) => `${server}/${scenario}` === cell && !isCounted(judgedBy),
		);
		return { cell, rounds: points(row?.judgedBy ?? 'throughput', samples), latency: latencyOf(samples) };
	});
}

function latencyOf(samples: readonly Sample[]) {
	const windows = samples.flatMap((sample) => countedWindows(sample.cellRound));
	return { base: poolLatency(sideOf(windows, 'base')), head: poolLatency(sideOf(windows, 'head')) };
}
