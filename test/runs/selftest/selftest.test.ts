/** Whole selftests on simulated machines: their counts, conclusions and end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { injectedChange, selftestExitCode, summariseSelftest } from '../../../src/judge/selftest/summarise-selftest.ts';
import { clopperPearson } from '../../../src/stats/distributions.ts';
import type { SelftestResult } from '../../../src/types/selftest.ts';
import { assertClose } from '../../support/close.ts';
import { CONTEXT, simulate } from './simulated.ts';

const quiet = await simulate({ sd: 0.01, budget: 6_000 });

function dropOf({ drops }: SelftestResult, drop: number) {
	const share = drops.find((result) => result.drop === drop);
	assert.ok(share);
	return share;
}

test('on a quiet machine there is no false alarm, and drops beyond the threshold are found', () => {
	assert.equal(quiet.trust, 'sound');
	assert.equal(selftestExitCode(quiet), 0);
	assert.equal(quiet.falseAlarms.count, 0);
	assert.ok(quiet.falseAlarms.of > 40);
	assert.deepEqual(quiet.falseAlarms, {
		count: 0,
		of: quiet.falseAlarms.of,
		...clopperPearson(0, quiet.falseAlarms.of),
	});
	const share = dropOf(quiet, 0.1).regressed;
	assert.ok(share.of > 8 && share.count === share.of);
	assert.equal(dropOf(quiet, 0.02).regressed.count, 0);
	assert.ok(quiet.coverage.all.count / quiet.coverage.all.of >= 0.9);
	assert.equal(quiet.coverage.all.of, quiet.coverage.same.of + quiet.coverage.injected.of);
});

test('spread, achieved drops and bias match the machine', () => {
	const [server] = quiet.servers;
	assert.ok(server && Math.abs(server.roundSd / 0.01 - 1) < 0.1 && Math.abs(server.robustSd / 0.01 - 1) < 0.2);
	assert.equal(server.secondsPerRound, 4);
	for (const { drop, achieved } of quiet.drops) assert.ok(achieved && Math.abs(achieved.value + drop) < 0.005);
	const bias = quiet.positionBias;
	assert.ok(bias && (bias.low as number) < 0 && (bias.high as number) > 0);
	assert.equal(bias.rounds, quiet.trials.filter(({ drop }) => drop === 0).flatMap(({ d }) => d).length);
});

test('a position bias shows, and if it makes false alarms the gate is not to be trusted', async () => {
	const biased = await simulate({ sd: 0.01, bias: -0.08, budget: 1_200 });
	assert.ok((biased.positionBias?.high ?? 0) < -0.06);
	assert.ok(biased.falseAlarms.low > 0.05);
	assert.equal(biased.trust, 'unsound');
	assert.equal(selftestExitCode(biased), 1);
	assert.match(
		biased.reasons[0] ?? '',
		/^Too many false alarms: \d+ of \d+ comparisons of a server with itself were called regressed; at most 5 % are allowed\.$/,
	);
});

test('intervals that miss the truth make the gate untrustworthy, unless the injection missed', async () => {
	const off = await simulate({ sd: 0.005, strength: (rounds) => (rounds < 60 ? 1 : 6), budget: 2_400 });
	assert.ok(off.coverage.injected.high < 0.9);
	assert.equal(off.trust, 'sound');
	assert.deepEqual(new Set(off.warnings.map(({ code }) => code)), new Set(['injection-off']));
	const wrong = off.trials.map((trial) => ({ ...trial, covered: false }));
	const unsound = summariseSelftest(CONTEXT, wrong, 'budget');
	assert.equal(unsound.trust, 'unsound');
	assert.match(unsound.reasons.join(), /^Wrong intervals: none of \d+ contain the real change/);
});

test('an injection that does more or less than intended is corrected, server by server', async () => {
	for (const strength of [0.7, 1.5, 2.5]) {
		const { drops, warnings, coverage } = await simulate({ sd: 0.01, strength: () => strength, budget: 2_400 });
		for (const { drop, achieved } of drops)
			assert.ok(achieved && Math.abs(achieved.value / -drop - 1) < 0.25, `${drop}`);
		assert.deepEqual(warnings, []);
		assert.ok(coverage.injected.count / coverage.injected.of >= 0.9);
	}
});

test('a larger spread costs more and supports larger thresholds only', async () => {
	const noisy = await simulate({ sd: 0.04, budget: 1_200 });
	const quick = await simulate({ sd: 0.01, budget: 1_200 });
	assert.ok((noisy.secondsPerDecision ?? 0) > (quick.secondsPerDecision ?? 0));
	for (const [index, support] of quick.supports.entries()) {
		assert.ok((support.threshold ?? 1) < (noisy.supports[index]?.threshold ?? 1));
	}
});

test('a trial cut short by the end of the budget counts for the spread, not for verdicts', async () => {
	const { trials, falseAlarms, drops, servers, ended } = await simulate({ sd: 0.03, budget: 230 });
	assert.equal(ended, 'budget');
	const cut = trials.filter((trial) => trial.ended === 'budget');
	assert.equal(cut.length, 1);
	assert.equal(falseAlarms.of + drops.reduce((sum, { regressed }) => sum + regressed.of, 0), trials.length - 1);
	assert.equal(servers[0]?.rounds, trials.flatMap(({ d }) => d).length);
});

test('no trial begins that cannot end: a new one needs the time of four rounds', async () => {
	for (const budget of [40, 90, 135, 200]) {
		const { trials } = await simulate({ budget });
		const probing = trials.some(({ drop }) => drop > 0) ? 16 : 0;
		const spent = trials.reduce((sum, { seconds }) => sum + seconds, probing);
		assert.ok(spent <= budget, `${spent} of ${budget} s`);
		assert.ok(trials.length > 0 && trials.every(({ rounds }) => rounds >= 3));
	}
});

test('time that is too short for an injected trial goes to servers against themselves', async () => {
	const { trials } = await simulate({ sd: 0.005, budget: 47 });
	assert.deepEqual(
		trials.map(({ trial, drop, rounds }) => ({ trial, drop, rounds })),
		[1, 3].map((trial) => ({ trial, drop: 0, rounds: 4 })),
	);
});

test('a spread from few rounds is shown without advice', async () => {
	const { servers, supports } = await simulate({ interruptAfter: 3 });
	assert.equal(servers[0]?.rounds, 3);
	assert.deepEqual(supports, []);
});

test('an interrupted selftest reports its finished trials', async () => {
	const result = await simulate({ interruptAfter: 21 });
	assert.equal(result.ended, 'interrupted');
	assert.equal(selftestExitCode(result), 130);
	// Four of them calibrated the injection.
	assert.equal(result.trials.flatMap(({ d }) => d).length, 17);
	assert.equal(result.trials.at(-1)?.ended, 'interrupted');
	assert.ok(result.falseAlarms.of >= 1);
});

test('a selftest that can measure nothing ends early with the reason', async () => {
	const result = await simulate({ broken: true });
	assert.equal(result.ended, 'hopeless');
	assert.equal(result.trust, 'unmeasured');
	assert.equal(selftestExitCode(result), 3);
	assert.deepEqual(result.reasons, ['head: <b>gone</b>']);
	assert.equal(result.trials.length, 5);
	const none = summariseSelftest({ ...CONTEXT, warnings: [{ code: 'x', message: 'no answer' }] }, [], 'hopeless');
	assert.deepEqual([none.trust, none.reasons], ['unmeasured', ['no answer']]);
});

test('without CPU time the achieved drop is unknown and the injection is not faulted', async () => {
	const result = await simulate({ cpu: false, budget: 300 });
	assert.equal(result.cpuTime.available, false);
	assert.ok(result.drops.every(({ achieved }) => achieved === null));
	assert.deepEqual(result.warnings, []);
});

test('an injected drop is a rise if lower is better', () => {
	assertClose(injectedChange('throughput', 0.05), -0.05);
	assertClose(injectedChange('cpu-per-request', 0.05), 1 / 0.95 - 1);
	assert.equal(injectedChange('throughput', 0), 0);
});

test('the same seed gives the same selftest', async () => {
	assert.deepEqual(await simulate({ budget: 300 }), await simulate({ budget: 300 }));
});
