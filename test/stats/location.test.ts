import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endsOf, type Location, locationOf, probabilityAbove, probabilityBelow } from '../../src/stats/location.ts';
import { robustSdOf, TIMER_RESOLUTION } from '../../src/stats/moments.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy 1.17.1).

/** One round far out. */
const FAR = [-0.021, 0.013, -0.008, 0.042, -0.031, -0.3, 0.019, -0.049, 0.005, 0.011, -0.017];
const LEVELS = { low: 0.04, high: 0.02 };

function locate(d: readonly number[], correction = 1): Location {
	const location = locationOf(d, correction);
	assert.ok(location);
	return location;
}

test('from 9 rounds on p is twice the smaller one of t and signed ranks', () => {
	for (const [limit, below, above] of [
		[-0.06, 1, 0.0537109375],
		[-0.02, 0.7144673943466988, 0.3203125],
		[0, 0.30114580338730024, 1],
		[0.03, 0.0029296875, 1],
	] as const) {
		assertClose(probabilityBelow(locate(FAR), limit), below, 1e-11);
		assertClose(probabilityAbove(locate(FAR), limit), above, 1e-11);
	}
});

test('the interval takes the tighter end of t and ranks, each at half the level', () => {
	assertClose(locate(FAR).centre, -0.008);
	const { low, high } = endsOf(locate(FAR), LEVELS);
	assertClose(low, -0.09664176953519822);
	assertClose(high, 0.016);
});

test('below 9 rounds p-value and interval come from t and its mean', () => {
	const eight = locate(FAR.slice(0, 8));
	assert.equal(eight.centre, eight.mean);
	assert.equal(eight.averages, null);
	assert.equal(eight.share, 1);
});

test('correlated rounds silence ranks, and t does not inherit their half', () => {
	const [independent, correlated] = [locate(FAR), locate(FAR, 1.5)];
	assert.equal(correlated.averages, null);
	assert.equal(correlated.share, independent.share);
	assert.equal(correlated.centre, independent.centre);
	assert.ok(probabilityBelow(correlated, 0.03) > 0.05);
	const ends = endsOf(correlated, LEVELS);
	assertClose((ends.high ?? 0) - correlated.mean, 1.5 * (0.04688168248179818 - correlated.mean));
});

test('the interval holds the estimate, and excludes exactly what the tests reject', () => {
	const value = fc.oneof(fc.double({ min: -0.05, max: 0.05, noNaN: true }), fc.constantFrom(-0.3, 0.3, 0));
	const level = fc.double({ min: 0.001, max: 0.2, noNaN: true });
	const limits = fc.double({ min: -0.1, max: 0.1, noNaN: true });
	fc.assert(
		fc.property(fc.array(value, { minLength: 2, maxLength: 24 }), level, limits, (d, alpha, limit) => {
			const location = locate(d);
			const { low, high } = endsOf(location, { low: alpha, high: alpha });
			assert.ok(low !== null && high !== null && low <= location.centre && location.centre <= high);
			if (limit > location.centre) assert.equal(probabilityBelow(location, limit) <= alpha, high < limit);
			if (limit < location.centre) assert.equal(probabilityAbove(location, limit) <= alpha, low > limit);
		}),
		{ seed: 5, numRuns: 500 },
	);
});

test('one round gives no error, and zero rounds no location', () => {
	assert.equal(locationOf([]), null);
	assert.equal(probabilityBelow(locate([-0.5]), 0), 1);
	assert.equal(probabilityAbove(locate([-0.5]), -1), 1);
	assert.deepEqual(endsOf(locate([-0.5]), LEVELS), { low: null, high: null });
});

test('a round far out hardly moves the robust spread, which is never zero', () => {
	assertClose(robustSdOf([1, 2, 3, 4, 5]), 1.4826);
	assertClose(robustSdOf([1, 2, 3, 4, 500]), 1.4826);
	assert.equal(robustSdOf([2, 2, 2, 7]), TIMER_RESOLUTION);
	assert.ok(Number.isNaN(robustSdOf([])));
});
