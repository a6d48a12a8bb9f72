import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchstat } from '../../../evaluation/rules/benchstat.ts';
import { nodeCompare } from '../../../evaluation/rules/node-compare.ts';
import { rankSumTest } from '../../../evaluation/rules/rank-sum.ts';
import type { PeerRule } from '../../../evaluation/rules/rule.ts';
import { sampleOf, welch } from '../../../evaluation/rules/welch.ts';
import { assertClose } from '../../support/close.ts';
import { noisyRuns, RUN_SECONDS, runsOf } from '../support/runs.ts';

const BASE = [10120, 10230, 9980, 10060, 10190, 10010, 10150, 10090, 10240, 9950];
const HEAD = [9700, 9830, 10020, 9650, 9900, 9740, 9810, 9960, 9600, 9870];

test('Welch’s t, df and p are those of SciPy', () => {
	// scipy.stats.ttest_ind(HEAD, BASE, equal_var=False)
	const { t, df, p } = welch(sampleOf(BASE), sampleOf(HEAD));
	assertClose(t, -5.474987965123675, 1e-12, 't');
	assertClose(df, 16.73999128285851, 1e-12, 'df');
	assertClose(p, 4.337070692436436e-5, 1e-11, 'p');
	// ttest_ind([96, 98, 97], [100, 103, 101], equal_var=False)
	const small = welch(sampleOf([100, 103, 101]), sampleOf([96, 98, 97]));
	assertClose(small.df, 3.4482758620689657, 1e-12, 'df');
	assertClose(small.p, 0.019855117523634926, 1e-11, 'p');
});

test('Welch’s t without any spread depends on the means alone, and one value gives no p', () => {
	assert.equal(welch(sampleOf([5, 5]), sampleOf([5, 5])).p, 1);
	assert.deepEqual(welch(sampleOf([5, 5]), sampleOf([4, 4])), { t: Number.NEGATIVE_INFINITY, df: 2, p: 0 });
	assert.ok(Number.isNaN(welch(sampleOf([5]), sampleOf([4])).p));
});

test('the rank sum p is that of SciPy without ties', () => {
	// scipy.stats.mannwhitneyu(BASE, HEAD, method='exact')
	assertClose(rankSumTest(BASE, HEAD), 0.00012990105869362836, 1e-12);
	assertClose(rankSumTest(HEAD, BASE), 0.00012990105869362836, 1e-12);
	// mannwhitneyu([1, 2, 5], [3, 4, 6, 7], method='exact')
	assertClose(rankSumTest([1, 2, 5], [3, 4, 6, 7]), 0.22857142857142856, 1e-12);
	// mannwhitneyu(range(1, 11), [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 0], method='exact')
	const whole = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
	assertClose(rankSumTest(whole, [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 0]), 0.7393643508194593, 1e-12);
});

test('the rank sum p with ties is that of benchstat’s own library', () => {
	// go-moremath f10218a, stats.MannWhitneyUTest(base, head, LocationDiffers); SciPy's permutation_test of rank sums agrees.
	assertClose(rankSumTest([5, 6, 6, 7, 8], [3, 4, 5, 5, 6]), 0.07936507936507936, 1e-12);
	assertClose(rankSumTest([1, 1, 2, 3], [2, 3, 3, 4, 5, 5]), 0.06666666666666667, 1e-12);
	assert.equal(rankSumTest([5, 5, 5], [5, 5, 5]), 1);
	assert.equal(rankSumTest([], []), 1);
});

test('benchstat is red for a clear drop, green for equal sides and for a rise, and costs 10 runs of each side', () => {
	for (const rule of [benchstat('blocks'), benchstat('interleaved')]) {
		assert.equal(rule.decide(noisyRuns(rule.pairs, 0.05)).red, true);
		assert.equal(rule.decide(noisyRuns(rule.pairs, 0)).red, false);
		assert.equal(rule.decide(noisyRuns(rule.pairs, -0.05)).red, false);
		assert.equal(rule.decide(noisyRuns(60, 0)).seconds, 20 * RUN_SECONDS);
	}
});

test('benchstat in blocks takes a slow-down of the machine for one of head, interleaved it does not', () => {
	const drifting = Array.from({ length: 20 }, (_, run) => 10_000 - 10 * run);
	assert.equal(benchstat('blocks').decide(runsOf(drifting, drifting)).red, true);
	assert.equal(benchstat('interleaved').decide(runsOf(drifting, drifting)).red, false);
});

test('benchstat is red at p of 0.05 and less: 4 runs of each side suffice, 3 do not', () => {
	// Least p with n runs of each side, all of head below all of base: 2 / C(2n, n), which is 0.1 for 3 and 0.0286 for 4.
	const rule = benchstat('interleaved');
	assert.equal(rule.decide(runsOf([10, 11, 12, 13], [6, 7, 8, 9])).red, true);
	assert.equal(rule.decide(runsOf([10, 11, 12], [7, 8, 9])).red, false);
});

test('Node’s compare is red at one star, takes 30 runs of each side at most, and needs 2', () => {
	assert.equal(nodeCompare.decide(noisyRuns(40, 0.02)).red, true);
	assert.equal(nodeCompare.decide(noisyRuns(40, -0.02)).red, false);
	assert.equal(nodeCompare.decide(noisyRuns(40, 0)).seconds, 60 * RUN_SECONDS);
	assert.equal(nodeCompare.decide(noisyRuns(12, 0.02)).seconds, 24 * RUN_SECONDS);
	assert.equal(nodeCompare.decide(runsOf([10], [5])).red, false);
	// ttest_ind([9700, 9950, 9850], [10000, 10300, 10100], equal_var=False).pvalue is 0.0606, with 9400, 9700, 9600 it is 0.0105.
	assert.equal(nodeCompare.decide(runsOf([10000, 10300, 10100], [9700, 9950, 9850])).red, false);
	assert.equal(nodeCompare.decide(runsOf([10000, 10300, 10100], [9400, 9700, 9600])).red, true);
});

test('Node’s compare and interleaved benchstat call head slower in 1 of 40 comparisons of equal sides', () => {
	const runs = 800;
	const redOf = (rule: PeerRule) =>
		Array.from({ length: runs }, (_, seed) => rule.decide(noisyRuns(rule.pairs, 0, 0.02, seed))).filter(
			({ red }) => red,
		).length;
	// 20 of 800 expected, 4.4 is the standard deviation; a two-sided rule that forgot the direction would have 40.
	for (const rule of [nodeCompare, benchstat('interleaved')]) {
		const red = redOf(rule);
		assert.ok(red >= 6 && red <= 33, `${rule.rule}: ${red} of ${runs}`);
	}
});
