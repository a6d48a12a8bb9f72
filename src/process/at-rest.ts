/** Waits until processes use no CPU time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Seconds, Sides } from '../types/units.ts';
import { listTrees, readTreeTimes, type TreeTimes, usedBetween } from './process-tree.ts';

const POLL_MS = 3;
const QUIET_POLLS = 2;
/** Idle timers and the poll itself use less CPU time than this. */
const IDLE_SECONDS: Seconds = 0.0003;
/** Limit for a server that never rests. */
const LONGEST_MS = 60;

/**
 * Resolves once the servers used no CPU time for a few milliseconds, or after 60 ms. Without /proc it always takes 60
 * ms.
 */
export async function waitUntilAtRest(servers: Sides<{ readonly pid: number }>): Promise<void> {
	const due = performance.now() + LONGEST_MS;
	const { base, head } = listTrees(servers);
	const trees = [...base, ...head];
	let last = readTreeTimes(trees);
	let quiet = 0;
	while (quiet < QUIET_POLLS && performance.now() < due) {
		await delay(POLL_MS);
		const now = readTreeTimes(trees);
		quiet = isIdle(last, now) ? quiet + 1 : 0;
		last = now;
	}
}

function isIdle(last: TreeTimes, now: TreeTimes): boolean {
	return now.size > 0 && usedBetween(last, now) < IDLE_SECONDS;
}
