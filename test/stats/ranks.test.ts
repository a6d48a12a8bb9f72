import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalCdf } from '../../src/stats/distributions.ts';
import { benjaminiHochberg } from '../../src/stats/multiple-testing.ts';
import { createRandom } from '../../src/stats/random.ts';
import {
	hodgesLehmann,
	signedRankAbove,
	signedRankBelow,
	signedRankCdf,
	signedRankCritical,
	signedRankEnds,
	signedRankProbabilities,
	walshAverages,
} from '../../src/stats/signed-rank.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy 1.17.1).

const D = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055];

test('signed-rank probabilities match an enumeration of all signs', () => {
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

test('the distribution of W is exact up to 100 values, and near the exact one above', () => {
	for (const [n, w, expected] of [
		[20, 40, 0.006808280944824219],
		[68, 700, 0.001730904446005073],
		[100, 1500, 0.0001745535148083816],
	] as const) {
		assertClose(signedRankCdf(n, w), expected);
	}
	for (const [w, expected] of [
		[4000, 0.0008446995592335019],
		[4600, 0.023047515249674824],
	] as const) {
		assertClose(signedRankCdf(150, w), expected, 0.1);
		assert.ok(signedRankCdf(150, w) > expected, 'the approximation errs on the safe side');
	}
	assert.equal(signedRankCritical(150, signedRankCdf(150, 4000)), 4000);
});

test('normalCdf agrees with scipy.stats.norm.cdf, far into the tail and at the seam of its two formulas', () => {
	for (const [z, expected] of [
		[0, 0.5],
		[-0.3, 0.3820885778110474],
		[-1.96, 0.024997895148220435],
		[-2.999, 0.0013543365337271057],
		[-3.001, 0.0013454728250849653],
		[-6, 9.865876450376946e-10],
		[-20, 2.7536241186061556e-89],
		[1.5, 0.9331927987311419],
	] as const) {
		assertClose(normalCdf(z), expected, 1e-11, `${z}`);
	}
	assert.equal(normalCdf(Number.NEGATIVE_INFINITY), 0);
});

test('an end of the interval excludes a limit exactly when the p-value reaches its level, with or without ties', () => {
	const values = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 9, maxLength: 15 });
	const level = fc.double({ min: 0.002, max: 0.2, noNaN: true });
	fc.assert(
		fc.property(values, fc.integer({ min: -18, max: 18 }), level, (list, twice, alpha) => {
			const averages = walshAverages(list);
			const { low, high } = signedRankEnds(averages, { low: alpha, high: alpha });
			assert.equal(signedRankBelow(averages, twice / 2) <= alpha, high !== null && high < twice / 2);
			assert.equal(signedRankAbove(averages, twice / 2) <= alpha, low !== null && low > twice / 2);
		}),
		{ seed: 4, numRuns: 300 },
	);
});

test('values at the limit and tied distances never make a signed-rank p-value too small', () => {
	const random = createRandom(31);
	const coarse = () => Array.from({ length: 10 }, () => Math.round(1.5 * random.normal()));
	for (const alpha of [0.01, 0.05, 0.2]) {
		const rate = Array.from({ length: 3000 }, coarse).filter((d) => signedRankBelow(walshAverages(d), 0) <= alpha);
		assert.ok(rate.length / 3000 <= alpha + 3 * Math.sqrt((alpha * (1 - alpha)) / 3000), `${rate.length} at ${alpha}`);
	}
	assert.equal(signedRankBelow(walshAverages([0, 0, 0, 0, 0, 0, 0, 0, 0]), 0), 1);
});

test('Hodges–Lehmann and its exact interval agree with the inverted scipy.stats.wilcoxon', () => {
	assert.equal(walshAverages(D).sorted.length, 45);
	assertClose(hodgesLehmann(D), -0.0575);
	const { low, high } = signedRankEnds(walshAverages(D), { low: 0.05, high: 0.05 });
	assertClose(low, -0.0695);
	assertClose(high, -0.0475);
});

test('an end of the exact interval is open if so few values cannot reach its level', () => {
	assert.deepEqual(signedRankEnds(walshAverages([1, 2, 3, 4]), { low: 0.05, high: 0.1 }), { low: null, high: 4 });
	assert.ok(Number.isNaN(hodgesLehmann([])));
});

test('Hodges–Lehmann mirrors with the signs of its values and moves with them', () => {
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

test('Benjamini–Hochberg steps up over a p-value that is too large', () => {
	assert.equal(benjaminiHochberg([0.011, 0.02, 0.024, 0.03], 0.02).size, 0);
	assert.equal(benjaminiHochberg([0.011, 0.02, 0.024, 0.03], 0.03).size, 4);
});

test('a smaller p-value never costs a rejection', () => {
	const p = fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(p, fc.nat(), (values, pick) => {
			const position = pick % values.length;
			const lower = values.map((value, index) => (index === position ? value / 3 : value));
			for (const kept of benjaminiHochberg(values, 0.05)) assert.ok(benjaminiHochberg(lower, 0.05).has(kept));
		}),
		{ seed: 3, numRuns: 300 },
	);
});
