/** Two broken heads beside a good one: one that never starts and one that crashes under load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFaults } from './faults.ts';

const ended = testFaults(['good', 'exit', 'crash']);

test('a run of one round decides nothing, names the smallest budget that could, and is red for rows that head broke', () => {
	const { result, rowOf } = ended();
	assert.equal(result.gate.outcome, 'fail');
	assert.equal(result.ended, 'budget');
	const warning = rowOf('good').warnings.find(({ code }) => code === 'budget-too-small');
	assert.match(warning?.message ?? '', /^Only 1 round was measured; a decision needs 4\. A round took \d+\.\d s\.$/);
});
