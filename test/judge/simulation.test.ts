import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../src/stats/random.ts';
import { bursts, heavyTailed, type Noise, normal, split } from '../oracle/noises.ts';
import { covers, rejectsAny, retriesUntilSignificant, simulateRun } from '../oracle/simulate.ts';
import { decideRow, drawRounds, tAlone, tAndRanks } from '../oracle/single-row.ts';

// Seeded, so the outcome is fixed. Margins are three Monte-Carlo standard errors.

const AT_TOLERANCE = Math.log1p(-0.025);
const NOISES: Readonly<Record<string, Noise>> = { normal, heavyTailed, bursts, split };

function rateOf(repetitions: number, hit: () => boolean): number {
	let hits = 0;
	for (let repetition = 0; repetition < repetitions; repetition++) hits += Number(hit());
	return hits / repetitions;
}

function atMost(limit: number, repetitions: number): number {
	return limit + 3 * Math.sqrt((limit * (1 - limit)) / repetitions);
}

for (const [name, noise] of Object.entries(NOISES)) {
	for (const rows of [1, 10]) {
		test(`size: with ${rows} rows at the tolerance, any is significant in at most 5 % of families (${name} noise)`, () => {
			const random = createRandom(21, rows);
			const rate = rateOf(1000, () => rejectsAny(random, noise, rows, AT_TOLERANCE, 0.02));
			assert.ok(rate > 0.005, `${rate}: a test that never rejects proves nothing`);
			assert.ok(rate <= atMost(0.05, 1000), `${rate}`);
		});
	}
}

test('repeating a t-test until it is significant, which benchgate does not do, is wrong three times as often', () => {
	const random = createRandom(22);
	assert.ok(rateOf(1000, () => retriesUntilSignificant(random, normal, AT_TOLERANCE, 0.02)) > 0.12);
});

test('no gate is red when ten cells drop by the tolerance, because estimates must be beyond the threshold too', () => {
	const random = createRandom(23);
	const reds = rateOf(60, () =>
		simulateRun(random, normal, Array<number>(10).fill(AT_TOLERANCE), 0.02).some((row) => row.verdict === 'regressed'),
	);
	assert.ok(reds <= atMost(0.05, 60));
});

for (const name of ['normal', 'heavyTailed', 'split'] as const) {
	test(`coverage: the interval shown holds the true change in at least 94 % of runs (${name} noise)`, () => {
		for (const drop of [0, 0.03, 0.06]) {
			const random = createRandom(24);
			const effect = Math.log1p(-drop);
			const held = rateOf(300, () =>
				simulateRun(random, NOISES[name] as Noise, [effect], 0.03).every((row) => covers(row, effect)),
			);
			assert.ok(held >= 0.94, `${held} at a drop of ${drop}`);
		}
	});
}

test('power: a drop of twice the threshold is red in at least 95 % of runs at a spread of 2 %', () => {
	const random = createRandom(25);
	const red = rateOf(300, () => simulateRun(random, normal, [Math.log1p(-0.1)], 0.02)[0]?.verdict === 'regressed');
	assert.ok(red >= 0.95, `${red}`);
});

test('a drop of the threshold or more passes in at most 5 % of runs', () => {
	const random = createRandom(26);
	const passed = rateOf(300, () => simulateRun(random, normal, [Math.log1p(-0.05)], 0.03)[0]?.verdict === 'unchanged');
	assert.ok(passed <= atMost(0.05, 300), `${passed}`);
});

test('ranks decide rows that t cannot if processes settle into different speeds, and cost little with normal noise', () => {
	const cost = (noise: Noise, locate: typeof tAlone) => {
		const random = createRandom(27);
		const runs = Array.from({ length: 500 }, () => decideRow(drawRounds(random, noise, 0, 0.02), locate));
		return {
			decided: runs.filter((run) => run.verdict !== 'inconclusive').length / 500,
			rounds: runs.reduce((sum, run) => sum + run.rounds, 0) / 500,
		};
	};
	const [t, both] = [cost(split, tAlone), cost(split, tAndRanks)];
	assert.ok(both.decided >= 0.96 && t.decided < 0.92, `${both.decided} against ${t.decided}`);
	assert.ok(both.rounds < t.rounds, `${both.rounds} against ${t.rounds}`);
	assert.ok(cost(normal, tAndRanks).rounds <= cost(normal, tAlone).rounds * 1.05);
});
