import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { quantileOf, rebin } from '../../../src/report/html/page/draw-histogram.ts';

const histogram = fc
	.uniqueArray(
		fc
			.integer({ min: 10, max: 99 })
			.chain((digits) => fc.integer({ min: 0, max: 4 }).map((zeros) => digits * 10 ** zeros)),
		{ minLength: 1 },
	)
	.chain((values) =>
		fc.tuple(
			...values
				.toSorted((a, b) => a - b)
				.map((value) => fc.tuple(fc.constant(value), fc.integer({ min: 1, max: 500 }))),
		),
	);

test('bins hold all requests in ascending order', () => {
	fc.assert(
		fc.property(histogram, (values) => {
			const bins = rebin(values);
			const total = bins.reduce((sum, { percent }) => sum + percent, 0);
			assert.ok(Math.abs(total - 100) < 1e-6, `${total}`);
			assert.ok(bins.every(({ ms }, at) => at === 0 || ms > (bins[at - 1]?.ms ?? 0)));
			assert.equal(bins[0]?.percent, 0);
			assert.equal(bins.at(-1)?.percent, 0);
		}),
	);
});

test('an even spread stays even: no comb from rounding to two digits', () => {
	const even = Array.from({ length: 90 }, (_, at) => [1000 + at * 100, 100 / (10 + at)] as const);
	const inner = rebin(even).slice(3, -3);
	const shares = inner.map(({ percent }) => percent);
	assert.ok(Math.max(...shares) / Math.min(...shares) < 1.2, shares.map((share) => share.toFixed(1)).join(' '));
});

test('a quantile is the smallest latency that enough requests stayed within', () => {
	const values = [
		[1000, 50],
		[2000, 49],
		[9000, 1],
	] as const;
	assert.equal(quantileOf(values, 0.5), 1);
	assert.equal(quantileOf(values, 0.51), 2);
	assert.equal(quantileOf(values, 0.99), 2);
	assert.equal(quantileOf(values, 1), 9);
});

test('an empty histogram has no bins', () => {
	assert.deepEqual(rebin([]), []);
});
