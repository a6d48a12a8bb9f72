/** Absolute figures of a side, from windows in which it was loaded alone. */
import { median } from 'simple-statistics';
import type { SoloFigures } from '../types/baseline.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, Window } from '../types/round.ts';
import { otherSide, type Side } from '../types/units.ts';
import { figureOf, poolSide } from './figures.ts';

/** A baseline stores memory in bytes, as it was counted. */
const NO_SCALE = 1;

/**
 * Returns the absolute figures of `side` from the windows in which it alone was loaded, the median over rounds; null where there
 * is no such window. Memory is that of the whole turn, whatever else was loaded in it.
 */
export function soloFiguresOf(cellRounds: readonly CellRound[], side: Side): SoloFigures | null {
	return poolFigures(cellRounds.flatMap((cellRound) => turnOf(cellRound, side) ?? []));
}

/** A side's windows alone of one turn. */
interface SoloTurn {
	readonly cellRound: CellRound;
	readonly windows: readonly Window[];
	readonly side: Side;
}

function turnOf(cellRound: CellRound, side: Side): SoloTurn | null {
	const windows = cellRound.windows.filter((window) => isAlone(window, side));
	return windows.length === 0 ? null : { cellRound, windows, side };
}

/** Returns whether a window has `side` loaded by itself. Windows that alternate hold both sides, each by itself. */
export function isAlone(window: Window, side: Side): boolean {
	if (window[side] === null || window.kind === 'duet') return false;
	return window.kind !== 'solo' || window[otherSide(side)] === null;
}

function poolFigures(turns: readonly SoloTurn[]): SoloFigures | null {
	if (turns.length === 0) return null;
	const pooled = turns.map(({ cellRound, windows, side }) => poolSide(cellRound, windows, side));
	const middle = (metric: MetricName, scale = METRICS[metric].scale) => {
		const values = pooled.flatMap((one) => figureOf(metric, one) ?? []);
		return values.length === 0 ? null : median(values) * scale;
	};
	return {
		throughput: middle('throughput'),
		cpuPerRequest: middle('cpu-per-request'),
		latencyP50: middle('latency-p50'),
		memoryPeak: middle('memory-peak', NO_SCALE),
		windows: turns.reduce((sum, { windows }) => sum + windows.length, 0),
	};
}
