import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autocannonCompare, compareSeconds } from '../../../evaluation/rules/autocannon-compare.ts';
import { oneRun } from '../../../evaluation/rules/one-run.ts';
import { ratioOf, storedRun } from '../../../evaluation/rules/stored-run.ts';
import { untilGreen } from '../../../evaluation/rules/until-green.ts';
import { welchWindows } from '../../../evaluation/rules/welch-windows.ts';
import { assertClose } from '../../support/close.ts';
import { RUN_SECONDS, runsOf, windowsOf } from '../support/runs.ts';

const WINDOWS = [10000, 10300, 10100];

test('github-action-benchmark alerts when the ratio passes the threshold, not at it', () => {
	const at110 = storedRun(1.1);
	assert.equal(at110.rule, 'github-action-benchmark-110');
	assert.equal(at110.decide(runsOf([1101, 1], [1, 1000])).red, true);
	assert.equal(at110.decide(runsOf([1099, 1], [1, 1000])).red, false);
	assert.equal(storedRun(2).decide(runsOf([2000, 1], [1, 1000])).red, false);
	assert.equal(storedRun(2).decide(runsOf([2001, 1], [1, 1000])).red, true);
	assertClose(ratioOf(200, 100), 2);
	assert.equal(ratioOf(0, 0), 1);
});

test('github-action-benchmark compares head with base of the round before, and its cost is that of head alone', () => {
	const rule = storedRun(1.1);
	assert.equal(rule.decide(runsOf([1000, 5000], [500, 1000])).red, false);
	assert.equal(rule.decide(runsOf([1000, 5000], [500, 1000])).seconds, RUN_SECONDS);
	assert.throws(() => rule.decide(runsOf([1000], [500])), RangeError);
});

test('one run each is red beyond 5 %, on the mean of its windows', () => {
	assert.equal(oneRun.decide(runsOf([1000], [949])).red, true);
	assert.equal(oneRun.decide(runsOf([1000], [951])).red, false);
	assert.equal(oneRun.decide(runsOf([1000], [1100])).red, false);
	assert.equal(oneRun.decide(windowsOf([[900, 1100]], [[900, 990]])).red, true);
	assert.equal(oneRun.decide(runsOf([1000], [949])).seconds, 2 * RUN_SECONDS);
	assert.throws(() => oneRun.decide(windowsOf([[]], [[1]])), RangeError);
});

test('a red job is repeated until it is green or has been red three times, and every attempt counts as cost', () => {
	const decide = (head: readonly number[]) => untilGreen.decide(runsOf([1000, 1000, 1000], head));
	assert.deepEqual(decide([940, 940, 940]), { red: true, undecided: false, seconds: 6 * RUN_SECONDS, used: 3 });
	assert.deepEqual(decide([940, 940, 990]), { red: false, undecided: false, seconds: 6 * RUN_SECONDS, used: 3 });
	assert.deepEqual(decide([940, 990, 940]), { red: false, undecided: false, seconds: 4 * RUN_SECONDS, used: 2 });
	assert.deepEqual(decide([990, 940, 940]), { red: false, undecided: false, seconds: 2 * RUN_SECONDS, used: 1 });
	assert.equal(untilGreen.decide(runsOf([1000], [940])).red, true);
});

test('Welch over windows is red below p of 0.05 and head slower', () => {
	// scipy.stats.ttest_ind(head, WINDOWS, equal_var=False).pvalue: 0.0105 and 0.0606.
	assert.equal(welchWindows.decide(windowsOf([WINDOWS], [[9400, 9700, 9600]])).red, true);
	assert.equal(welchWindows.decide(windowsOf([WINDOWS], [[9700, 9950, 9850]])).red, false);
	assert.equal(welchWindows.decide(windowsOf([[9400, 9700, 9600]], [WINDOWS])).red, false);
	assert.equal(welchWindows.decide(windowsOf([WINDOWS], [WINDOWS])).seconds, 2 * RUN_SECONDS);
});

test('autocannon-compare’s p is that of SciPy from population deviations', () => {
	// scipy.stats.ttest_ind_from_stats(mean(head), std(head), 3, mean(base), std(base), 3, equal_var=False), numpy's std.
	const { t, p, drop } = compareSeconds(WINDOWS, [9400, 9700, 9600]);
	assertClose(t, -5.564556201017818, 1e-12, 't');
	assertClose(p, 0.0051081783619597865, 1e-11, 'p');
	assertClose(drop, 1 - 28700 / 30400, 1e-12, 'drop');
});

test('autocannon-compare is red with p below 0.1 and more than 5 % less, and not with either alone', () => {
	const decide = (head: readonly number[]) => autocannonCompare.decide(windowsOf([WINDOWS], [head])).red;
	// Drop 5.9 %, p = 0.0515 (ttest_ind_from_stats as above): red here, though welch-windows has p = 0.081 and is not.
	assert.equal(decide([9200, 9900, 9500]), true);
	assert.equal(welchWindows.decide(windowsOf([WINDOWS], [[9200, 9900, 9500]])).red, false);
	// p well below 0.1, but 3 % less.
	assert.equal(decide([9820, 9830, 9840]), false);
	// 10 % less, with a large spread.
	assert.equal(decide([6000, 12000, 9360]), false);
	assert.equal(decide([11000, 11010, 11020]), false);
});
