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

test('titles give the outcome and its size in one line', () => {
	const title = (conclusion: Conclusion, gate: GateMode = 'enforce'): string => titleOf(conclusion, { gate });
	const [worst] = resultCase('one-regressed').gate.reasons;
	assert.ok(worst);
	assert.match(
		title(compared('unchanged')),
		/^No regression of 5 % or more in 6 scenarios\. Lowest: express\/json-post −1\.2 % requests\/s \(−3\.0 % to \+0\.6 %\)\.$/,
	);
	assert.match(
		title(compared('improved')),
		/^2 of 6 scenarios improved; no regression of 5 % or more in the other 4\. Best: /,
	);
	assert.match(title(compared('several')), /^2 of 7 rows regressed\. Worst: express\/ping −12\.2 % requests\/s \(/);
	assert.ok(`1 of 6 scenarios regressed: ${worst}`.startsWith(title(compared('one-regressed')).replace(/…$/, '')));
	assert.match(title(compared('one-regressed'), 'advisory'), /^Regression, not enforced: 1 of 6 scenarios regressed: /);
	assert.match(title(accepted), /^Accepted by octocat: 1 of 6 scenarios regressed: express\/json-post −8\.7 % /);
	assert.match(
		title(compared('inconclusive')),
		/^Inconclusive: 2 of 6 scenarios could not be decided; no regression of 5 % or more in the other 4\. /,
	);
	assert.match(
		title(compared('nothing-measured')),
		/^Head is broken, so nothing was measured: the head server express exited at start: exit code 1; it printed: Error: Canno…$/,
	);
	assert.match(
		title(compared('invalid')),
		/^2 of 6 scenarios are broken, on head only: json-post answers wrongly and json-nested crashed\. /,
	);
	assert.match(
		title(compared('invalid'), 'advisory'),
		/^Fail, not enforced: 2 of 6 scenarios are broken, on head only: /,
	);
	assert.match(title(compared('gone-in-head')), /^3 scenarios of base are missing in head: /);
	assert.equal(title(baseDoesNotBuild), 'Base does not build: npm ci failed with exit code 1');
	assert.equal(title({ kind: 'cancelled' }), 'Cancelled before there was a result');
});

test('a title does not repeat its beginning', () => {
	const failed = (failure: object): string =>
		titleOf({ ...baseDoesNotBuild, failure: { ...baseDoesNotBuild.failure, ...failure } } as Conclusion, {
			gate: 'enforce',
		});
	assert.equal(
		failed({ code: 'network', message: 'no network: npm ci got no answer' }),
		'No network: npm ci got no answer',
	);
	assert.equal(
		failed({ code: 'internal', side: null, message: 'benchgate itself failed: Cannot read x' }),
		'benchgate itself failed: Cannot read x',
	);
});

test('an accepted row is not the title of a check that another row turns red', () => {
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
