import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planRun } from '../../src/plan/plan-run.ts';
import { countingSeconds, estimateSeconds, timingFor } from '../../src/plan/timing.ts';
import { DESIGNS } from '../../src/types/config.ts';
import { cellsOf, exampleConfig, examplePlan } from './example-plan.ts';

const IDS = ['express/ping', 'express/json-post', 'koa/ping'];

test('the plan is the config plus looks and timing', () => {
	const cells = cellsOf(...IDS);
	const [gone] = cellsOf('koa/json-post').map((cell) => ({ ...cell, verdict: 'removed', reason: 'gone' }) as const);
	assert.ok(gone);
	const { looks, ...rest } = planRun(exampleConfig({ rounds: 14, seed: 9, budgetSeconds: 90 }), cells, [gone]);
	assert.deepEqual(rest, {
		seed: 9,
		design: 'duet',
		cells,
		oneSided: [gone],
		metrics: ['throughput'],
		timing: timingFor({ design: 'duet' }),
		budgetSeconds: 90,
	});
	assert.equal(looks.at(-1)?.rounds, 14);
});

test('time is counted part by part', () => {
	const seconds = (rounds: number, design: 'duet' | 'alternating') =>
		Number(estimateSeconds(cellsOf(...IDS), rounds, design, timingFor({ design })).toFixed(9));
	// Two pairs: 2 × (0.7 start + 2.5 first warm-up); one later cell: 1.0; three cells of four windows of 0.5 s.
	const duetRound = 6.4 + 1 + 6;
	assert.equal(seconds(1, 'duet'), Number((duetRound + 3 * 1.2).toFixed(9)));
	assert.equal(seconds(10, 'duet'), Number((10 * duetRound + 3 * 1.2).toFixed(9)));
	assert.equal(seconds(1, 'alternating'), Number((6.4 + 1 + 3 * 6 * 1.1).toFixed(9)));
	assert.equal(estimateSeconds([], 5, 'duet', timingFor({ design: 'duet' })), 0);
});

test('rounds grow with the budget only if it leaves half as much again', () => {
	const needed = (rounds: number) => estimateSeconds(cellsOf(...IDS), rounds, 'duet', timingFor({ design: 'duet' }));
	const last = (budgetSeconds: number) => examplePlan(IDS, { budgetSeconds }).looks.at(-1)?.rounds;
	const budgets = [1, needed(30) - 0.01, needed(30), needed(45) - 0.01, needed(45), needed(68) - 0.01, needed(68), 1e6];
	assert.deepEqual(budgets.map(last), [20, 20, 30, 30, 45, 45, 68, 68]);
});

test('gated counts take their time from the budget of the rounds, at most half of it', () => {
	const needed = estimateSeconds(cellsOf(...IDS), 30, 'duet', timingFor({ design: 'duet' }));
	const gate = { onInconclusive: 'neutral', metrics: ['throughput', 'round-trips'] } as const;
	const last = (budgetSeconds: number) => examplePlan(IDS, { budgetSeconds, gate }).looks.at(-1)?.rounds;
	const counting = countingSeconds(cellsOf(...IDS), gate.metrics);
	assert.equal(counting, 5 * IDS.length);
	assert.deepEqual([last(needed), last(needed + counting)], [20, 30]);
	assert.equal(countingSeconds(cellsOf(...IDS), gate.metrics, counting), counting / 2);
	assert.equal(countingSeconds(cellsOf(...IDS), ['throughput'], 60), 0);
});

test('a requested warm-up is the length of the first, and the limit of later ones', () => {
	const usual = timingFor({ design: 'duet' });
	const long = timingFor({ design: 'duet', warmupSeconds: 20 });
	assert.deepEqual(long, { ...usual, firstWarmup: { requests: 40_000, leastSeconds: 20, mostSeconds: 20 } });
	const short = timingFor({ design: 'alternating', warmupSeconds: 0.2 });
	assert.deepEqual([short.firstWarmup.leastSeconds, short.firstWarmup.mostSeconds], [0.2, 0.2]);
	assert.deepEqual([short.warmup.leastSeconds, short.warmup.mostSeconds], [0.2, 0.2]);
	assert.equal(examplePlan(IDS, { warmupSeconds: 20 }).timing.firstWarmup.leastSeconds, 20);
});

test('requested rounds are planned, whatever the budget', () => {
	assert.equal(examplePlan(IDS, { rounds: 7, budgetSeconds: 1e6 }).looks.at(-1)?.rounds, 7);
});

test('a run of one-sided cells only can be planned', () => {
	assert.equal(examplePlan([]).looks.at(-1)?.rounds, 20);
});

test('more cells and more rounds never take less time', () => {
	const ids = fc.uniqueArray(fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'c/1'), { minLength: 1 });
	fc.assert(
		fc.property(ids, fc.integer({ min: 1, max: 100 }), fc.constantFrom(...DESIGNS), (some, rounds, design) => {
			const timing = timingFor({ design });
			const seconds = estimateSeconds(cellsOf(...some), rounds, design, timing);
			assert.ok(estimateSeconds(cellsOf(...some, 'd/9'), rounds, design, timing) > seconds);
			assert.ok(estimateSeconds(cellsOf(...some), rounds + 1, design, timing) > seconds);
		}),
	);
});
