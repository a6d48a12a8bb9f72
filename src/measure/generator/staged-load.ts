/** Load whose connections come and go by stages, as k6 has its virtual users come and go. */
import { isSteady, placeStages, type Stage } from '../../types/plan.ts';
import type { LatencyHistogram, StepCounts } from '../../types/round.ts';
import type { Seconds, Side, Sides } from '../../types/units.ts';
import type { Client } from './client.ts';
import type { Counter } from './counter.ts';
import { sleep } from './load-stopped.ts';

/** Connections of one stage join or leave in at most so many groups: each group has a client of its own. */
const MOST_GROUPS = 50;

/** How many connections are open from a moment on. */
export interface Level {
	/** Since the first stage began. */
	readonly at: Seconds;
	readonly connections: number;
}

/** Returns when the number of open connections changes, and to what, from none before the first stage. */
export function levelsOf(stages: readonly Stage[]): Level[] {
	return placeStages(stages).flatMap(({ at, seconds, from, connections: to }) => {
		const groups = Math.min(Math.abs(to - from), MOST_GROUPS);
		return Array.from({ length: groups }, (_, index) => {
			const done = (index + 1) / groups;
			return { at: at + seconds * done, connections: Math.round(from + (to - from) * done) };
		});
	});
}

/** Starts load that follows the stages and, after the last of them, stays until it is closed. `open` opens so many connections more. */
export function openStagedClient(stages: readonly Stage[], open: (connections: number) => Client): Client {
	const running: { readonly connections: number; readonly client: Client }[] = [];
	const closing: Promise<void>[] = [];
	const count = () => running.reduce((sum, { connections }) => sum + connections, 0);
	const goTo = (wanted: number) => {
		const missing = wanted - count();
		if (missing > 0) running.push({ connections: missing, client: open(missing) });
		// A group leaves as a whole, and never so that too few are left.
		while (running.length > 0 && count() - (running.at(-1)?.connections ?? 0) >= wanted) {
			closing.push(running.pop()?.client.close() ?? Promise.resolve());
		}
	};
	const timers = levelsOf(stages).map(({ at, connections }) => setTimeout(goTo, at * 1000, connections));
	return {
		async close() {
			for (const timer of timers) clearTimeout(timer);
			await Promise.all([...closing, ...running.map(({ client }) => client.close())]);
		},
	};
}

// What sides do while the number of connections stays the same, in the middle of a window whose connections come and
// go.

/** Waits for the end of the last steady stage and returns what `sides` did in each. The window and its stages begin now. */
export async function countSteps(
	loaded: Sides<{ readonly counter: Pick<Counter, 'soFar' | 'latencySoFar'> }>,
	sides: readonly Side[],
	stages: readonly Stage[],
	signal: AbortSignal,
): Promise<ReadonlyMap<Side, readonly StepCounts[]>> {
	const steps = new Map(sides.map((side) => [side, [] as StepCounts[]]));
	const began = performance.now();
	const until = (second: number) => sleep(Math.max(0, second - (performance.now() - began) / 1000), signal);
	const read = (side: Side) => {
		const { counter } = loaded[side];
		return { side, at: performance.now(), completed: counter.soFar().completed, latency: counter.latencySoFar() };
	};
	for (const { at, seconds, connections } of placeStages(stages).filter(isSteady)) {
		await until(at);
		const first = sides.map(read);
		await until(at + seconds);
		for (const before of first) {
			const now = read(before.side);
			steps.get(before.side)?.push({
				connections,
				seconds: (now.at - before.at) / 1000,
				completed: now.completed - before.completed,
				latency: without(now.latency, before.latency),
			});
		}
	}
	return steps;
}

/** Returns what `all` counts besides `earlier`. */
function without(all: LatencyHistogram, earlier: LatencyHistogram): LatencyHistogram {
	const known = new Map(earlier);
	return all
		.map(([value, count]) => [value, count - (known.get(value) ?? 0)] as const)
		.filter(([, count]) => count > 0);
}
