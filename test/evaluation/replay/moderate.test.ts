import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByT } from '../../../evaluation/replay/judge-by-t.ts';
import { locateByT, priorOf } from '../../../evaluation/replay/moderate.ts';
import { digamma, trigamma, trigammaInverse } from '../../../src/stats/special-functions.ts';
import type { Plan } from '../../../src/types/plan.ts';
import { syntheticSeries } from '../support/series.ts';

function near(actual: number | undefined, expected: number, relative = 1e-12): void {
	assert.ok(
		actual !== undefined && Math.abs(actual - expected) <= relative * Math.abs(expected),
		`${actual} is not ${expected}`,
	);
}

/** From 1.8 % to 4.2 % of spread, and one cell that hardly varies. */
const CELLS = [
	[0.01, -0.02, 0.015, 0, 0.03],
	[0.05, -0.04, 0.02, -0.03, 0.01],
	[0.001, 0.004, -0.002, 0.003, -0.001],
	[0.02, -0.01, 0.03, 0.01, -0.02],
];

test('digamma and trigamma', () => {
	// python3 -c "from scipy.special import psi, polygamma; print([(x, psi(x), float(polygamma(1, x))) for x in (.5, 1, 2.5, 10)])"
	near(digamma(0.5), -1.9635100260214235);
	near(trigamma(0.5), 4.93480220054468);
	near(digamma(1), -0.5772156649015329);
	near(trigamma(1), 1.6449340668482266);
	near(digamma(2.5), 0.7031566406452432);
	near(trigamma(2.5), 0.4903577561002349);
	near(digamma(10), 2.251752589066721);
	near(trigamma(10), 0.10516633568168576);
	assert.ok(Number.isNaN(digamma(0)) && Number.isNaN(trigamma(-1)));
});

test('the inverse of trigamma, up to a cap', () => {
	for (const x of [0.05, 0.5, 2, 3.9]) near(trigammaInverse(trigamma(x), 4), x, 1e-10);
	for (const value of [trigamma(5), 0, -1]) assert.equal(trigammaInverse(value, 4), 4);
});

test('a prior of four cells, and the moderated location of one', () => {
	// Smyth 2004, 6.2, by SciPy: e = log var − psi(2) + log 2, d0 = 2 brentq(polygamma(1, y) − (var(e) − polygamma(1, 2)))
	const prior = priorOf(CELLS);
	near(prior?.df, 1.017109050568237, 1e-9);
	near(prior?.variance, 7.188511615812402e-5, 1e-9);
	const location = locateByT(CELLS[0] as number[], prior);
	near(location?.df, 1.017109050568237 + 4, 1e-9);
	near(location?.sd, 0.01701857617325308, 1e-9);
	near(location?.se, 0.01701857617325308 / Math.sqrt(5), 1e-9);
	near(location?.mean, 0.007);
	assert.equal(location?.averages, null);
});

test('cells of like spread share as much as allowed', () => {
	const alike = Array.from({ length: 6 }, (_, cell) => [0.01, -0.01, 0.02, -0.02].map((d) => d + cell / 100));
	const prior = priorOf(alike);
	assert.equal(prior?.df, 8);
	assert.equal(priorOf(Array.from({ length: 20 }, () => alike[0] as number[]))?.df, 15);
	assert.equal(locateByT(alike[0] as number[], prior)?.df, 11);
	assert.equal(locateByT(alike[0] as number[], null)?.df, 3);
});

test('one cell gives no prior, and one round no location', () => {
	assert.equal(priorOf([CELLS[0] as number[], [0.1]]), null);
	assert.equal(locateByT([0.1], null), null);
});

test('looks by t alone: the documented example up to the first look of ranks, and a cell that equals itself', () => {
	const { plans } = syntheticSeries({ scenarios: ['ping', 'param-json'], designs: ['duet'] });
	const dropped = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055];
	const equal = [0.001, -0.001, 0.002, -0.002, 0, 0, 0, 0, 0];
	const [first, second] = judgeByT(plans[0] as Plan, [dropped, equal], false);
	assert.deepEqual([first?.verdict, first?.rounds], ['regressed', 9]);
	// docs/statistics.md: t alone gives 0.000265 at 9 rounds, with weight 0.12.
	assert.equal(((first?.test.regressed ?? 0) * 0.12).toPrecision(3), '0.000265');
	assert.deepEqual([second?.verdict, second?.rounds], ['unchanged', 4]);
	const [short] = judgeByT(plans[0] as Plan, [dropped.slice(0, 4), equal.slice(0, 4)], false);
	assert.deepEqual([short?.verdict, short?.rounds], ['inconclusive', 4]);
});
