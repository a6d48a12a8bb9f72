/** What a server still does for its answers when it has given them all: collecting garbage beside its program, for one. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, readTreeTimes, usedBetween } from '../../../process/process-tree.ts';
import type { Seconds } from '../../../types/units.ts';

/** Work in the background comes in parts: it is over when nothing has run in so many looks. */
const IDLE_LOOKS = 3;
const LOOK_MS = 1;

/**
 * Waits until no thread of these processes runs, for `mostMs` at most, and returns the CPU time they used until then. Null where they did
 * not come to rest, so that nobody knows what it was for, or where the platform cannot tell.
 */
export async function finishWork(pids: readonly number[], mostMs: number): Promise<Seconds | null> {
	const began = performance.now();
	const before = readTreeTimes(pids);
	if (before.size === 0) return null;
	for (let idle = isRunning(pids) ? 0 : 1; idle < IDLE_LOOKS; idle = isRunning(pids) ? 0 : idle + 1) {
		if (performance.now() - began >= mostMs) return null;
		await delay(LOOK_MS);
	}
	return Math.max(0, usedBetween(before, readTreeTimes(pids)));
}
