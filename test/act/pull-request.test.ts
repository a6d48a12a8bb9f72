/** Pull requests from a branch of the same repository, where the token may write: one comment, one check, one artifact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, outputsOf, runPullRequest, startGithub } from '../support/act/world.ts';
import { written } from '../support/act/written.ts';

const world = makeWorld();
/** Differences this large are decided at the first look, after half a minute; a busy machine may need more. */
const DECIDED = { budget: '3m', warmup: '500ms' };

test('a slower head is red, after all reports', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const workflow = shownWorkflow('simple', { ...DECIDED, explain: 'never' });
	const run = await runPullRequest(t, world, 'slower', { double, workflow });
	assertEnded(run, 1, { outcome: 'fail', regressed: '1' });
	const { 'worst-change': worst, 'comment-url': url } = outputsOf(run);
	assert.ok(Number(worst) < -0.3 && Number(worst) > -0.95, worst);
	assert.match(url ?? '', /^https:/);
	const { comment, check, annotations } = written(double);
	assert.equal(check, 'failure');
	assert.match(comment, /regressed/);
	assert.match(comment, /benchgate: accepted/);
	assert.match(JSON.stringify(annotations), /"path":"benchgate\.yml"/);
	assert.deepEqual(Object.keys(run.artifacts), ['benchgate']);
	assert.ok(run.summary.includes('tiny/hello'), run.summary);
	assert.ok(run.messages.some(({ level }) => level === 'error'));
});

test('a change of code that no row runs is green without a measurement, and named', async (t) => {
	const double = await startGithub(t, world, 'idle');
	const run = await runPullRequest(t, world, 'idle', { double, workflow: shownWorkflow('simple') });
	assertEnded(run, 0, { outcome: 'pass' });
	const { check, comment } = written(double);
	assert.equal(check, 'success');
	for (const text of [comment, run.summary]) {
		assert.match(text, /No scenario runs changed code, so nothing was measured\. Changed but not exercised .*version/);
	}
	assert.doesNotMatch(run.text, /Round 1/);
});

test('a change of the documentation alone is green without a measurement', async (t) => {
	const double = await startGithub(t, world, 'docs');
	const run = await runPullRequest(t, world, 'docs', { double, workflow: shownWorkflow('simple') });
	assertEnded(run, 0, { outcome: 'pass' });
	assert.equal(written(double).check, 'success');
	assert.match(written(double).comment, /nothing relevant changed/i);
	assert.doesNotMatch(run.text, /Round 1/);
});
