import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { studentQuantile } from '../../src/stats/distributions.ts';
import { changeOf, END_ERROR, estimateOf } from '../../src/stats/estimate.ts';
import { lag1Correction, lag1Of, momentsOf, TIMER_RESOLUTION } from '../../src/stats/moments.ts';
import { hodgesLehmannOf, signedRankEnds, walshAverages } from '../../src/stats/signed-rank.ts';
import { formatPercent, formatSignedPercent } from '../../src/text/numbers.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy 1.17.1).

const D = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055];
const EIGHT = D.slice(0, 8);
const LEVELS = { low: 0.01, high: 0.006 };

test('mean, spread, standard error and t interval agree with SciPy', () => {
	const estimate = estimateOf('throughput', EIGHT, LEVELS);
	assert.ok(estimate);
	assertClose(estimate.mean, -0.058625);
	assert.equal(estimate.centre, estimate.mean);
	assertClose(estimate.sd, 0.018905309156046993);
	assertClose(estimate.se, 0.006684036152334477);
	assertClose(estimate.change, Math.expm1(-0.058625));
	assertClose(estimate.interval.low, Math.expm1(-0.07866341665589703));
	assertClose(estimate.interval.high, Math.expm1(-0.036132395929367345));
	assert.equal(estimate.interval.confidence, 0.9);
	assertClose(lag1Of(D), -0.3833190895784831);
});

test('from 9 rounds on the estimate is Hodges–Lehmann, and each end the tighter one of t and ranks at half its level', () => {
	const estimate = estimateOf('throughput', D, { low: 2 * LEVELS.low, high: 2 * LEVELS.high });
	assert.ok(estimate);
	assertClose(estimate.mean, -0.058222222222222224);
	assertClose(estimate.centre, -0.0575);
	assertClose(estimate.change, Math.expm1(-0.0575));
	// python3 test/oracle/reference.py, "halves9": the low end is that of t, the high end that of ranks.
	assertClose(estimate.interval.low, Math.expm1(-0.07533598266871061));
	assertClose(estimate.interval.high, Math.expm1(-0.04));
});

test('ranks of 6 to 8 rounds cannot contradict t: the mean lies in their interval, and they fall on its side of a limit', () => {
	const d = fc.array(fc.integer({ min: -400, max: 1000 }), { minLength: 6, maxLength: 8 });
	let clear = 0;
	fc.assert(
		fc.property(d, (thousandths) => {
			const values = thousandths.map((value) => value / 1000);
			const moments = momentsOf(values);
			assert.ok(moments);
			const averages = walshAverages(values);
			const ends = signedRankEnds(averages, { low: END_ERROR, high: END_ERROR });
			const [low, high] = [ends.low ?? Number.NEGATIVE_INFINITY, ends.high ?? Number.POSITIVE_INFINITY];
			assert.ok(low - 1e-12 <= moments.mean && moments.mean <= high + 1e-12, `${low} ${moments.mean} ${high}`);
			const t = moments.mean / moments.se;
			if (Math.abs(t) < studentQuantile(0.95, values.length - 1)) return;
			clear++;
			assert.equal(Math.sign(hodgesLehmannOf(averages)), Math.sign(t));
		}),
		{ seed: 54, numRuns: 20_000 },
	);
	assert.ok(clear > 500, `${clear}`);
});

test('for a metric whose lower values are better, the change is negated and the ends of the interval swap', () => {
	const estimate = estimateOf('cpu-per-request', EIGHT, LEVELS);
	assert.ok(estimate);
	assertClose(estimate.change, Math.expm1(0.058625));
	assertClose(estimate.interval.low, Math.expm1(0.036132395929367345));
	assertClose(estimate.interval.high, Math.expm1(0.07866341665589703));
	assert.equal(changeOf('latency-p99', -Math.log1p(0.25)), 0.25);
	assertClose(changeOf('throughput', Math.log1p(-0.05)), -0.05);
});

test('one round gives an estimate without an interval, and zero rounds no estimate', () => {
	const estimate = estimateOf('throughput', [-0.02], LEVELS);
	assert.deepEqual(estimate?.interval, { low: null, high: null, confidence: 0.9 });
	assert.equal(estimate?.se, Number.POSITIVE_INFINITY);
	assert.equal(estimate?.lag1, null);
	assert.equal(estimateOf('throughput', [], LEVELS), null);
});

test('equal rounds have the standard error of the timer, never zero', () => {
	assert.equal(momentsOf([0.5, 0.5, 0.5, 0.5])?.se, TIMER_RESOLUTION);
});

test('correlated rounds widen the standard error by √((1 + r) / (1 − r)), from r above 0.2', () => {
	assert.equal(lag1Correction(null), 1);
	assert.equal(lag1Correction(0.2), 1);
	assertClose(lag1Correction(0.5), Math.sqrt(3));
	assert.ok(Number.isFinite(lag1Correction(1)));
	assertClose((momentsOf(D, 2)?.se ?? 0) / (momentsOf(D)?.se ?? 1), 2);
	assert.equal(lag1Of([1, 2, 3]), null);
	assert.equal(lag1Of([4, 4, 4, 4]), 0);
});

test('percentages are worded with a true minus sign and no negative zero', () => {
	assert.equal(formatPercent(0.05, 1), '5 %');
	assert.equal(formatPercent(-0.0614, 1), '−6.1 %');
	assert.equal(formatPercent(-0.0001, 1), '0 %');
	assert.equal(formatSignedPercent(0.0526), '+5.3 %');
	assert.equal(formatSignedPercent(-0.5), '−50 %');
	assert.equal(formatSignedPercent(0.0001), '0 %');
});
