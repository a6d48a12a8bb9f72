/** Pull requests from a branch of the same repository, where the token may write: one comment, one check, one artifact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NUMBER } from '../support/act/events.ts';
import { callingWorkflow, readmeWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, outputsOf, runPullRequest, startGithub } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';

const world = makeWorld();
/** Differences as large as these are decided at the first look, after half a minute; a machine under load may need more. */
const DECIDED = { budget: '3m' };

/** The one comment and the one check of a state; fails when there are others. */
function written({ state }: Double): {
	comment: string;
	check: string | null;
	headSha: string;
	annotations: unknown[];
} {
	assert.equal(state.comments.length, 1);
	assert.equal(state.comments[0]?.issue, NUMBER);
	const [check, ...others] = state.checkRuns;
	assert.ok(check && others.length === 0);
	assert.equal(check.status, 'completed');
	const { conclusion, headSha, annotations } = check;
	return { comment: state.comments[0].body, check: conclusion, headSha, annotations };
}

test('equal work is green; then a broken head takes over the same comment', async (t) => {
	const double = await startGithub(t, world, 'equal');
	const green = await runPullRequest(t, world, 'equal', {
		double,
		workflow: callingWorkflow(DECIDED),
		runId: 1000,
	});
	assertEnded(green, 0, { outcome: 'pass', regressed: '0', invalid: '0' });
	const first = written(double);
	assert.equal(first.check, 'success');
	assert.equal(first.headSha, world.tiny.heads.equal);
	assert.match(first.comment, /tiny\/hello/);
	assert.ok(green.summary.includes('tiny/hello'));
	assert.deepEqual(Object.keys(green.artifacts), ['benchgate']);
	const asked = green.apiCalls.map(({ operationId }) => operationId);
	const order = ['checks/create', 'issues/create-comment', 'issues/update-comment', 'checks/update'];
	assert.deepEqual(
		asked.filter((id) => order.includes(id ?? '')),
		order,
	);
	const [pull] = double.state.pulls;
	assert.ok(pull);
	pull.headSha = world.tiny.heads.broken;
	double.state.checkRuns = [];
	const red = await runPullRequest(t, world, 'broken', { double, workflow: readmeWorkflow('simple'), runId: 1001 });
	assertEnded(red, 1, { outcome: 'error', invalid: '1' });
	const second = written(double);
	assert.equal(second.check, 'failure');
	assert.match(second.comment, /invalid/);
	assert.ok(second.comment.includes('"ok":false') || second.comment.includes('ok'), second.comment);
});

test('a slower head is red, after everything is said', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const run = await runPullRequest(t, world, 'slower', { double, workflow: readmeWorkflow('simple', DECIDED) });
	assertEnded(run, 1, { outcome: 'fail', regressed: '1' });
	const { 'worst-change': worst, 'comment-url': url } = outputsOf(run);
	assert.ok(Number(worst) < -0.3 && Number(worst) > -0.8, worst);
	assert.match(url ?? '', /^https:/);
	const { comment, check, annotations } = written(double);
	assert.equal(check, 'failure');
	assert.match(comment, /regressed/);
	assert.match(comment, /benchgate: accepted/);
	assert.equal(annotations.length, 1);
	assert.match(JSON.stringify(annotations[0]), /"path":"benchgate\.yml"/);
	assert.ok(run.messages.some(({ level }) => level === 'error'));
});

test('too little budget is inconclusive, and green by default', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const run = await runPullRequest(t, world, 'slower', { double, workflow: readmeWorkflow('simple') });
	assertEnded(run, 0, { outcome: 'inconclusive', inconclusive: '1' });
	assert.match(written(double).comment, /inconclusive/);
});

test('a head that crashes is red and shows its last words', async (t) => {
	const double = await startGithub(t, world, 'crashing');
	const run = await runPullRequest(t, world, 'crashing', { double, workflow: readmeWorkflow('simple') });
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	assert.equal(written(double).check, 'failure');
	assert.match(written(double).comment, /left-pad is gone/);
});

test('a head that does not build is red and shows why', async (t) => {
	const double = await startGithub(t, world, 'unbuildable');
	const run = await runPullRequest(t, world, 'unbuildable', { double, workflow: readmeWorkflow('simple') });
	assertEnded(run, 1, { outcome: 'error' });
	assert.equal(written(double).check, 'failure');
	assert.match(written(double).comment, /SyntaxError/);
});

test('a change of the documentation alone is green without a measurement', async (t) => {
	const double = await startGithub(t, world, 'docs');
	const run = await runPullRequest(t, world, 'docs', { double, workflow: readmeWorkflow('simple') });
	assertEnded(run, 0, { outcome: 'pass' });
	assert.equal(written(double).check, 'success');
	assert.match(written(double).comment, /nothing relevant changed/i);
	assert.doesNotMatch(run.text, /Round 1/);
});
