import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJson } from '../../src/formats/result/result-file.ts';
import { acceptRegression } from '../../src/judge/accept.ts';
import type { Acceptance } from '../../src/types/verdict.ts';
import { resultCase } from '../support/result-cases.ts';

const acceptance: Acceptance = { by: 'octocat', via: 'body', reason: 'a security fix' };

test('an accepted regression passes; rows, verdicts and reasons stay as they were', () => {
	const failed = resultCase('several');
	const { gate, ...rest } = acceptRegression(failed, acceptance);
	assert.deepEqual(gate, { outcome: 'pass', reasons: failed.gate.reasons, accepted: acceptance });
	const { gate: failedGate, ...others } = failed;
	assert.deepEqual(rest, others);
	assert.equal(failedGate.outcome, 'fail');
});

test('a gate that did not fail has nothing to accept', () => {
	for (const name of ['unchanged', 'inconclusive', 'base-broken', 'nothing-measured']) {
		const result = resultCase(name);
		assert.equal(acceptRegression(result, acceptance), result);
	}
});

test('the result file says who accepted and why', () => {
	const { gate } = JSON.parse(renderJson(acceptRegression(resultCase('one-regressed'), acceptance)));
	assert.deepEqual(gate.accepted, acceptance);
	assert.deepEqual(Object.keys(gate), ['outcome', 'reasons', 'accepted']);
});
