import type { CellRound, LatencyHistogram, Window, WindowSide } from '../types/round.ts';
import type { Bytes, Fraction, Seconds, Side, Sides } from '../types/units.ts';
import { mergeHistograms } from './histogram.ts';

export interface Totals {
	readonly seconds: Seconds;
	readonly completed: number;
	/** Answers weighted by time. Older files lack it, and `completed` counts instead. */
	readonly answers?: number;
	readonly bytes: Bytes;
	readonly unexpected: number;
	readonly errors: number;
	/** Null if unknown in any window. */
	readonly cpuSeconds: Seconds | null;
}

export const FEWEST_RESPONSES = 1000;

const NOTHING: Totals = { seconds: 0, completed: 0, answers: 0, bytes: 0, unexpected: 0, errors: 0, cpuSeconds: 0 };

/** Returns the windows that decide, in order: those of the round's design, never `solo`. */
export function countedWindows(cellRound: CellRound): readonly Window[] {
	return cellRound.windows.filter((window) => window.kind === cellRound.design);
}

export function sideOf(windows: readonly Window[], side: Side): readonly WindowSide[] {
	return windows.flatMap((window) => window[side] ?? []);
}

export function poolTotals(parts: readonly Totals[]): Totals {
	return parts.reduce(addTotals, NOTHING);
}

export function poolLatency(parts: readonly WindowSide[]): LatencyHistogram {
	return mergeHistograms(parts.map((part) => part.latency));
}

/**
 * Returns counted windows as pairs: both sides of a duet window, else the i-th windows of base and head, which are
 * neighbours in ABBA order.
 */
export function pairWindows(cellRound: CellRound): readonly Sides<Totals>[] {
	const windows = countedWindows(cellRound);
	if (cellRound.design === 'duet') {
		return windows.flatMap(({ base, head }) => (base && head ? [{ base, head }] : []));
	}
	const heads = sideOf(windows, 'head');
	return sideOf(windows, 'base').flatMap((base, index) => {
		const head = heads[index];
		return head ? [{ base, head }] : [];
	});
}

/**
 * Returns `pairs` with neighbours pooled until both sides have at least `fewest` answers; a remainder joins the last
 * group.
 */
export function poolPairs(pairs: readonly Sides<Totals>[], fewest: number): readonly Sides<Totals>[] {
	const groups: Sides<Totals>[] = [];
	let open: Sides<Totals> | null = null;
	for (const pair of pairs) {
		open = open ? addSides(open, pair) : pair;
		if (open.base.completed < fewest || open.head.completed < fewest) continue;
		groups.push(open);
		open = null;
	}
	if (!open) return groups;
	const last = groups.pop();
	return [...groups, last ? addSides(last, open) : open];
}

export function answersOf({ answers, completed }: Pick<Totals, 'answers' | 'completed'>): number {
	return answers ?? completed;
}

function addSides(a: Sides<Totals>, b: Sides<Totals>): Sides<Totals> {
	return { base: addTotals(a.base, b.base), head: addTotals(a.head, b.head) };
}

function addTotals(a: Totals, b: Totals): Totals {
	return {
		seconds: a.seconds + b.seconds,
		completed: a.completed + b.completed,
		answers: answersOf(a) + answersOf(b),
		bytes: a.bytes + b.bytes,
		unexpected: a.unexpected + b.unexpected,
		errors: a.errors + b.errors,
		cpuSeconds: a.cpuSeconds === null || b.cpuSeconds === null ? null : a.cpuSeconds + b.cpuSeconds,
	};
}

/**
 * Returns `side`'s CPU time per answer after the load of a turn, relative to that of an answer under load; null if
 * unknown.
 */
export function afterworkShare(cellRound: CellRound, side: Side): Fraction | null {
	const work = cellRound.afterwork?.[side];
	const { cpuSeconds, completed } = poolTotals(sideOf(countedWindows(cellRound), side));
	if (work == null || work.answers === 0 || !cpuSeconds || completed === 0) return null;
	return work.cpuSeconds / work.answers / (cpuSeconds / completed);
}
