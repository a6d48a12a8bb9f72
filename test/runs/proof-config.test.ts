import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prove } from '../../evaluation/trend/simulate-bisect.ts';
import { planRun } from '../../src/plan/plan-run.ts';
import { proofConfig, proofLimits } from '../../src/runs/proof-config.ts';
import { createRandom } from '../../src/stats/random.ts';
import { configOf, customServer } from '../prepare/support.ts';

const STEP = 0.1;

test('a proof has to show half of the suspected step, at least one percent', () => {
	assert.deepEqual(proofLimits(STEP), { threshold: 0.05, tolerance: 0.025 });
	assert.equal(proofLimits(0.10144).threshold, 0.051);
	assert.equal(proofLimits(0.003).threshold, 0.01);
});

test('a proof looks for its change even if the metric has its own threshold, and leaves other metrics theirs', () => {
	const margins = {
		throughput: { threshold: 0.2, tolerance: 0.1 },
		'latency-p99': { threshold: 0.25, tolerance: 0.125 },
	};
	const metrics = ['throughput', 'latency-p99'] as const;
	const config = { ...configOf([customServer('.')]), gate: { onInconclusive: 'pass' as const, metrics, margins } };
	const proof = proofConfig(config, STEP, ['throughput']);
	assert.deepEqual([proof.threshold, proof.tolerance], [0.05, 0.025]);
	assert.deepEqual(planRun(proof, [], []).margins, { 'latency-p99': margins['latency-p99'] });
	assert.equal(planRun(proofConfig(config, STEP, metrics), [], []).margins, undefined);
});

for (const { part, expected } of [
	{ part: 1, expected: 'shown' },
	// An apparent −10.1 % in real commits of koa was −8.4 % in its proof.
	{ part: 0.83, expected: 'shown' },
	{ part: 0, expected: 'refuted' },
])
	test(`a proof of a suspected change, ${part * 100} % of it real, is ${expected}`, () => {
		const random = createRandom(7);
		const round = () => Math.log1p(-part * STEP) + 0.025 * random.normal();
		const outcomes = Array.from({ length: 200 }, () => prove(round, Math.log1p(-STEP)).outcome);
		assert.ok(outcomes.filter((outcome) => outcome === expected).length >= 190, String(outcomes));
	});
