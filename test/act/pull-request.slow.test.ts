/** Pull requests that take long to measure: one decided as unchanged, and one not decided at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAct } from '../support/act/run-act.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, pullRequestRun, runPullRequest, startGithub } from '../support/act/world.ts';
import { written } from '../support/act/written.ts';

const world = makeWorld();
/** As in pull-request.test.ts. */
const DECIDED = { budget: '3m', warmup: '500ms' };

test('equal work is green; then a broken head takes over the same comment', async (t) => {
	const double = await startGithub(t, world, 'equal');
	const green = await runPullRequest(t, world, 'equal', {
		double,
		workflow: shownWorkflow('simple', DECIDED),
		runId: 1000,
	});
	assertEnded(green, 0, { outcome: 'pass', regressed: '0', invalid: '0' });
	const first = written(double);
	assert.equal(first.check, 'success');
	assert.equal(first.headSha, world.tiny.heads.equal);
	assert.match(first.comment, /tiny\/hello/);
	assert.ok(green.summary.includes('tiny/hello'));
	assert.deepEqual(Object.keys(green.artifacts), ['benchgate']);
	const calls = green.apiCalls.map(({ operationId }) => operationId);
	const order = ['checks/create', 'issues/create-comment', 'issues/update-comment', 'checks/update'];
	assert.deepEqual(
		calls.filter((id) => order.includes(id ?? '')),
		order,
	);
	const [pull] = double.state.pulls;
	assert.ok(pull);
	pull.headSha = world.tiny.heads.broken;
	double.state.checkRuns = [];
	const red = await runPullRequest(t, world, 'broken', { double, workflow: shownWorkflow('simple'), runId: 1001 });
	assertEnded(red, 1, { outcome: 'error', invalid: '1' });
	const second = written(double);
	assert.equal(second.check, 'failure');
	assert.match(second.comment, /invalid/);
	assert.ok(second.comment.includes('"ok":false') || second.comment.includes('ok'), second.comment);
});

test('a slower head is explained: the hunk that carries the loss is linked, annotated and proven', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const [pull] = double.state.pulls;
	assert.ok(pull);
	pull.files = ['lib/tiny.mjs'];
	pull.patches = { 'lib/tiny.mjs': '@@ -4 +4 @@\n-const table\n+const table' };
	const run = await runPullRequest(t, world, 'slower', { double, workflow: shownWorkflow('simple', DECIDED) });
	assertEnded(run, 1, { outcome: 'fail', regressed: '1' });
	const { comment, check, annotations } = written(double);
	assert.equal(check, 'failure');
	const line = `lib/tiny.mjs#L4`;
	assert.match(
		comment,
		new RegExp(
			`\\*\\*Why\\*\\* \\(proven\\): .*${line}\\)\\)? carries 100 % of the loss\\.<br>Without that hunk head is`,
		),
	);
	assert.deepEqual(
		annotations.map((one) => /"path":"([^"]+)"/.exec(JSON.stringify(one))?.[1]),
		['benchgate.yml', 'lib/tiny.mjs'],
	);
	assert.deepEqual(Object.keys(run.artifacts).sort(), ['benchgate', 'benchgate-explanation-attempt-1']);
	assert.ok(run.summary.includes(line) && run.summary.split('### ').length === 2, run.summary);
});

test('a job that is killed while it explains keeps its verdict, its artifact and its report', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const running = await startAct(
		t,
		pullRequestRun(world, 'slower', { double, workflow: shownWorkflow('simple', DECIDED) }),
	);
	const { pid } = await running.waitFor(/dist\/action\.js/);
	await running.says(/The verdict is published\. Explaining 1 row/);
	process.kill(pid, 'SIGKILL');
	const run = await running.ended;
	assert.equal(run.exitCode, 1, run.text);
	assert.equal(written(double).check, 'failure');
	assert.match(written(double).comment, /regressed/);
	assert.match(run.summary, /regressed/);
	assert.deepEqual(Object.keys(run.artifacts), ['benchgate']);
});

test('too little budget is inconclusive, and green by default', async (t) => {
	const double = await startGithub(t, world, 'slower');
	const run = await runPullRequest(t, world, 'slower', { double, workflow: shownWorkflow('simple') });
	assertEnded(run, 0, { outcome: 'inconclusive', inconclusive: '1' });
	assert.match(written(double).comment, /inconclusive/);
});

test('a config that only the pull request has is measured, and the comment explains the effect of merging', async (t) => {
	const double = await startGithub(t, world, 'adopting');
	const workflow = shownWorkflow('simple', { config: 'own.yml' });
	const run = await runPullRequest(t, world, 'adopting', { double, workflow });
	assertEnded(run, 0, { invalid: '0' });
	assert.match(
		written(double).comment,
		/After merging, this gate applies to every pull request\. Then require the check `benchgate` in the rules/,
	);
});

test('a head that crashes is red and shows its last output', async (t) => {
	const double = await startGithub(t, world, 'crashing');
	const run = await runPullRequest(t, world, 'crashing', { double, workflow: shownWorkflow('simple') });
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	assert.equal(written(double).check, 'failure');
	assert.match(written(double).comment, /left-pad is gone/);
});

test('a head that does not build is red and shows the error', async (t) => {
	const double = await startGithub(t, world, 'unbuildable');
	const run = await runPullRequest(t, world, 'unbuildable', { double, workflow: shownWorkflow('simple') });
	assertEnded(run, 1, { outcome: 'error' });
	assert.equal(written(double).check, 'failure');
	assert.match(written(double).comment, /SyntaxError/);
});
