import { METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound } from '../types/round.ts';
import type { Sides } from '../types/units.ts';
import { histogramQuantile } from './histogram.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import {
	countedWindows,
	FEWEST_RESPONSES,
	pairWindows,
	poolLatency,
	poolPairs,
	sideOf,
	type Totals,
} from './windows.ts';

/** d of one round per metric: the signed log ratio head against base, negative is worse; null where it cannot be had. */
export type Differences = Readonly<Record<MetricName, number | null>>;

/**
 * Returns the one number per metric that a round gives. Throughput and CPU per request: the Hodges–Lehmann estimate over the
 * windows' log ratios x_w = ln head − ln base, sign turned where lower is better, windows pooled to at least 1000 answers per
 * side. Latency and memory: one log ratio of the round's pooled quantile or peak. Null where a side has nothing (no answers,
 * no CPU time known). Source: statistics.md 5.2.
 */
export function roundDifferences(cellRound: CellRound): Differences {
	const pairs = pairWindows(cellRound);
	const windows = countedWindows(cellRound);
	const latency = { base: poolLatency(sideOf(windows, 'base')), head: poolLatency(sideOf(windows, 'head')) };
	return {
		throughput: centreOf('throughput', pairs, rateOf),
		'cpu-per-request': centreOf('cpu-per-request', pairs, cpuOf),
		'latency-p50': signedLogRatio(
			'latency-p50',
			bothSides(latency, (pooled) => histogramQuantile(pooled, 0.5)),
		),
		'latency-p99': signedLogRatio(
			'latency-p99',
			bothSides(latency, (pooled) => histogramQuantile(pooled, 0.99)),
		),
		'memory-peak': signedLogRatio('memory-peak', cellRound.memoryPeak),
	};
}

/** Returns x_w of throughput for each window pair, in order and without pooling; null where a side answered nothing. */
export function windowLogRatios(cellRound: CellRound): readonly (number | null)[] {
	return pairWindows(cellRound).map((pair) => signedLogRatio('throughput', bothSides(pair, rateOf)));
}

/** Returns answers per second, or null when nothing was counted. */
export function rateOf(totals: Totals): number | null {
	return totals.seconds > 0 ? totals.completed / totals.seconds : null;
}

/** Returns CPU seconds per answer, or null when either is missing. */
export function cpuOf(totals: Totals): number | null {
	return totals.cpuSeconds === null || totals.completed === 0 ? null : totals.cpuSeconds / totals.completed;
}

/** Hodges–Lehmann over the pooled windows; a window too short for the CPU clock makes it one ratio over all windows. */
function centreOf(
	metric: MetricName,
	pairs: readonly Sides<Totals>[],
	read: (totals: Totals) => number | null,
): number | null {
	const ratiosOf = (fewest: number) =>
		poolPairs(pairs, fewest).map((group) => signedLogRatio(metric, bothSides(group, read)));
	const ratios = ratiosOf(FEWEST_RESPONSES);
	if (ratios.length === 0) return null;
	if (ratios.includes(null)) return ratiosOf(Number.POSITIVE_INFINITY)[0] ?? null;
	return hodgesLehmann(ratios as readonly number[]);
}

function bothSides<In, Out>(sides: Sides<In>, read: (side: In) => Out): Sides<Out> {
	return { base: read(sides.base), head: read(sides.head) };
}

function signedLogRatio(metric: MetricName, { base, head }: Readonly<Sides<number | null>>): number | null {
	if (!base || !head) return null;
	return METRICS[metric].better === 'higher' ? Math.log(head) - Math.log(base) : Math.log(base) - Math.log(head);
}
