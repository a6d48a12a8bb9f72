/** A user's own service in another language: the same is called unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertExit, compareSides } from '../support/cli.ts';
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
