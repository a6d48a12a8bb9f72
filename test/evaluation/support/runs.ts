import type { RunPairs } from '../../../evaluation/rules/rule.ts';
import { createRandom } from '../../../src/stats/random.ts';

/** Wall time of every run of `runsOf`. */
export const RUN_SECONDS = 7;

/** Returns pairs of runs with one window each, at the given rates. */
export function runsOf(base: readonly number[], head: readonly number[]): RunPairs {
	return windowsOf(
		base.map((rate) => [rate]),
		head.map((rate) => [rate]),
	);
}

/** Returns pairs of runs with the given windows, 7 s each. */
export function windowsOf(base: readonly (readonly number[])[], head: readonly (readonly number[])[]): RunPairs {
	const run = (rates: readonly number[]) => ({ rates, seconds: RUN_SECONDS });
	return { base: base.map(run), head: head.map(run) };
}

/** Returns `pairs` pairs of runs of 3 windows around 10 000/s, independent normal noise of SD `sd` on each run, head slower by `drop`. */
export function noisyRuns(pairs: number, drop: number, sd = 0.01, seed = 1): RunPairs {
	const random = createRandom(seed);
	const runs = (level: number) =>
		Array.from({ length: pairs }, () => {
			const rate = level * (1 + sd * random.normal());
			return [rate * 0.999, rate, rate * 1.001];
		});
	return windowsOf(runs(10_000), runs(10_000 * (1 - drop)));
}
