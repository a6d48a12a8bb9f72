/** Runs of a whole matrix against itself: as measured, and resampled from their rounds. */
import { mean } from 'simple-statistics';
import { planLooks } from '../../src/plan/looks.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Fraction } from '../../src/types/units.ts';
import type { Series } from '../series.ts';
import { renumber } from './rounds.ts';

/** Rounds in which every cell of one server's matrix was measured. */
export interface Pool {
	readonly plan: Plan;
	readonly rounds: readonly Round[];
}

/** One run to replay. */
export interface MatrixRun {
	readonly plan: Plan;
	readonly rounds: readonly Round[];
	/** The cell with the drop, if there is one. */
	readonly planted: string;
}

/** Returns the series of whole matrices, run live against themselves. */
export function liveSeries(series: readonly Series[]): readonly Series[] {
	return series.filter(({ experiment, effect }) => experiment === 'live' && effect.kind === 'same');
}

/** Returns the series of whole matrices against themselves that measured every cell to the end. */
export function longSeries(series: readonly Series[]): readonly Series[] {
	return series.filter(({ experiment, effect }) => experiment === 'matrix' && effect.kind === 'same');
}

/**
 * Returns the pools of all live and long series: one for each design and set of cells. They hold only main rounds with
 * every cell, so of live series the first ones, with their solo windows: a pool's times are slightly too long.
 */
export function poolsOf(series: readonly Series[]): readonly Pool[] {
	const plans = [...liveSeries(series), ...longSeries(series)].flatMap(({ plans, rounds }) =>
		plans.map((plan) => ({ plan, rounds })),
	);
	const alike = Map.groupBy(plans, ({ plan }) => `${plan.design} ${cellsOf(plan).sort().join(' ')}`);
	return [...alike.values()].flatMap((parts) => {
		const plan = parts[0]?.plan;
		if (!plan) return [];
		const cells = cellsOf(plan);
		const isWhole = (round: Round) =>
			round.purpose === 'main' && cells.every((id) => round.cells.some(({ cell }) => cell === id));
		return [{ plan, rounds: parts.flatMap(({ rounds }) => rounds.filter(isWhole)) }];
	});
}

/**
 * Returns `count` runs drawn from `pools` in turn: rounds of the pool in random order without repetition, as many as
 * the plan's last look needs or the pool has, numbered from 1. The same seed draws the same runs.
 */
export function drawRuns(pools: readonly Pool[], count: number, seed: number): readonly MatrixRun[] {
	if (pools.length === 0) return [];
	return Array.from({ length: count }, (_, index) => {
		const { plan, rounds } = pools[index % pools.length] as Pool;
		const random = createRandom(seed, index);
		const most = plan.looks.at(-1)?.rounds ?? 0;
		const drawn = renumber(random.shuffle(rounds).slice(0, most));
		return { plan, rounds: drawn, planted: random.shuffle(cellsOf(plan))[0] as string };
	});
}

/** Returns `pool` with another threshold, tolerance half of it, and the looks of at most `most` rounds, or as many as it has. */
export function withThreshold({ plan, rounds }: Pool, threshold: Fraction, most: number): Pool {
	const cells = plan.cells.map((cell) => ({ ...cell, threshold, tolerance: threshold / 2 }));
	return { plan: { ...plan, cells, looks: planLooks(Math.min(most, rounds.length)) }, rounds };
}

/**
 * Returns the number of independent runs equivalent to those drawn from `pools` in turn; `used` is the number of rounds
 * each took. Runs of one pool share its rounds, so it gives at most rounds / (mean of `used`) independent ones, and as
 * each pool has the same weight in the average of P pools, the variance is that of P² / Σ (used / rounds) runs.
 */
export function independentDraws(pools: readonly Pool[], used: readonly number[]): number {
	const loads = pools.map(({ rounds }, index) => {
		const counts = used.filter((_, run) => run % pools.length === index);
		return counts.length === 0 ? 0 : Math.max(1, mean(counts)) / rounds.length;
	});
	return pools.length ** 2 / loads.reduce((sum, load) => sum + load, 0);
}

function cellsOf(plan: Plan): string[] {
	return plan.cells.map(({ id }) => id);
}
