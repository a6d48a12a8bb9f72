/** The progress of a selftest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDone, describeRunning } from '../../../src/runs/selftest/run-selftest.ts';
import type { SelftestTrial } from '../../../src/types/selftest.ts';
import type { Decision } from '../../../src/types/verdict.ts';
import { simulate } from './simulated.ts';

const { trials } = await simulate({ budget: 600 });
const [same] = trials.filter(({ drop }) => drop === 0) as [SelftestTrial];

test('a finished trial: its intended drop, its outcome and its rounds', () => {
	const trial = {
		...same,
		trial: 3,
		verdict: 'regressed',
		change: -0.0528,
		drop: 0.05,
		rounds: 6,
		seconds: 21.4,
	} as const;
	assert.equal(
		describeDone({ ...trial, scenario: 'ping' }),
		'Trial 3: app/ping, with head slowed by 5 %: regressed, −5.3 % after 6 rounds, 21 s',
	);
	assert.match(describeDone({ ...trial, ended: 'interrupted' }), /, cut short$/);
	assert.match(describeDone({ ...trial, change: null, verdict: 'invalid' }), /: invalid after 6 rounds/);
});

test('a change of another metric than throughput is named: more of it is worse', () => {
	const trial = { ...same, drop: 0.03, judgedBy: 'cpu-per-request', change: 0.0381 } as const;
	assert.match(describeDone(trial), /: unchanged, CPU per request \+3\.8 % after/);
});

test('while a trial runs the next round is named, and no round follows its verdict', async () => {
	const seen: { rounds: number; decision: Decision }[] = [];
	const simulated = await simulate({ budget: 600, onDecision: (rounds, decision) => seen.push({ rounds, decision }) });
	const line = (at: number) => {
		const { rounds, decision } = seen[at] as (typeof seen)[number];
		const trial = { number: 1, cell: 'app/ping', drop: 0, seed: 1 };
		return describeRunning(trial, rounds, decision, 95);
	};
	assert.equal(line(0), 'Trial 1: app/ping, against itself, round 1; at most 1 min 35 s left');
	assert.match(line(3), /^Trial 1: app\/ping, against itself, round 4, [+−]?[\d.]+ % so far; at most/);
	assert.ok(simulated.trials.filter(({ ended }) => ended === 'decided').length > 5);
	// A message that the next round does not fit into the budget already includes its end.
	const cut = simulated.trials.filter(({ ended }) => ended === 'budget').length;
	const rounds = simulated.trials.reduce((sum, trial) => sum + trial.rounds, 0);
	assert.equal(seen.length, rounds + cut);
});
