/** Absolute figures of rows, and of a side loaded alone. */
import { median } from 'simple-statistics';
import type { SoloFigures } from '../types/baseline.ts';
import type { Design } from '../types/config.ts';
import { isCounted, isLatency, isOfWindows, METRIC_NAMES, METRICS, type MetricName } from '../types/metric.ts';
import type { LevelRange } from '../types/result.ts';
import type { CellRound, Window } from '../types/round.ts';
import { type Fraction, otherSide, SIDES, type Side, type Sides } from '../types/units.ts';
import { figureOf, type PooledSide, poolSide } from './figures.ts';
import { SATED } from './guards.ts';
import { countedWindows } from './windows.ts';

/** A baseline stores memory in bytes. */
const NO_SCALE = 1;

interface SoloTurn {
	readonly cellRound: CellRound;
	readonly windows: readonly Window[];
	readonly side: Side;
}

export interface AbsoluteFigures extends Readonly<Sides<number | null>> {
	readonly source: 'solo' | 'counted' | Design;
	/** Range of the level (geometric mean of both sides) if its measurements disagree. */
	readonly level?: LevelRange;
}

/** From this relative uncertainty on, a level is a range. */
const MOST_OFF: Fraction = 0.25;
/**
 * Two servers in turn evict each other from the CPU's caches. Of 461 stored cells (docs/evaluation/data) six answered
 * more than this many times as much alone.
 */
const MOST_ALONE = 1.5;
/** A server with more idle CPU waits, and alone may answer less than two together. */
const MOST_IDLE: Fraction = 0.1;
/** Factor from the geometric mean of a duet's sides, which have half of the CPU each, to one server alone. */
const TOGETHER: Readonly<Partial<Record<MetricName, number>>> = { throughput: 2, transfer: 2, 'cpu-per-request': 1 };

/**
 * Returns base and head in every metric and its unit, as medians over rounds: of solo windows if both sides answered
 * there, else of the design's (`source`). A throughput as uncertain as `MOST_OFF` gets a range, and latency then comes
 * from the design.
 */
export function absoluteFigures(
	cellRounds: readonly CellRound[],
	design: Design,
): Readonly<Record<MetricName, AbsoluteFigures>> {
	const solo = poolEach(cellRounds, ({ windows }) => windows.filter((window) => window.kind === 'solo'));
	const contended = poolEach(cellRounds, countedWindows);
	const isShared = cellRounds.every(({ windows }) => windows.filter(({ kind }) => kind === 'solo').every(isFull));
	const levelOf = (metric: MetricName) =>
		levelRange(metric, figuresFrom(metric, solo), figuresFrom(metric, contended), isShared);
	// Older files lack the parts of answers that take longer than a window.
	const hasAnswers = SIDES.every((side) => figuresFrom('throughput', solo)[side] !== 0);
	const isDisturbed = levelOf('throughput') !== null;
	const figures = METRIC_NAMES.map((metric) => {
		const alone = figuresFrom(metric, solo);
		const isUsable = hasAnswers && isOfWindows(metric) && alone.base !== null && alone.head !== null;
		if (!isUsable || (isDisturbed && isLatency(metric)))
			return [metric, { ...figuresFrom(metric, contended), source: isCounted(metric) ? 'counted' : design }];
		const level = levelOf(metric);
		return [metric, { ...alone, source: 'solo', ...(level && { level }) }];
	});
	return Object.fromEntries(figures);
}

/**
 * The range of the level over its measurements: base alone, head alone and, if `isShared`, both at once. The
 * ratio of the sides is that of the duet. Null if the measurements agree or cannot be compared.
 */
function levelRange(
	metric: MetricName,
	alone: Sides<number | null>,
	contended: Sides<number | null>,
	isShared: boolean,
): LevelRange | null {
	const factor = TOGETHER[metric];
	if (factor === undefined || !alone.base || !alone.head || !contended.base || !contended.head) return null;
	const half = Math.sqrt(contended.head / contended.base);
	const level = Math.sqrt(alone.base * alone.head);
	const together = factor * Math.sqrt(contended.base * contended.head);
	const [least, most] =
		METRICS[metric].better === 'higher' ? [together, together * MOST_ALONE] : [together / MOST_ALONE, together];
	const measured = [alone.base * half, alone.head / half, isShared ? Math.min(Math.max(level, least), most) : level];
	const [low, high] = [Math.min(...measured), Math.max(...measured)];
	return Math.max(high / level, level / low) > 1 + MOST_OFF ? { low, high } : null;
}

/**
 * Whether the CPU limited a solo window's server: hardly any CPU was idle and, because others may have used the rest,
 * it used enough itself.
 */
function isFull({ base, head, serverCpuIdle }: Window): boolean {
	const side = base ?? head;
	if (side === null || side.due !== undefined || serverCpuIdle === null) return false;
	const isAtWork = side.cpuSeconds === null || side.cpuSeconds >= SATED * side.seconds;
	return isAtWork && serverCpuIdle <= MOST_IDLE * side.seconds;
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

/** Returns `side` from windows where it was loaded alone, as medians over rounds. Memory is that of the whole turn. */
export function soloFiguresOf(cellRounds: readonly CellRound[], side: Side): SoloFigures | null {
	return poolFigures(cellRounds.flatMap((cellRound) => turnOf(cellRound, side) ?? []));
}

function turnOf(cellRound: CellRound, side: Side): SoloTurn | null {
	const windows = cellRound.windows.filter((window) => isAlone(window, side));
	return windows.length === 0 ? null : { cellRound, windows, side };
}

/** Whether `side` is loaded alone in `window`. Alternating windows contain both sides in turn. */
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
