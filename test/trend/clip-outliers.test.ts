import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clipOutliers } from '../../src/trend/clip-outliers.ts';

const clip = (y: readonly number[], sd = 1) => [
	...clipOutliers(Float64Array.from(y), new Float64Array(y.length).fill(sd), 2),
];

test('a lone outlier is moved to two standard deviations from its neighbours', () => {
	assert.deepEqual(clip([0, 0, 0, 50, 0, 0, 0]), [0, 0, 0, 2, 0, 0, 0]);
	assert.deepEqual(clip([0, 0, 0, 0, 0, 0, -50]), [0, 0, 0, 0, 0, 0, -2]);
	assert.deepEqual(clip([50, 0, 0, 0, 0, 0, 0]), [2, 0, 0, 0, 0, 0, 0]);
});

test('a step is kept, however large', () => {
	const step = [0, 0, 0, 0, 50, 50, 50, 50];
	assert.deepEqual(clip(step), step);
});

test('a step of three points at either end is kept; two are outliers until there is a third', () => {
	for (const step of [
		[0, 0, 0, 0, 0, 50, 50, 50],
		[50, 50, 50, 0, 0, 0, 0, 0],
	])
		assert.deepEqual(clip(step), step);
	assert.deepEqual(clip([0, 0, 0, 0, 0, 0, 50, 50]), [0, 0, 0, 0, 0, 0, 2, 2]);
});

test('clipping moves no value away from its neighbours, and mirrors and shifts with them', () => {
	const curves = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 25 });
	fc.assert(
		fc.property(curves, fc.integer({ min: -9, max: 9 }), (y, shift) => {
			const clipped = clip(y);
			const [least, most] = [Math.min(...y), Math.max(...y)];
			assert.ok(clipped.every((value) => value >= least && value <= most));
			assert.deepEqual(
				clip(y.map((value) => shift - value)),
				clipped.map((value) => shift - value),
			);
		}),
		{ seed: 5 },
	);
});
