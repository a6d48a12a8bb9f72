import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PEERS } from '../../../evaluation/rules/peers.ts';
import { relativeDifference, tachometer } from '../../../evaluation/rules/tachometer.ts';
import { pairedTest, untilSignificant } from '../../../evaluation/rules/until-significant.ts';
import { sampleOf } from '../../../evaluation/rules/welch.ts';
import { assertClose } from '../../support/close.ts';
import { noisyRuns, RUN_SECONDS, runsOf } from '../support/runs.ts';

/** Runs whose rates alternate by `swing` on both sides, in turn; head slower by `drop`. */
function swinging(pairs: number, swing: number, drop: number) {
	const rates = Array.from({ length: pairs }, (_, pair) => 10_000 * (1 + (pair % 2 === 0 ? swing : -swing)));
	return runsOf(
		rates,
		rates.map((rate) => rate * (1 - drop)),
	);
}

test('tachometer’s interval is its formula with SciPy’s t', () => {
	// numpy, scipy: a, h = two samples; va, vh = var(ddof=1)/5; m = mean(h)/mean(a) - 1;
	// w = t.ppf(.975, 4) * sqrt((va * mean(h)**2 + vh * mean(a)**2) / mean(a)**4); m - w, m + w
	const { low, high } = relativeDifference(sampleOf([98, 101, 103, 99, 100]), sampleOf([104, 107, 103, 108, 106]));
	assertClose(low, 0.0179567968978827, 1e-12, 'low');
	assertClose(high, 0.0898276342398416, 1e-12, 'high');
});

test('tachometer stops after 50 samples of each side when the interval leaves 0', () => {
	const slower = tachometer.decide(noisyRuns(100, 0.05));
	assert.deepEqual(slower, { red: true, undecided: false, seconds: 100 * RUN_SECONDS, used: 50 });
	assert.deepEqual(tachometer.decide(noisyRuns(100, -0.05)), { ...slower, red: false });
});

test('tachometer continues in tens until 3 minutes have passed at the start of the last sample, then is inconclusive', () => {
	// A pair takes 14 s: 10 more end at 140 s, the last begins at 133 s; 20 more at 280 s, which is too late.
	assert.deepEqual(tachometer.decide(swinging(100, 0.05, 0)), {
		red: false,
		undecided: true,
		seconds: 140 * RUN_SECONDS,
		used: 70,
	});
});

test('tachometer is red as soon as a batch resolves it', () => {
	// Margin with n samples of each side: about t · 0.05 · √(2 / (n − 1)); 2.0 % at 50, 1.85 % at 60.
	assert.deepEqual(tachometer.decide(swinging(100, 0.05, 0.019)), {
		red: true,
		undecided: false,
		seconds: 120 * RUN_SECONDS,
		used: 60,
	});
});

test('tachometer looks once at fewer than 50 samples', () => {
	assert.deepEqual(tachometer.decide(noisyRuns(40, 0.05)), {
		red: true,
		undecided: false,
		seconds: 80 * RUN_SECONDS,
		used: 40,
	});
	assert.equal(tachometer.decide(swinging(40, 0.05, 0.001)).undecided, true);
	assert.equal(tachometer.decide(runsOf([10], [5])).undecided, true);
});

test('the paired test’s p is that of SciPy', () => {
	// scipy.stats.ttest_1samp([-0.012, -0.004, -0.02, 0.003, -0.011], 0)
	const { t, p } = pairedTest([-0.012, -0.004, -0.02, 0.003, -0.011]);
	assertClose(t, -2.2616205129910796, 1e-12, 't');
	assertClose(p, 0.08652525277860615, 1e-11, 'p');
	assert.deepEqual(pairedTest([-1]), { t: 0, p: 1 });
});

test('retrying until significant stops at the first significant drop, never before round 3', () => {
	assert.equal(untilSignificant.decide(noisyRuns(20, 0.2, 0.001)).seconds, 6 * RUN_SECONDS);
	assert.equal(untilSignificant.decide(noisyRuns(20, 0.2, 0.001)).red, true);
	const rise = untilSignificant.decide(noisyRuns(20, -0.2, 0.001));
	assert.deepEqual(rise, { red: false, undecided: false, seconds: 40 * RUN_SECONDS, used: 20 });
	assert.equal(untilSignificant.decide(noisyRuns(2, 0.2, 0.001)).red, false);
});

test('retrying until significant raises false alarms far more often than the 2.5 % of one look', () => {
	const runs = 3000;
	let red = 0;
	for (let seed = 0; seed < runs; seed++) red += untilSignificant.decide(noisyRuns(20, 0, 0.02, seed)).red ? 1 : 0;
	// 12.0 % of 5,000 with NumPy and SciPy: d = default_rng(1).normal(size=(5000, 20)), counted when any n of 3..20 has
	// r = ttest_1samp(d[:, :n], 0, axis=1) with r.pvalue < .05 and r.statistic < 0.
	assert.ok(red / runs > 0.09 && red / runs < 0.14, `${red} of ${runs}`);
});

test('every rule has its own name, documentation and number of pairs, and answers with 2 pairs', () => {
	assert.equal(new Set(PEERS.map(({ rule }) => rule)).size, PEERS.length);
	for (const { rule, title, reference, pairs, decide } of PEERS) {
		assert.match(rule, /^[a-z0-9-]+$/);
		assert.ok(title && reference && pairs >= 1, rule);
		const verdict = decide(noisyRuns(2, 0));
		assert.ok(verdict.seconds > 0 && !(verdict.red && verdict.undecided), rule);
		assert.throws(() => decide(runsOf([], [])), RangeError, rule);
	}
});
