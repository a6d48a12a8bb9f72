/**
 * A user's own service in another language: equal sides are unchanged, and ten times the work per request regressed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertExit, compareSides } from '../../support/cli.ts';
import { PYTHON, pythonSide } from './python-api.ts';

test('a Python server against itself is unchanged', async (t) => {
	const files = { ...pythonSide('base', 10), ...pythonSide('head', 10), 'benchgate.yml': PYTHON };
	const { run, result, row } = await compareSides(t, files, '120s');
	assert.equal(row.verdict, 'unchanged', run.stdout);
	assert.equal(result.gate.outcome, 'pass');
	assertExit(run, 0);
	assert.match(run.stdout, /^PASS {2}.*users\/list-users/s);
	assert.equal(result.seed, 7);
});

test('ten times the work per request is a regression', async (t) => {
	const files = { ...pythonSide('base', 10), ...pythonSide('head', 100), 'benchgate.yml': PYTHON };
	const { run, result, row } = await compareSides(t, files, '120s');
	assert.equal(row.verdict, 'regressed', run.stdout);
	assert.equal(result.gate.outcome, 'fail');
	assertExit(run, 1);
	const change = row.change ?? 0;
	// On a busy machine the sides may get unequal shares of their CPU; then the cost of a request decides.
	const drop = row.judgedBy === 'throughput' ? change : 1 / (1 + change) - 1;
	// A request costs more than the work alone, so less than ten times as much.
	assert.ok(drop < -0.5 && drop > -0.92, `${row.judgedBy} ${change}`);
	assert.match(run.stdout, /^FAIL {2}users\/list-users [−+]\d+(?:\.\d)? % (?:requests\/s|CPU per request) \(limit /);
});
