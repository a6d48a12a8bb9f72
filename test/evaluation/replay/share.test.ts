import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanOf, shareOf } from '../../../evaluation/replay/share.ts';

function near(actual: number | null, expected: number, tolerance = 1e-9): void {
	assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

test('a share has the exact binomial interval', () => {
	// python3 -c "from scipy.stats import beta; print(beta.ppf(.025, 8, 293), beta.ppf(.975, 9, 292))"
	const share = shareOf(8, 300);
	assert.deepEqual([share.count, share.of], [8, 300]);
	near(share.low, 0.01158156775433392, 1e-12);
	near(share.high, 0.05186581196093096, 1e-12);
});

test('replays that share rounds count as fewer trials with the same share', () => {
	// python3 -c "from scipy.stats import beta; print(beta.ppf(.025, 2.5, 8.5), beta.ppf(.975, 3.5, 7.5))"
	const share = shareOf(40, 160, 10);
	assert.deepEqual([share.count, share.of], [40, 160]);
	near(share.low, 0.044059413552630794, 1e-12);
	near(share.high, 0.6058183181486713, 1e-12);
	assert.deepEqual(shareOf(40, 160, 500), shareOf(40, 160), 'never more than there are');
	assert.deepEqual({ ...shareOf(0, 160, 10), of: 10 }, shareOf(0, 10));
	assert.deepEqual({ ...shareOf(160, 160, 10), of: 10, count: 10 }, shareOf(10, 10));
	assert.throws(() => shareOf(1, 2, -1), RangeError);
});

test('zero trials give no share', () => {
	assert.deepEqual(shareOf(0, 0), { count: 0, of: 0, low: 0, high: 1 });
});

test('a mean has the interval of Student', () => {
	// python3 -c "from scipy import stats; import numpy as np; x=[1,2,4,7]; print(stats.t.interval(.95, 3, np.mean(x), stats.sem(x)))"
	const mean = meanOf([1, 2, 4, 7]);
	assert.equal(mean.value, 3.5);
	assert.equal(mean.of, 4);
	near(mean.low, -0.7099807422985158);
	near(mean.high, 7.709980742298516);
	assert.deepEqual(meanOf([3]), { value: 3, low: null, high: null, of: 1 });
	assert.throws(() => meanOf([]), RangeError);
});
