/** Why cells share no variance: its effect on a cell that is noisier than the others of its matrix. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrongPasses } from './wrong-passes.ts';

const RUNS = 1_500;
const PROMISE = 0.05;

test('with its own variance a noisy cell passes wrongly as seldom as promised, with a shared one more often', () => {
	assert.ok(wrongPasses(2, false, RUNS) <= PROMISE);
	assert.ok(wrongPasses(2, true, RUNS) > 1.3 * PROMISE);
});
