/** Memory at the end of a side's load, and after a number of requests: load goes on until both sides have answered that many. */
import { listTree, readResident } from '../../process/process-tree.ts';
import { type Bytes, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { sleep } from './load-stopped.ts';
import type { Loaded } from './window.ts';

/** How often it looks whether a side has answered enough. */
const POLL_SECONDS: Seconds = 0.005;
/** A server that does not get there in this time is not waited for. */
export const MOST_FOOTPRINT_SECONDS: Seconds = 60;
/** From the last answer until memory is read. */
const REST_SECONDS: Seconds = 0.1;

/** Returns what keeps the resident memory of each side's processes as it was when it was read last; null of a side until then. */
export function keepLoadMemory(targets: Sides<{ readonly pid: number }>) {
	const memory: Record<Side, Bytes | null> = { base: null, head: null };
	const read = (side: Side): void => {
		memory[side] = readResident(listTree(targets[side].pid));
	};
	return { memory, read };
}

/**
 * Loads both sides until each has answered `requests` of the turn, or as many as the other had already, and returns their resident
 * memory then. A faster side would otherwise have answered more when it is read, and look as if it used more. Null on both sides when
 * one of them does not get there within a minute. Throws LoadStopped when `signal` aborts.
 */
export async function readFootprint(
	loaded: Sides<Loaded>,
	requests: number,
	load: { open(side: Side): void; close(side: Side): Promise<void> },
	signal: AbortSignal,
): Promise<Sides<Bytes | null>> {
	const answersOf = (side: Side) => loaded[side].counter.total.answers;
	const wanted = Math.max(requests, ...SIDES.map(answersOf));
	const due = performance.now() + MOST_FOOTPRINT_SECONDS * 1000;
	const open = new Set(SIDES.filter((side) => answersOf(side) < wanted));
	for (const side of open) load.open(side);
	while (open.size > 0 && performance.now() < due) {
		await sleep(POLL_SECONDS, signal);
		for (const side of open) {
			if (answersOf(side) < wanted) continue;
			open.delete(side);
			await load.close(side);
		}
	}
	if (open.size > 0) {
		for (const side of open) await load.close(side);
		return { base: null, head: null };
	}
	await sleep(REST_SECONDS, signal);
	const memoryOf = (side: Side) => readResident(listTree(loaded[side].pid));
	return { base: memoryOf('base'), head: memoryOf('head') };
}
