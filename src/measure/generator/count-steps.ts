/** What sides do while the number of connections stays the same, in the middle of a window whose connections come and go. */
import { isSteady, placeStages, type Stage } from '../../types/plan.ts';
import type { LatencyHistogram, StepCounts } from '../../types/round.ts';
import type { Side, Sides } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import { sleep } from './load-stopped.ts';

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
