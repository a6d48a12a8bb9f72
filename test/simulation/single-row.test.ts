import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAtMost, assertBetween } from './bounds.ts';
import { type BROKEN, BROKEN_NAMES, type LawName, PROMISED_NAMES } from './laws.ts';
import { SHARP, simulate, type Tally, USUAL } from './runs.ts';

// One cell through `decide`, stopped at its looks. Seeded, so the outcome is fixed. The same runs with more repetitions
// make the table in docs/statistics.md (node test/simulation/print.ts). Significance alone, without verdicts, and power
// are tested in test/judge/simulation.test.ts.

const PROMISE = 0.05;
const SEED = 31;

function one(law: LawName, drop: number, limits: typeof USUAL | typeof SHARP, runs: number): Tally {
	return simulate({ law, drop, ...limits, cells: 1 }, runs, SEED);
}

function assertCovered({ missedBelow, missedAbove, rows }: Tally, label: string): void {
	assertAtMost(PROMISE, missedBelow, rows, `${label}, truth below the interval`);
	assertAtMost(PROMISE, missedAbove, rows, `${label}, truth above the interval`);
	assertAtMost(2 * PROMISE, missedBelow + missedAbove, rows, `${label}, truth outside`);
}

for (const law of PROMISED_NAMES) {
	test(`${law}: equal sides are never red and hardly ever undecided, and the interval holds 0`, () => {
		const tally = one(law, 0, USUAL, 150);
		assert.equal(tally.verdicts.regressed, 0);
		assertBetween(0.9, 1, tally.verdicts.unchanged, tally.rows, 'unchanged');
		assertCovered(tally, 'no drop');
	});

	test(`${law}: a drop of the tolerance is red in at most 5 % of runs`, () => {
		const tally = one(law, USUAL.tolerance, USUAL, 150);
		assertAtMost(PROMISE, tally.verdicts.regressed, tally.rows, 'red');
		assertCovered(tally, 'drop of the tolerance');
	});

	test(`${law}: a drop of the threshold passes in at most 5 % of runs`, () => {
		const tally = one(law, USUAL.threshold, USUAL, 350);
		assertBetween(0.003, PROMISE, tally.verdicts.unchanged, tally.rows, 'unchanged');
		assertCovered(tally, 'drop of the threshold');
	});

	test(`${law}: with the tolerance at the threshold, a drop of that size is red in at most 5 % of runs`, () => {
		const tally = one(law, SHARP.threshold, SHARP, 350);
		assertBetween(0.003, PROMISE, tally.verdicts.regressed, tally.rows, 'red');
		assertCovered(tally, 'drop of both limits');
	});
}

/**
 * Measured rates for rounds that violate the assumptions: those of more than 5 %, and by how much. `below` and `above`
 * are where the truth lies.
 */
const WRONG: Readonly<
	Record<keyof typeof BROKEN, Record<'red' | 'pass' | 'below' | 'above', readonly [number, number]>>
> = {
	'skewed upwards': { red: [0.05, 0.11], pass: [0, 0.02], below: [0, 0.02], above: [0.05, 0.11] },
	'skewed downwards': { red: [0, 0.02], pass: [0.05, 0.12], below: [0.05, 0.12], above: [0, 0.02] },
	'correlated, 0.3': { red: [0.05, 0.08], pass: [0.05, 0.09], below: [0.05, 0.09], above: [0.05, 0.08] },
	'correlated, 0.6': { red: [0.09, 0.14], pass: [0.11, 0.17], below: [0.11, 0.17], above: [0.09, 0.14] },
};

for (const law of BROKEN_NAMES) {
	const { red, pass, below, above } = WRONG[law];
	test(`${law}: a violated promise is broken no further than documented`, () => {
		const { verdicts, missedBelow, missedAbove, rows } = one(law, SHARP.threshold, SHARP, 350);
		assertBetween(...red, verdicts.regressed, rows, 'red at both limits');
		assertBetween(...pass, verdicts.unchanged, rows, 'unchanged at both limits');
		assertBetween(...below, missedBelow, rows, 'truth below the interval');
		assertBetween(...above, missedAbove, rows, 'truth above the interval');
	});

	test(`${law}: with a tolerance below the threshold even these are red in at most 5 % of runs, and without a drop hardly ever`, () => {
		const atTolerance = one(law, USUAL.tolerance, USUAL, 150);
		assertAtMost(PROMISE, atTolerance.verdicts.regressed, atTolerance.rows, 'red at the tolerance');
		const none = one(law, 0, USUAL, 150);
		assertAtMost(0.001, none.verdicts.regressed, none.rows, 'red without a drop');
	});
}
