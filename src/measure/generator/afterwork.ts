/** What a server still does for its answers when it has given them all: collecting garbage beside its program, for one. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../../process/process-tree.ts';
import { readSideTimes, type SideSource, sideUsedBetween } from '../../process/side-times.ts';
import type { Window, WindowSide } from '../../types/round.ts';
import type { Seconds, Side } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import type { TurnOrder } from './messages.ts';

/**
 * Work in the background comes in parts: it is over when nothing has run in so many looks. States are looked at, because the kernel tells
 * the CPU time of a thread that runs some milliseconds late.
 */
const IDLE_LOOKS = 3;
const LOOK_MS = 1;

/**
 * Waits until all threads of a side's processes are idle, for `mostMs` at most, and returns the CPU time they used until then. Null if they
 * did not come to rest, because the time may belong to something else, and where the platform cannot tell.
 */
export async function finishWork(source: SideSource, mostMs: number): Promise<Seconds | null> {
	const { tree: pids } = source;
	const began = performance.now();
	const before = readSideTimes(source);
	if (pids.length === 0 || (typeof before !== 'number' && before.size === 0)) return null;
	for (let idle = isRunning(pids) ? 0 : 1; idle < IDLE_LOOKS; idle = isRunning(pids) ? 0 : idle + 1) {
		if (performance.now() - began >= mostMs) return null;
		await delay(LOOK_MS);
	}
	const used = sideUsedBetween(before, readSideTimes(source));
	return used === null ? null : Math.max(0, used);
}

/** CPU time that a side used when it had answered all of a time of load, of which a window is the most. */
export interface Afterwork {
	readonly used: Seconds;
	readonly loadedSeconds: Seconds;
}

/**
 * Returns a window of `side` with its part of the CPU time that answers cost after it. On one CPU it would have taken that much longer to
 * give them and to do this too, as a server that never rests has to; at a fixed rate time is not what it needs.
 */
export function withAfterwork(
	window: Window,
	side: Side,
	work: Afterwork | null,
	{ serverCpu, load }: Pick<TurnOrder, 'serverCpu' | 'load'>,
): Window {
	const own = window[side];
	if (own === null || work === null || own.cpuSeconds === null) return window;
	const used = work.used * Math.min(1, own.seconds / work.loadedSeconds);
	const seconds = serverCpu === null || load.rate !== undefined ? own.seconds : own.seconds + used;
	return { ...window, [side]: { ...own, seconds, cpuSeconds: own.cpuSeconds + used } };
}

/** Answers that were under way at the end of a window cost CPU time as well; as much more as this is other work. */
const LEAST_LATE: Seconds = 0.02;

/**
 * Starts at the end of a window and returns a function that gives the CPU time a side has used since then beyond the cost of the answers
 * it has given since, as `window` had them. A server that withholds its last answer while it works would otherwise do that work between a
 * window and its rest. Returns 0 below 20 ms, and where CPU time cannot be read.
 */
export function watchLateWork(
	source: SideSource,
	{ total }: Pick<Counter, 'total'>,
): (window: Pick<WindowSide, 'cpuSeconds' | 'completed'> | null) => Seconds {
	const before = readSideTimes(source);
	const { answers } = total;
	return (window) => {
		const used = sideUsedBetween(before, readSideTimes(source));
		if (used === null || window === null || window.cpuSeconds === null || window.completed === 0) return 0;
		const late = used - (total.answers - answers) * (window.cpuSeconds / window.completed);
		return late > LEAST_LATE ? late : 0;
	};
}
