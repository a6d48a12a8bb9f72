import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EarlierSpreads, levelOf } from '../../../src/judge/baseline/level.ts';
import { readRun } from '../../../src/judge/looks/run-so-far.ts';
import { studentQuantile } from '../../../src/stats/distributions.ts';
import type { Cell } from '../../../src/types/plan.ts';
import { assertClose } from '../../support/close.ts';
import { scriptPlan, scriptRounds, spread, type Turn } from '../../support/rounds.ts';

const PLAN = scriptPlan(['ping']);
const NO_EARLIER: EarlierSpreads = () => [];

function levelAfter(turns: readonly (number | Turn)[], earlier = NO_EARLIER) {
	const rounds = scriptRounds(turns);
	return levelOf(PLAN.cells[0] as Cell, 'throughput', readRun(PLAN, rounds)(rounds.length, null), earlier);
}

test('a level is the centre of the rounds, with the standard error and interval of their spread', () => {
	const level = levelAfter(spread(8, -0.03, 0.02));
	const se = 0.02 / Math.sqrt(8);
	assertClose(level.theta ?? 0, -0.03, 1e-9, 'theta');
	assertClose(level.se ?? 0, se, 1e-9, 'se');
	assertClose(level.low ?? 0, -0.03 + studentQuantile(0.025, 7) * se, 1e-9, 'low');
	assertClose(level.high ?? 0, -0.03 - studentQuantile(0.025, 7) * se, 1e-9, 'high');
	assert.deepEqual([level.rounds, level.judgedBy], [8, 'throughput']);
	assertClose(level.roundSd ?? 0, 0.02, 1e-9, 'sd');
});

test('from 9 rounds on it allows for the cost of Hodges–Lehmann with normal rounds', () => {
	const level = levelAfter(spread(12, 0.01, 0.02));
	assertClose(level.se ?? 0, (0.02 / Math.sqrt(12)) * Math.sqrt(Math.PI / 3), 1e-9, 'se');
});

test('the spread of earlier runs counts by its degrees of freedom, and makes the interval narrower', () => {
	const requests: unknown[] = [];
	const level = levelAfter(spread(6, 0, 0.02), (row) => {
		requests.push(row);
		return [{ sd: 0.03, df: 45 }];
	});
	assert.deepEqual(requests, [{ server: 'app', scenario: 'ping', metric: 'throughput', judgedBy: 'throughput' }]);
	const pooled = Math.sqrt((5 * 0.0004 + 45 * 0.0009) / 50);
	assertClose(level.se ?? 0, pooled / Math.sqrt(6), 1e-9, 'se');
	assertClose((level.high ?? 0) / (level.se ?? 1), -studentQuantile(0.025, 50), 1e-6, 'quantile');
	assertClose(level.roundSd ?? 0, 0.02, 1e-9, "the record keeps the run's own spread");
});

test('zero rounds, or one round of unknown spread, have no level', () => {
	for (const turns of [[], [0.01]]) {
		const { theta, se, low, high, rounds } = levelAfter(turns);
		assert.deepEqual([theta, se, low, high, rounds], [null, null, null, null, turns.length]);
	}
});

test('with the generator at its limit the level is that of CPU per request', () => {
	const d = spread(8, -0.04, 0.01);
	const level = levelAfter(d.map((cpu) => ({ d: 0, cpu, generator: 0.99 })));
	assert.equal(level.judgedBy, 'cpu-per-request');
	assertClose(level.theta ?? 0, -0.04, 1e-9, 'theta');
});
