import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { levelOf } from '../../src/judge/baseline/level.ts';
import { decidePrecision, FEWEST_ROUNDS } from '../../src/judge/baseline/precision.ts';
import { decide } from '../../src/judge/decide.ts';
import { readRun } from '../../src/judge/looks/run-so-far.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Cell, Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import { assertAtMost } from './bounds.ts';
import { LAWS, type LawName } from './laws.ts';
import { planOf, roundsOf } from './runs.ts';

// Levels whose rounds end on precision: they must be unbiased, and their intervals must hold the truth. Seeded, so the
// outcome is fixed.

const RUNS = 250;
const SPREAD = 0.025;
const MOST = 60;
const PLAN = planOf({ cells: 1, threshold: 0.05, tolerance: 0.025 });
const CELL = PLAN.cells[0] as Cell;

interface Setup {
	readonly law: LawName;
	/** True log ratio. */
	readonly truth: number;
	/** Earlier runs whose spread is known, of 12 rounds each. */
	readonly earlier: number;
	readonly ends: (plan: Plan, rounds: readonly Round[], earlier: () => { sd: number; df: number }[]) => boolean;
}

const onPrecision: Setup['ends'] = (plan, rounds, earlier) =>
	decidePrecision(plan, rounds, null, { precision: 0.008, fewest: FEWEST_ROUNDS, earlier }).undecided.length === 0;
const onVerdict: Setup['ends'] = (plan, rounds) => decide(plan, rounds, null).undecided.length === 0;

/** Returns the error of every level and whether its interval missed, and how many rounds it took on average. */
function simulate({ law, truth, earlier, ends }: Setup, seed: number, runs = RUNS) {
	const random = createRandom(seed);
	const draw = (rounds: number) => LAWS[law](random, rounds, SPREAD).map((noise) => truth + noise);
	const levels = Array.from({ length: runs }, () => {
		const spreads = Array.from({ length: earlier }, () => ({ sd: sampleStandardDeviation(draw(12)), df: 11 }));
		const rounds = roundsOf(PLAN, [draw(MOST)]);
		let taken = 2;
		while (taken < MOST && !ends(PLAN, rounds.slice(0, taken), () => spreads)) taken += 2;
		const run = readRun(PLAN, rounds.slice(0, taken))(taken, null);
		return levelOf(CELL, 'throughput', run, () => spreads);
	});
	return {
		errors: levels.map(({ theta }) => (theta as number) - truth),
		missedBelow: levels.filter(({ low }) => (low as number) > truth).length,
		missedAbove: levels.filter(({ high }) => (high as number) < truth).length,
		rounds: mean(levels.map(({ rounds }) => rounds)),
	};
}

/** Returns the distance of the mean error of all runs from zero, in standard errors. */
function biasOf(errors: readonly number[]): number {
	return mean([...errors]) / (sampleStandardDeviation([...errors]) / Math.sqrt(errors.length));
}

const STEP = Math.log1p(-0.04);

for (const law of ['normal', 't with 3 degrees of freedom', 'stalls'] as const satisfies readonly LawName[]) {
	for (const [label, truth, earlier] of [
		['an A/A run', 0, 0],
		['a step of −4 %', STEP, 0],
		['a step of −4 % with a history', STEP, 5],
	] as const) {
		test(`${law}, ${label}: the level is unbiased and its 95 % interval holds the truth`, () => {
			const { errors, missedBelow, missedAbove, rounds } = simulate({ law, truth, earlier, ends: onPrecision }, 11);
			assert.ok(Math.abs(biasOf(errors)) < 3, `biased by ${biasOf(errors)} standard errors`);
			assertAtMost(0.035, missedBelow, RUNS, 'truth below the interval');
			assertAtMost(0.035, missedAbove, RUNS, 'truth above the interval');
			assert.ok(rounds > FEWEST_ROUNDS && rounds < MOST, `${rounds} rounds`);
		});
	}
}

test('rounds that end on a verdict leave levels that are too extreme, and this simulation sees it', () => {
	const biasAt = (drop: number) =>
		biasOf(simulate({ law: 'normal', truth: Math.log1p(-drop), earlier: 0, ends: onVerdict }, 11, 3 * RUNS).errors);
	// Harmless drops pass when they look smaller, and drops beyond the threshold fail when they look larger.
	const [harmless, beyond] = [biasAt(0.03), biasAt(0.06)];
	assert.ok(harmless > 4, `biased by ${harmless} standard errors`);
	assert.ok(beyond < -4, `biased by ${beyond} standard errors`);
});
