import type { Warmup } from '../../types/plan.ts';
import type { Side, Sides } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import { sleep } from './load-stopped.ts';

const POLL_SECONDS = 0.01;
const REOPEN_AT = 0.5;

export interface Doors {
	readonly open: (side: Side) => void;
	readonly close: (side: Side) => Promise<void>;
}

/**
 * Loads `sides` until each has answered enough, within the time limits. Sides warm up together, until the slower one is
 * done, and stay loaded; or in turn, with no load left. Throws LoadStopped on `signal`.
 *
 * Halfway all connections are reopened, because Node then discards optimised code (decision 0062).
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
