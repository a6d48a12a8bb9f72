import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptRedRows } from '../../../src/judge/acceptance.ts';
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
	result: acceptRedRows(resultCase('one-regressed'), [{ by: 'octocat', via: 'label', reason: null }]),
};

test('titles say in one line what happened and by how much', () => {
	const title = (conclusion: Conclusion, gate: GateMode = 'enforce'): string => titleOf(conclusion, { gate });
	const worst = 'express/json-post −8.7 % requests/s (allowed: −5 %)';
	assert.equal(title(compared('unchanged')), 'None of 6 scenarios got slower by 5 % or more');
	assert.equal(
		title(compared('improved')),
		'2 of 6 scenarios got faster; none of the others got slower by 5 % or more',
	);
	assert.equal(title(compared('several')), 'Regression: express/ping −12.2 % requests/s (allowed: −5 %), and 1 more');
	assert.equal(title(compared('one-regressed'), 'advisory'), `Regression, not enforced: ${worst}`);
	assert.equal(title(accepted), `Accepted by octocat: ${worst}`);
	assert.equal(
		title(compared('inconclusive')),
		'Inconclusive: 2 of 6 scenarios could not be decided; none of the others got slower by 5 % or more',
	);
	assert.match(
		title(compared('nothing-measured')),
		/^Head is broken, so nothing was measured: the head server express exited at start: exit code 1; it printed: Error: Canno…$/,
	);
	assert.equal(
		title(compared('invalid')),
		'Head broke 2 of 6 scenarios: json-post answers wrongly and static-file crashed. None of the other 4 scenarios got slowe…',
	);
	assert.match(title(compared('invalid'), 'advisory'), /^Not enforced: Head broke 2 of 6 scenarios: /);
	assert.match(
		titleOf(compared('base-broken'), { gate: 'enforce', acceptLabel: 'a label' }),
		/^Base is broken, head is fine: nothing to fix in this/,
	);
	assert.match(title(compared('gone-in-head')), /^3 scenarios of the base branch are gone in head: /);
	assert.equal(title(baseDoesNotBuild), 'Base does not build: npm ci failed with exit code 1');
	assert.equal(title({ kind: 'cancelled' }), 'Cancelled before there was a result');
});

test('what is accepted is not the title of a check that something else turns red', () => {
	const { cells, ...rest } = resultCase('one-regressed');
	const open = resultCase('inconclusive').cells.filter(({ verdict }) => verdict === 'inconclusive');
	const result = acceptRedRows({ ...rest, cells: [...cells, ...open.slice(0, 1)] }, [
		{ by: 'octocat', via: 'label', reason: null },
	]);
	assert.equal(result.gate.outcome, 'inconclusive');
	const title = (onInconclusive: 'pass' | 'fail') =>
		titleOf({ kind: 'compared', result }, { gate: 'enforce', onInconclusive });
	assert.match(title('pass'), /^Accepted by octocat: /);
	assert.match(title('fail'), /^Inconclusive: /);
});
