/** A pull request from a fork in the workflow for branches: its token may not write. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, READ_ONLY, runPullRequest, startGithub } from '../support/act/world.ts';

const world = makeWorld();

test('a fork with a workflow that wants to comment: a warning with the remedy, and the same gate', async (t) => {
	const double = await startGithub(t, world, 'broken', { fork: true, permissions: READ_ONLY });
	const workflow = shownWorkflow('simple');
	const run = await runPullRequest(t, world, 'broken', { double, workflow, fork: true });
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	assert.deepEqual(double.state.comments, []);
	const warnings = run.messages.filter(({ level }) => level === 'warning').map(({ text }) => text);
	assert.ok(
		warnings.some((text) => /fork/.test(text) && /workflow_run|report/.test(text)),
		warnings.join('\n'),
	);
	assert.match(run.summary, /fork/);
});
