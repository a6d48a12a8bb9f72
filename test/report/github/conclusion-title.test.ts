import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptRegression } from '../../../src/judge/accept.ts';
import { titleOf } from '../../../src/report/github/conclusion-title.ts';
import type { Conclusion, GateMode } from '../../../src/types/action-run.ts';
import { resultCase } from '../../support/result-cases.ts';

const compared = (name: string): Conclusion => ({ kind: 'compared', result: resultCase(name) });
const baseDoesNotBuild: Conclusion = {
	kind: 'failed',
	failure: {
		code: 'build-failed',
		side: 'base',
		message: 'npm ci failed with exit code 1',
		where: null,
		remedy: null,
		details: null,
		usage: false,
	},
};
const accepted: Conclusion = {
	kind: 'compared',
	result: acceptRegression(resultCase('one-regressed'), { by: 'octocat', via: 'label', reason: null }),
};

test('titles say in one line what happened and by how much', () => {
	const title = (conclusion: Conclusion, gate: GateMode = 'enforce'): string => titleOf(conclusion, gate);
	const worst = 'express/json-post throughput −8.7 % (threshold 5 %)';
	assert.equal(title(compared('unchanged')), 'All 6 cells are unchanged');
	assert.equal(title(compared('improved')), '2 of 6 cells improved, 4 unchanged');
	assert.equal(title(compared('several')), 'Regression: express/ping throughput −12.2 % (threshold 5 %), and 1 more');
	assert.equal(title(compared('one-regressed'), 'advisory'), `Regression, not enforced: ${worst}`);
	assert.equal(title(accepted), `Accepted regression: ${worst}`);
	assert.equal(title(compared('inconclusive')), 'Inconclusive: 2 of 6 cells are inconclusive, 4 unchanged');
	assert.equal(
		title(compared('nothing-measured')),
		'Nothing could be measured. Not measured, because invalid: express/ping.',
	);
	assert.equal(title(baseDoesNotBuild), 'Base does not build: npm ci failed with exit code 1');
	assert.equal(title({ kind: 'cancelled' }), 'Cancelled before there was a result');
});
