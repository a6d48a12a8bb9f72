import type { CellRound, LatencyHistogram, Window, WindowSide } from '../types/round.ts';
import type { Bytes, Fraction, Seconds, Side, Sides } from '../types/units.ts';
import { mergeHistograms } from './histogram.ts';

/** What one side did in one or more windows taken together. */
export interface Totals {
	readonly seconds: Seconds;
	readonly completed: number;
	/** By the time they took; where unknown, those received. */
	readonly answers?: number;
	readonly bytes: Bytes;
	readonly unexpected: number;
	readonly errors: number;
	/** Null when any of the windows has none. */
	readonly cpuSeconds: Seconds | null;
}

/** Fewest answers on each side that a log ratio is made from. */
export const FEWEST_RESPONSES = 1000;

const NOTHING: Totals = { seconds: 0, completed: 0, answers: 0, bytes: 0, unexpected: 0, errors: 0, cpuSeconds: 0 };

/** Returns the windows that count for a decision: those of the round's own design, never `solo`, in order. */
export function countedWindows(cellRound: CellRound): readonly Window[] {
	return cellRound.windows.filter((window) => window.kind === cellRound.design);
}

/** Returns what `side` did in each of `windows` in which it was loaded, in order. */
export function sideOf(windows: readonly Window[], side: Side): readonly WindowSide[] {
	return windows.flatMap((window) => window[side] ?? []);
}

/** Returns the sums over `parts`; zeros for none. */
export function poolTotals(parts: readonly Totals[]): Totals {
	return parts.reduce(addTotals, NOTHING);
}

/** Returns the latency of all of `parts` as one histogram. */
export function poolLatency(parts: readonly WindowSide[]): LatencyHistogram {
	return mergeHistograms(parts.map((part) => part.latency));
}

/**
 * Returns base and head of the counted windows that belong together, in order. In a duet these are the two sides of one
 * window; otherwise base's i-th window and head's i-th, which lie next to each other in ABBA order.
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
 * Returns `pairs` with neighbours taken together until each has at least `fewest` answers on both sides. What is left over
 * at the end joins the last group; all become one when they do not suffice.
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

/** Returns the answers of a window by the time they took; where unknown, those received. */
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
 * Returns the CPU time of `side` after the load of a turn, per answer, as a share of an answer's cost under load; null where either is
 * unknown.
 */
export function afterworkShare(cellRound: CellRound, side: Side): Fraction | null {
	const work = cellRound.afterwork?.[side];
	const { cpuSeconds, completed } = poolTotals(sideOf(countedWindows(cellRound), side));
	if (work == null || work.answers === 0 || !cpuSeconds || completed === 0) return null;
	return work.cpuSeconds / work.answers / (cpuSeconds / completed);
}
