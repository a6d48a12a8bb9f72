import { listTree, readResident } from '../../process/process-tree.ts';
import { type Bytes, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { sleep } from './load-stopped.ts';
import type { Loaded } from './window.ts';

const POLL_SECONDS: Seconds = 0.005;
export const MOST_FOOTPRINT_SECONDS: Seconds = 60;
const REST_SECONDS: Seconds = 0.1;

export function keepLoadMemory(targets: Sides<{ readonly pid: number }>) {
	const memory: Record<Side, Bytes | null> = { base: null, head: null };
	const read = (side: Side): void => {
		memory[side] = readResident(listTree(targets[side].pid));
	};
	return { memory, read };
}

/**
 * Loads both sides until each has answered `requests`, or as many as the other had, because more answers would look
 * like more memory. Returns resident memory; null if one needs over a minute.
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
