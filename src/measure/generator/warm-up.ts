/** Load before anything is counted. */
import type { Warmup } from '../../types/plan.ts';
import type { Side, Sides } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import { sleep } from './load-stopped.ts';

/** How often a warm-up looks whether it is over. */
const POLL_SECONDS = 0.01;
/** After this part of a warm-up its connections are closed and opened anew. */
const REOPEN_AT = 0.5;

/** Opens the connections of a side and loads it, or closes them. */
export interface Doors {
	readonly open: (side: Side) => void;
	readonly close: (side: Side) => Promise<void>;
}

/**
 * Loads `sides` until each has answered enough, within the limits: all at once, where the slower one decides for both and they stay
 * loaded, or one after the other, with no load left. Throws what `signal` was aborted with.
 *
 * All connections are closed on the way and opened anew: when Node closes connections for the first time, it gives up code that it has
 * optimised, and a server answers a third of what it did until that is optimised again. No window may meet that (decision 0062).
 */
export async function warmUp(
	warmup: Warmup,
	sides: readonly Side[],
	counters: Sides<Counter>,
	doors: Doors,
	signal: AbortSignal,
): Promise<void> {
	if (!warmup.inTurn) return warmTogether(warmup, sides, counters, doors, signal);
	for (const side of sides) {
		await warmTogether(warmup, [side], counters, doors, signal);
		await doors.close(side);
	}
}

async function warmTogether(
	{ requests, leastSeconds, mostSeconds }: Warmup,
	sides: readonly Side[],
	counters: Sides<Counter>,
	{ open, close }: Doors,
	signal: AbortSignal,
): Promise<void> {
	sides.forEach(open);
	if (mostSeconds === 0) return;
	const began = performance.now();
	const isPast = (seconds: number) => performance.now() - began >= seconds * 1000;
	const until = async (part: number) => {
		const isWarm = () => sides.every((side) => counters[side].total.answers >= part * requests);
		while (!(isWarm() && isPast(part * leastSeconds)) && !isPast(part * mostSeconds)) await sleep(POLL_SECONDS, signal);
	};
	await until(REOPEN_AT);
	await Promise.all(sides.map(close));
	sides.forEach(open);
	await until(1);
}
