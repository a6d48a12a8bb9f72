import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prove } from '../../evaluation/trend/simulate-bisect.ts';
import { proofLimits } from '../../src/runs/proof-config.ts';
import { createRandom } from '../../src/stats/random.ts';

const STEP = 0.1;

test('a proof has to show half of what is suspected, at least one percent', () => {
	assert.deepEqual(proofLimits(STEP), { threshold: 0.05, tolerance: 0.025 });
	assert.equal(proofLimits(0.10144).threshold, 0.051);
	assert.equal(proofLimits(0.003).threshold, 0.01);
});

for (const { part, expected } of [
	{ part: 1, expected: 'shown' },
	// What looked like −10.1 % in real commits of koa was −8.4 % in its proof.
	{ part: 0.83, expected: 'shown' },
	{ part: 0, expected: 'refuted' },
])
	test(`a change of which ${part * 100} % is there is ${expected}`, () => {
		const random = createRandom(7);
		const round = () => Math.log1p(-part * STEP) + 0.025 * random.normal();
		const outcomes = Array.from({ length: 200 }, () => prove(round, Math.log1p(-STEP)).outcome);
		assert.ok(outcomes.filter((outcome) => outcome === expected).length >= 190, String(outcomes));
	});
