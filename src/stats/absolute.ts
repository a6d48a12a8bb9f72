import { median } from 'simple-statistics';
import type { Design } from '../types/config.ts';
import { isOfWindows, METRIC_NAMES, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound } from '../types/round.ts';
import { SIDES, type Sides } from '../types/units.ts';
import { figureOf, type PooledSide, poolSide } from './figures.ts';
import { countedWindows } from './windows.ts';

/** Absolute figures of a cell in one metric, in the metric's unit. */
export interface AbsoluteFigures extends Readonly<Sides<number | null>> {
	readonly source: 'solo' | Design;
}

/**
 * Returns base and head in every metric, in its unit: each side's windows of a round taken together, then the median over
 * rounds. From solo windows where both sides have them; else from the contended windows of the design, and `source` says so.
 * What belongs to the whole turn, or to the start of a process, always belongs to the design.
 */
export function absoluteFigures(
	cellRounds: readonly CellRound[],
	design: Design,
): Readonly<Record<MetricName, AbsoluteFigures>> {
	const solo = poolEach(cellRounds, ({ windows }) => windows.filter((window) => window.kind === 'solo'));
	const contended = poolEach(cellRounds, countedWindows);
	const figures = METRIC_NAMES.map((metric) => {
		const alone = figuresFrom(metric, solo);
		const usable = isOfWindows(metric) && alone.base !== null && alone.head !== null;
		return [metric, usable ? { ...alone, source: 'solo' } : { ...figuresFrom(metric, contended), source: design }];
	});
	return Object.fromEntries(figures);
}

function poolEach(
	cellRounds: readonly CellRound[],
	windowsOf: (cellRound: CellRound) => CellRound['windows'],
): Sides<readonly PooledSide[]> {
	const [base = [], head = []] = SIDES.map((side) =>
		cellRounds.map((cellRound) => poolSide(cellRound, windowsOf(cellRound), side)),
	);
	return { base, head };
}

function figuresFrom(metric: MetricName, pooled: Sides<readonly PooledSide[]>): Sides<number | null> {
	return { base: middleOf(metric, pooled.base), head: middleOf(metric, pooled.head) };
}

function middleOf(metric: MetricName, pooled: readonly PooledSide[]): number | null {
	const { scale } = METRICS[metric];
	const values = pooled.flatMap((side) => {
		const figure = figureOf(metric, side);
		return figure === null ? [] : figure * scale;
	});
	return values.length === 0 ? null : median(values);
}
