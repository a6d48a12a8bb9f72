import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { studentSurvival } from '../../src/stats/distributions.ts';
import { fisherSurvival, poolSpreads, spreadWith, typicalSpread } from '../../src/stats/pooled-spread.ts';
import { createRandom } from '../../src/stats/random.ts';
import { assertClose } from '../support/close.ts';

const DF = fc.integer({ min: 1, max: 200 });
const F = fc.double({ min: 0.05, max: 20, noNaN: true });

test("Fisher's F with one degree of freedom is the square of Student's t", () => {
	fc.assert(
		fc.property(F, DF, (f, df) => {
			assertClose(fisherSurvival(f, 1, df), 2 * studentSurvival(Math.sqrt(f), df), 1e-9, `${f}, ${df}`);
		}),
	);
});

test("Fisher's F with two degrees of freedom has a closed form", () => {
	fc.assert(
		fc.property(F, DF, (f, df) => {
			assertClose(fisherSurvival(f, 2, df), (1 + (2 * f) / df) ** (-df / 2), 1e-9, `${f}, ${df}`);
		}),
	);
});

test("the reciprocal of Fisher's F swaps its degrees of freedom", () => {
	fc.assert(
		fc.property(F, DF, DF, (f, one, other) => {
			assertClose(fisherSurvival(f, one, other) + fisherSurvival(1 / f, other, one), 1, 1e-9, `${f}, ${one}, ${other}`);
		}),
	);
	assert.equal(fisherSurvival(0, 3, 4), 1);
	assert.equal(fisherSurvival(Number.POSITIVE_INFINITY, 3, 4), 0);
	assert.ok(Number.isNaN(fisherSurvival(1, 0, 4)));
});

test('spreads are pooled by their degrees of freedom', () => {
	assert.equal(poolSpreads([]), null);
	assert.equal(poolSpreads([{ sd: Number.NaN, df: 0 }]), null);
	const pooled = poolSpreads([
		{ sd: 0.01, df: 5 },
		{ sd: 0.04, df: 15 },
	]);
	assert.equal(pooled?.df, 20);
	assertClose(pooled?.sd ?? 0, Math.sqrt((5 * 0.0001 + 15 * 0.0016) / 20), 1e-12, 'pooled');
});

test('a run uses the spread of earlier runs too, unless it is clearly noisier than they were', () => {
	const earlier = [
		{ sd: 0.02, df: 30 },
		{ sd: 0.02, df: 30 },
	];
	assert.deepEqual(spreadWith(null, []), null);
	assert.deepEqual(spreadWith({ sd: 0.03, df: 5 }, []), { sd: 0.03, df: 5 });
	assert.equal(spreadWith(null, earlier)?.df, 60);
	assert.equal(spreadWith({ sd: 0.005, df: 5 }, earlier)?.df, 65, 'calm by chance');
	assert.equal(spreadWith({ sd: 0.025, df: 5 }, earlier)?.df, 65, 'noisier by chance');
	assert.deepEqual(spreadWith({ sd: 0.06, df: 5 }, earlier), { sd: 0.06, df: 5 }, 'noisier');
});

test('the distribution of unlike spreads is recovered', () => {
	assert.equal(typicalSpread([]), null);
	assert.equal(typicalSpread([{ sd: 0.02, df: 3 }]), null);
	const alike = typicalSpread(Array.from({ length: 20 }, () => ({ sd: 0.03, df: 4 })));
	assert.equal(alike?.df, 15);
	const random = createRandom(3, 1);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	const chiSquared = (df: number) => Array.from({ length: df }, () => normal() ** 2).reduce((sum, one) => sum + one);
	const spreads = Array.from({ length: 6000 }, () => {
		const variance = (0.03 ** 2 * 6) / chiSquared(6);
		return { sd: Math.sqrt((variance * chiSquared(4)) / 4), df: 4 };
	});
	const typical = typicalSpread(spreads);
	assert.ok(
		typical && Math.abs(typical.sd / 0.03 - 1) < 0.04 && Math.abs(typical.df / 6 - 1) < 0.2,
		JSON.stringify(typical),
	);
});
