import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { studentCdf, studentQuantile, studentSurvival } from '../../src/stats/distributions.ts';
import { incompleteBeta, logGamma } from '../../src/stats/special-functions.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy 1.17.1).

test('logGamma agrees with scipy.special.gammaln', () => {
	for (const [x, expected] of [
		[0.5, 0.5723649429247],
		[1.5, -0.12078223763524526],
		[2.5, 0.2846828704729192],
		[10, 12.801827480081469],
		[31.5, 76.37119786778275],
		[200.25, 859.257780222549],
	] as const) {
		assertClose(logGamma(x), expected, 1e-13, `logGamma(${x})`);
	}
	assert.ok(Number.isNaN(logGamma(0)));
});

test('incompleteBeta agrees with scipy.special.betainc', () => {
	for (const [x, a, b, expected] of [
		[0.2, 2, 3, 0.18080000000000004],
		[0.9, 9.5, 0.5, 0.1625499990297271],
		[1e-8, 1.5, 0.5, 4.24413182851627e-13],
		[0.5, 40, 45, 0.7071766026393872],
		[0.999, 0.5, 10, 1],
	] as const) {
		assertClose(incompleteBeta(x, a, b), expected, 1e-12, `I_${x}(${a}, ${b})`);
	}
	assert.equal(incompleteBeta(0, 1, 2), 0);
	assert.equal(incompleteBeta(1, 1, 2), 1);
	assert.ok(Number.isNaN(incompleteBeta(1.1, 1, 2)));
});

test('studentSurvival agrees with scipy.stats.t.sf, far into the tail and close to the centre', () => {
	for (const [t, df, expected] of [
		[0, 3, 0.5],
		[1e-9, 5, 0.4999999996203933],
		[0.3, 1, 0.4072264209222577],
		[2.1, 3, 0.0632826012748423],
		[-1.7, 8, 0.9362235651483829],
		[12, 19, 1.2954473186110983e-10],
		[60, 3, 5.0997968366598774e-6],
		[40, 19, 4.153878599669217e-20],
	] as const) {
		assertClose(studentSurvival(t, df), expected, 1e-12, `P(T > ${t}), ${df} df`);
		assertClose(studentCdf(-t, df), expected, 1e-12, `P(T < ${-t}), ${df} df`);
	}
	assert.equal(studentSurvival(Number.POSITIVE_INFINITY, 4), 0);
	assert.equal(studentCdf(Number.POSITIVE_INFINITY, 4), 1);
});

test('studentQuantile agrees with scipy.stats.t.ppf', () => {
	for (const [p, df, expected] of [
		[0.975, 4, 2.7764451051977934],
		[0.999, 4, 7.173182219782307],
		[0.999, 9, 4.296805662729918],
		[0.999, 14, 3.7873902375233457],
		[0.999, 19, 3.5794001489547154],
		[0.001, 3, -10.214531852407385],
		[0.0075, 3, -5.04729245831536],
		[1e-9, 19, -10.613521312506379],
		[0.51, 5, 0.026346712342273235],
		[0.25, 1, -1.0000000000000002],
	] as const) {
		assertClose(studentQuantile(p, df), expected, 1e-11, `quantile ${p}, ${df} df`);
	}
	assert.equal(studentQuantile(0.5, 7), 0);
	assert.equal(studentQuantile(0, 7), Number.NEGATIVE_INFINITY);
	assert.ok(Number.isNaN(studentQuantile(-0.1, 7)));
});

test('studentQuantile undoes studentCdf', () => {
	const p = fc.double({ min: 1e-8, max: 1 - 1e-8, noNaN: true });
	fc.assert(
		fc.property(p, fc.integer({ min: 1, max: 100 }), (probability, df) => {
			assertClose(studentCdf(studentQuantile(probability, df), df), probability, 1e-9);
		}),
		{ seed: 1, numRuns: 300 },
	);
});
