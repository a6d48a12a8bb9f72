import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAtMost, assertBetween } from './bounds.ts';
import type { LawName } from './laws.ts';
import { SHARP, simulate, USUAL } from './runs.ts';

// Whole matrices through `decide`; seeded, like single-row.test.ts.

const PROMISE = 0.05;
const SEED = 32;

interface Matrix {
	readonly law: LawName;
	readonly cells: number;
	readonly runs: number;
	readonly shared?: number;
}

const AT_LIMIT: readonly Matrix[] = [
	{ law: 'normal', cells: 6, runs: 70 },
	{ law: 'normal', cells: 6, runs: 70, shared: 0.5 },
	{ law: 'slow processes', cells: 6, runs: 70 },
	{ law: 'normal', cells: 24, runs: 25, shared: 0.5 },
	{ law: 'slow processes', cells: 24, runs: 25 },
];

let red = 0;
let runs = 0;

for (const { law, cells, runs: count, shared = 0 } of AT_LIMIT) {
	const noise = shared === 0 ? law : `${law}, half of it shared by all cells`;
	test(`${cells} cells, ${noise}: with every cell at tolerance and threshold the gate is red in at most 5 % of runs`, () => {
		const drop = SHARP.threshold;
		const tally = simulate({ law, cells, shared, drop, ...SHARP }, count, SEED);
		red += tally.redGates;
		runs += tally.runs;
		assertAtMost(PROMISE, tally.redGates, tally.runs, 'red gates');
		assert.ok(tally.verdicts.regressed + tally.verdicts.unchanged > 0, 'a rule that never decides proves nothing');
		assertBetween(0.005, PROMISE, tally.verdicts.unchanged, tally.rows, 'unchanged rows');
	});
}

test('all matrices together: a gate that is red twice too often would not pass', () => {
	assertAtMost(PROMISE, red, runs, 'red gates', 0.95);
});

for (const [cells, runs] of [
	[6, 40],
	[24, 15],
] as const) {
	for (const law of ['normal', 'slow processes', 'correlated, 0.6'] as const) {
		test(`${cells} cells against themselves, ${law}: no gate is red`, () => {
			const tally = simulate({ law, cells, drop: 0, ...USUAL }, runs, SEED);
			assert.equal(tally.redGates, 0);
			assertBetween(0.9, 1, tally.verdicts.unchanged, tally.rows, 'unchanged rows');
		});
	}
}

test('6 cells, strongly correlated rounds: with every cell at both limits the gate is red far too often, as documented', () => {
	const trial = { law: 'correlated, 0.6', cells: 6, drop: SHARP.threshold } as const;
	const tally = simulate({ ...trial, ...SHARP }, 60, SEED);
	assertBetween(PROMISE, 0.32, tally.redGates, tally.runs, 'red gates');
});
