import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planLooks } from '../../src/plan/looks.ts';

test('20 rounds have exactly the looks and weights of the published design', () => {
	assert.deepEqual(planLooks(20), [
		{ rounds: 4, weightRegressed: 0.02, weightUnchanged: 0.15 },
		{ rounds: 6, weightRegressed: 0.05, weightUnchanged: 0.15 },
		{ rounds: 9, weightRegressed: 0.12, weightUnchanged: 0.2 },
		{ rounds: 14, weightRegressed: 0.3, weightUnchanged: 0.22 },
		{ rounds: 20, weightRegressed: 0.51, weightUnchanged: 0.28 },
	]);
});

test('fewer rounds keep the early looks and give the rest of the weight to the last', () => {
	for (const few of [1, 2, 3, 4]) {
		assert.deepEqual(planLooks(few), [{ rounds: few, weightRegressed: 1, weightUnchanged: 1 }]);
	}
	assert.deepEqual(planLooks(10), [
		{ rounds: 4, weightRegressed: 0.02, weightUnchanged: 0.15 },
		{ rounds: 6, weightRegressed: 0.05, weightUnchanged: 0.15 },
		{ rounds: 10, weightRegressed: 0.93, weightUnchanged: 0.7 },
	]);
});

test('more rounds continue by a factor of 1.5', () => {
	const roundsOf = (most: number) => planLooks(most).map((look) => look.rounds);
	assert.deepEqual(roundsOf(21), [4, 6, 9, 14, 20, 21]);
	assert.deepEqual(roundsOf(60), [4, 6, 9, 14, 20, 30, 45, 60]);
	assert.deepEqual(roundsOf(100), [4, 6, 9, 14, 20, 30, 45, 68, 100]);
});

test('looks ascend to the maximum, weights are positive, add up to 1 and increase as designed', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 2000 }), (most) => {
			const looks = planLooks(most);
			assert.equal(looks.at(-1)?.rounds, most);
			for (const key of ['weightRegressed', 'weightUnchanged'] as const) {
				const weights = looks.map((look) => look[key]);
				assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
				assert.ok(weights.every((weight) => weight > 0));
				assert.ok(weights.every((weight, index) => index === 0 || weight >= (weights[index - 1] as number) * 0.99));
			}
			const [first] = looks;
			assert.ok(looks.length === 1 || (first?.weightRegressed ?? 0) < (first?.weightUnchanged ?? 0));
			assert.ok(looks.every((look, index) => index === 0 || look.rounds > (looks[index - 1]?.rounds ?? 0)));
		}),
		{ seed: 6, numRuns: 300 },
	);
});

test('an invalid number of rounds is refused', () => {
	for (const wrong of [0, -1, 2.5, Number.NaN]) assert.throws(() => planLooks(wrong), RangeError);
});
