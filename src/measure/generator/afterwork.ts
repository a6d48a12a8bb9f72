/** CPU time that a server uses after its last answer, for example for garbage collection. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../../process/process-tree.ts';
import { readSideTimes, type SideSource, sideUsedBetween } from '../../process/side-times.ts';
import type { Window, WindowSide } from '../../types/round.ts';
import type { Seconds, Side } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import type { TurnOrder } from './messages.ts';

/**
 * Background work comes in bursts, so it is over only after this many idle looks at thread states: the kernel updates a
 * running thread's CPU time milliseconds late.
 */
const IDLE_LOOKS = 3;
const LOOK_MS = 1;

/**
 * Waits until all threads of a side are idle and returns the CPU time used; null if it is unreadable, or if they are
 * still busy after `mostMs`.
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

export interface Afterwork {
	readonly used: Seconds;
	readonly loadedSeconds: Seconds;
}

/**
 * Adds to a window of `side` its share of the afterwork. A server on one CPU that never rests would lose that time, so
 * seconds grow, except at a fixed rate.
 */
export function withAfterwork(
	window: Window,
	side: Side,
	work: Afterwork | null,
	{ serverCpu, load }: Pick<TurnOrder, 'serverCpu' | 'load'>,
): Window {
	const windowSide = window[side];
	if (windowSide === null || work === null || windowSide.cpuSeconds === null) return window;
	const used = work.used * Math.min(1, windowSide.seconds / work.loadedSeconds);
	const seconds = serverCpu === null || load.rate !== undefined ? windowSide.seconds : windowSide.seconds + used;
	return { ...window, [side]: { ...windowSide, seconds, cpuSeconds: windowSide.cpuSeconds + used } };
}

/** Shorter work may be for answers under way at the end of the window. */
const LEAST_LATE: Seconds = 0.02;

/**
 * Call at the end of a window. The returned function gives the CPU time used since, beyond that of answers given, which
 * a server could otherwise hide between window and rest. 0 below 20 ms, and if unreadable.
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
