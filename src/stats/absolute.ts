import { median } from 'simple-statistics';
import type { Design } from '../types/config.ts';
import { METRIC_NAMES, type MetricName } from '../types/metric.ts';
import type { CellRound, Window } from '../types/round.ts';
import { SIDES, type Side, type Sides } from '../types/units.ts';
import { cpuOf, rateOf } from './differences.ts';
import { histogramQuantile } from './histogram.ts';
import { countedWindows, poolLatency, poolTotals, sideOf } from './windows.ts';

/** Absolute figures of a cell in one metric, in the metric's unit. */
export interface AbsoluteFigures extends Readonly<Sides<number | null>> {
	readonly source: 'solo' | Design;
}

const MICROSECONDS = 1e6;
const BYTES_PER_MB = 1e6;

/**
 * Returns base and head in every metric, in its unit (requests/s, µs, ms, MB of 10⁶ bytes): each side's windows of a round
 * taken together, then the median over rounds. From solo windows where both sides have them; else from the contended windows
 * of the design, and `source` says so. Peak memory always belongs to the whole turn, hence to the design.
 */
export function absoluteFigures(
	cellRounds: readonly CellRound[],
	design: Design,
): Readonly<Record<MetricName, AbsoluteFigures>> {
	const figures = METRIC_NAMES.map((metric) => {
		const solo = figuresFrom('solo', metric, cellRounds);
		const usable = solo.base !== null && solo.head !== null && metric !== 'memory-peak';
		return [
			metric,
			usable ? { ...solo, source: 'solo' } : { ...figuresFrom('design', metric, cellRounds), source: design },
		];
	});
	return Object.fromEntries(figures);
}

function figuresFrom(
	kind: 'solo' | 'design',
	metric: MetricName,
	cellRounds: readonly CellRound[],
): Sides<number | null> {
	const [base, head] = SIDES.map((side) => {
		const values = cellRounds.flatMap((cellRound) => {
			const solo = () => cellRound.windows.filter((window) => window.kind === 'solo');
			const windows = kind === 'solo' ? solo() : countedWindows(cellRound);
			return figureOf(metric, cellRound, windows, side) ?? [];
		});
		return values.length === 0 ? null : median(values);
	});
	return { base: base ?? null, head: head ?? null };
}

function figureOf(metric: MetricName, cellRound: CellRound, windows: readonly Window[], side: Side): number | null {
	const parts = sideOf(windows, side);
	switch (metric) {
		case 'throughput':
			return rateOf(poolTotals(parts));
		case 'cpu-per-request':
			return scaled(cpuOf(poolTotals(parts)), MICROSECONDS);
		case 'latency-p50':
			return scaled(histogramQuantile(poolLatency(parts), 0.5), 1 / 1000);
		case 'latency-p99':
			return scaled(histogramQuantile(poolLatency(parts), 0.99), 1 / 1000);
		case 'memory-peak':
			return scaled(cellRound.memoryPeak[side], 1 / BYTES_PER_MB);
	}
}

function scaled(value: number | null, factor: number): number | null {
	return value === null ? null : value * factor;
}
