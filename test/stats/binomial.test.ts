import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { betaQuantile, clopperPearson } from '../../src/stats/distributions.ts';
import { incompleteBeta } from '../../src/stats/special-functions.ts';
import { assertClose } from '../support/close.ts';

// Reference values: scipy.stats.beta.ppf (SciPy 1.17.1); an interval is ppf(α/2, k, n − k + 1) to ppf(1 − α/2, k + 1, n − k).

test('betaQuantile agrees with scipy.stats.beta.ppf', () => {
	for (const [p, a, b, expected] of [
		[0.025, 3, 10, 0.05486064452799272],
		[0.5, 2, 3, 0.3857275681323895],
		[1e-6, 0.5, 8, 1.0128912096282849e-13],
		[0.975, 40, 1, 0.9993672550679505],
		[0.01, 120.5, 3.25, 0.9300037165275219],
	] as const) {
		assertClose(betaQuantile(p, a, b), expected, 1e-11, `quantile ${p} of beta(${a}, ${b})`);
	}
	assert.equal(betaQuantile(0, 2, 3), 0);
	assert.equal(betaQuantile(1, 2, 3), 1);
	assert.ok(Number.isNaN(betaQuantile(1.1, 2, 3)));
	assert.ok(Number.isNaN(betaQuantile(0.5, 0, 3)));
});

test('clopperPearson agrees with SciPy', () => {
	for (const [count, of, confidence, low, high] of [
		[0, 300, 0.95, 0, 0.01222097469429355],
		[8, 300, 0.95, 0.011581567754333921, 0.05186581196093096],
		[1, 1, 0.95, 0.025000000000000022, 1],
		[3, 12, 0.95, 0.05486064452799274, 0.5718584618781891],
		[5, 10, 0.9, 0.22244110100812936, 0.7775588989918706],
		[299, 300, 0.99, 0.9754966374382426, 0.9999832916668406],
		[1, 1_000_000, 0.95, 2.53178076637942e-8, 5.571630655166939e-6],
	] as const) {
		const interval = clopperPearson(count, of, confidence);
		assertClose(interval.low, low, 1e-10, `low end of ${count} of ${of}`);
		assertClose(interval.high, high, 1e-10, `high end of ${count} of ${of}`);
	}
});

test('zero trials leave the whole range; invalid counts are refused', () => {
	assert.deepEqual(clopperPearson(0, 0), { low: 0, high: 1 });
	for (const [count, of] of [
		[3, 2],
		[-1, 2],
		[0.5, 2],
		[0, Number.NaN],
	] as const) {
		assert.throws(() => clopperPearson(count, of), RangeError);
	}
});

test('the ends are the rates at which the count becomes as unlikely as allowed, and failures mirror successes', () => {
	const trials = fc
		.integer({ min: 1, max: 400 })
		.chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
	fc.assert(
		fc.property(trials, ([count, of]) => {
			const { low, high } = clopperPearson(count, of);
			const mirrored = clopperPearson(of - count, of);
			assert.ok(low <= count / of && count / of <= high);
			assertClose(1 - mirrored.high, low, 1e-9);
			if (count > 0) assertClose(incompleteBeta(low, count, of - count + 1), 0.025, 1e-9);
			if (count < of) assertClose(1 - incompleteBeta(high, count + 1, of - count), 0.025, 1e-9);
		}),
		{ seed: 1, numRuns: 300 },
	);
});
