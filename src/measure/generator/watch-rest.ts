/**
 * Waits after load, with open connections, until no side uses CPU. Work that a busy server deferred, such as a batch of
 * log lines, belongs to its answers (decision 0069).
 */
import { readSideTimes, type SideSource, sideUsedBetween } from '../../process/side-times.ts';
import { type Fraction, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { sleep } from './load-stopped.ts';
import type { Rest } from './messages.ts';

/** Time without CPU use that counts as rest: with open, then closed connections. */
export const QUIET_SECONDS: Seconds = 0.5;
export const QUIET_CLOSED_SECONDS: Seconds = 0.2;
export const LONGEST_REST_SECONDS: Seconds = 2;
/** A smaller share is background activity: timers, garbage collection. */
const QUIET_SHARE: Fraction = 0.01;
const POLL_SECONDS: Seconds = 0.02;

/**
 * Waits, at most 2 s, until both sides have used no CPU for `quiet` seconds, and returns their CPU time; null if
 * unreadable. `list`: the current processes.
 */
export async function watchRest(
	list: () => Sides<SideSource>,
	quiet: Seconds,
	signal: AbortSignal,
): Promise<Sides<Rest | null>> {
	const began = performance.now();
	const sources = list();
	const first = bySide((side) => readSideTimes(sources[side]));
	const usedBy = (now: Sides<SideSource>, side: Side) => {
		const earlierPids = sources[side].tree;
		return sideUsedBetween(
			first[side],
			readSideTimes(sources[side]),
			now[side].tree.filter((pid) => !earlierPids.includes(pid)),
		);
	};
	const read = () => {
		const now = list();
		return bySide((side) => usedBy(now, side));
	};
	const polls = [{ at: 0, used: read() }];
	for (;;) {
		await sleep(POLL_SECONDS, signal);
		const at = (performance.now() - began) / 1000;
		const used = read();
		polls.push({ at, used });
		const before = polls.findLast((poll) => poll.at <= at - quiet);
		const lately = (side: Side): Fraction | null => {
			const [then, now] = [before?.used[side], used[side]];
			return before === undefined || then == null || now === null ? null : (now - then) / (at - before.at);
		};
		const isQuiet = (side: Side) => used[side] === null || (lately(side) ?? 1) < QUIET_SHARE;
		if (!SIDES.every(isQuiet) && at < LONGEST_REST_SECONDS) continue;
		return bySide((side) => {
			const cpuSeconds = used[side];
			if (cpuSeconds === null) return null;
			return { cpuSeconds: Math.max(0, cpuSeconds), unfinished: isQuiet(side) ? 0 : (lately(side) ?? 1) };
		});
	}
}

/** Sums the work after load: until the rest, with open connections, and with closed ones. */
export function addRests(late: Seconds, connected: Rest | null, closed: Rest | null): Rest | null {
	if (connected === null || closed === null) return null;
	const cpuSeconds = late + connected.cpuSeconds + closed.cpuSeconds;
	return { cpuSeconds, unfinished: Math.max(connected.unfinished, closed.unfinished) };
}

function bySide<T>(make: (side: Side) => T): Sides<T> {
	return { base: make('base'), head: make('head') };
}
