/** Why no variance is shared between cells: what it does to a cell that is noisier than the others of its matrix. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByT } from '../../evaluation/replay/judge-by-t.ts';
import { createRandom } from '../../src/stats/random.ts';
import { planOf, USUAL } from './runs.ts';

const ROUNDS = 20;
const RUNS = 1_500;
const CELLS = 6;
const SPREAD = 0.015;
const PROMISE = 0.05;
const SEED = 5;

/** Share of runs in which the first cell passes although it dropped by the threshold, its rounds spreading `factor` times more. */
function wrongPasses(factor: number, shared: boolean): number {
	const random = createRandom(SEED);
	const plan = planOf({ cells: CELLS, ...USUAL });
	const runs = Array.from({ length: RUNS }, () => {
		const d = plan.cells.map((_, cell) => {
			const [sd, effect] = cell === 0 ? [factor * SPREAD, Math.log1p(-USUAL.threshold)] : [SPREAD, 0];
			return Array.from({ length: ROUNDS }, () => effect + sd * random.normal());
		});
		return judgeByT(plan, d, shared)[0]?.verdict;
	});
	return runs.filter((verdict) => verdict === 'unchanged' || verdict === 'improved').length / RUNS;
}

test('with a variance of its own a noisy cell passes wrongly as seldom as promised, with a shared one more often', () => {
	assert.ok(wrongPasses(2, false) <= PROMISE);
	assert.ok(wrongPasses(2, true) > 1.3 * PROMISE);
});
