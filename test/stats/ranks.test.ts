import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hodgesLehmann, hodgesLehmannInterval, walshAverages } from '../../src/stats/hodges-lehmann.ts';
import { benjaminiHochberg, holm } from '../../src/stats/multiple-testing.ts';
import { signedRankCritical, signedRankProbabilities } from '../../src/stats/signed-rank.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy 1.17.1).

const D = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055];

test('signed-rank probabilities are those of listing all signs', () => {
	const expected = [
		0.0078125, 0.015625, 0.0234375, 0.0390625, 0.0546875, 0.078125, 0.109375, 0.1484375, 0.1875, 0.234375, 0.2890625,
		0.34375, 0.40625, 0.46875, 0.53125,
	];
	let cumulative = 0;
	const probabilities = signedRankProbabilities(7);
	assert.equal(probabilities.length, 29);
	for (const [w, value] of expected.entries()) {
		cumulative += probabilities[w] as number;
		assert.equal(cumulative, value);
	}
});

test('the smallest one-sided p of the signed-rank test is 2⁻ⁿ', () => {
	for (const n of [1, 5, 10, 20]) {
		assert.equal(signedRankProbabilities(n)[0], 2 ** -n);
		assert.equal(signedRankCritical(n, 2 ** -n), 0);
		assert.equal(signedRankCritical(n, 0.99 * 2 ** -n), -1);
	}
});

test('Hodges–Lehmann and its exact interval agree with the inverted scipy.stats.wilcoxon', () => {
	assert.equal(walshAverages(D).length, 45);
	assertClose(hodgesLehmann(D), -0.0575);
	const { low, high } = hodgesLehmannInterval(D, { low: 0.05, high: 0.05 });
	assertClose(low, -0.0695);
	assertClose(high, -0.0475);
});

test('an end of the exact interval is open where so few values cannot reach its level', () => {
	assert.deepEqual(hodgesLehmannInterval([1, 2, 3, 4], { low: 0.05, high: 0.1 }), { low: null, high: 4 });
	assert.ok(Number.isNaN(hodgesLehmann([])));
});

test('Hodges–Lehmann mirrors when signs turn and moves with its values', () => {
	const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 15 });
	fc.assert(
		fc.property(values, fc.integer({ min: -50, max: 50 }), (list, shift) => {
			const centre = hodgesLehmann(list);
			assert.equal(hodgesLehmann(list.map((value) => -value)) + centre, 0);
			assert.equal(hodgesLehmann(list.map((value) => value + shift)), centre + shift);
		}),
		{ seed: 2, numRuns: 200 },
	);
});

test('Benjamini–Hochberg rejects what scipy.stats.false_discovery_control puts at or below q', () => {
	const p = [0.216, 0.008, 0.039, 0.041, 0.042, 0.06, 0.001, 0.205, 0.212, 0.074];
	assert.deepEqual([...benjaminiHochberg(p, 0.05)].sort(), [1, 6]);
	assert.deepEqual([...benjaminiHochberg([0.04, 0.045, 0.05], 0.05)].sort(), [0, 1, 2]);
	assert.deepEqual([...benjaminiHochberg([], 0.05)], []);
});

test('Holm stops at the first p-value that is too large, where Benjamini–Hochberg steps up over it', () => {
	const p = [0.011, 0.02, 0.024, 0.03];
	assert.deepEqual([...holm(p, 0.05)], [0]);
	assert.equal(benjaminiHochberg(p, 0.05).size, 4);
	assert.equal(holm([0.01, 0.01], 0.05).size, 2);
});

test('a smaller p-value never costs a rejection', () => {
	const p = fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(p, fc.nat(), (values, pick) => {
			const position = pick % values.length;
			const lower = values.map((value, index) => (index === position ? value / 3 : value));
			for (const rejected of [benjaminiHochberg, holm]) {
				for (const kept of rejected(values, 0.05)) assert.ok(rejected(lower, 0.05).has(kept));
			}
		}),
		{ seed: 3, numRuns: 300 },
	);
});
