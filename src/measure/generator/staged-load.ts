/** Connections come and go in stages, like k6's virtual users. */
import { isSteady, placeStages, type Stage } from '../../types/plan.ts';
import type { LatencyHistogram, StepCounts } from '../../types/round.ts';
import type { Seconds, Side, Sides } from '../../types/units.ts';
import type { Client } from './client.ts';
import type { Counter } from './counter.ts';
import { sleep } from './load-stopped.ts';

/** Most groups in which a stage's connections join or leave; each has its own client. */
const MOST_GROUPS = 50;

export interface Level {
	/** Time since the start of the first stage. */
	readonly at: Seconds;
	readonly connections: number;
}

/** Returns the changes in open connections, from zero on. */
export function levelsOf(stages: readonly Stage[]): Level[] {
	return placeStages(stages).flatMap(({ at, seconds, from, connections: to }) => {
		const groups = Math.min(Math.abs(to - from), MOST_GROUPS);
		return Array.from({ length: groups }, (_, index) => {
			const done = (index + 1) / groups;
			return { at: at + seconds * done, connections: Math.round(from + (to - from) * done) };
		});
	});
}

/** Loads by stages, then at the last level until closed. `open` opens additional connections. */
export function openStagedClient(stages: readonly Stage[], open: (connections: number) => Client): Client {
	const running: { readonly connections: number; readonly client: Client }[] = [];
	const closing: Promise<void>[] = [];
	const count = () => running.reduce((sum, { connections }) => sum + connections, 0);
	const goTo = (wanted: number) => {
		const missing = wanted - count();
		if (missing > 0) running.push({ connections: missing, client: open(missing) });
		// A group closes as a whole, and only if enough connections remain.
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

/** Counts each steady stage. The window and its stages begin now. */
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

function without(all: LatencyHistogram, earlier: LatencyHistogram): LatencyHistogram {
	const earlierCounts = new Map(earlier);
	return all
		.map(([value, count]) => [value, count - (earlierCounts.get(value) ?? 0)] as const)
		.filter(([, count]) => count > 0);
}
