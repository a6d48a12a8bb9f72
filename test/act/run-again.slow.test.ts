/** A rerun of a pull request's run: the API gives the comment's order to a read-only token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOrder } from '../../src/github/command.ts';
import { unzip } from '../support/act/artifact.ts';
import { FORK, NUMBER, pullRequestEvent } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, pullRequestRun, READ_ONLY, startGithub } from '../support/act/world.ts';
import type { Account, Double } from '../support/github/types.ts';

const world = makeWorld();
const MEASURED = 4000;
const ACTIONS: Account = { login: 'github-actions[bot]', type: 'Bot' };

function startOrdered(
	t: Scope,
	after: string,
	user = ACTIONS,
	command = '/benchgate hello threshold=95%',
): Promise<Double> {
	const body = formatOrder({ run: { id: MEASURED, attempt: 2 }, after, command });
	return startGithub(t, world, 'broken', {
		fork: true,
		permissions: READ_ONLY,
		comments: [{ id: 99, issue: NUMBER, body, user }],
	});
}

function again(t: Scope, double: Double, attempt = '2'): Promise<ActRun> {
	const options = { double, workflow: shownWorkflow('measure'), runId: MEASURED, fork: true };
	return runAct(t, { ...pullRequestRun(world, 'broken', options), env: { GITHUB_RUN_ATTEMPT: attempt } });
}

const writes = ({ calls }: Double) => calls.filter(({ method }) => method !== 'GET').map(({ path }) => path);

async function publicationOf(run: ActRun): Promise<{ commentKey: string; gate: string; threshold: number }> {
	const files = await unzip(run.artifacts.benchgate ?? Buffer.alloc(0));
	const { commentKey, gate, conclusion } = JSON.parse(files['publication.json'] ?? '{}');
	return { commentKey, gate, threshold: conclusion.result.threshold };
}

test('the order is measured beside the gate, and red stays red', async (t) => {
	const double = await startOrdered(t, 'failure');
	const run = await again(t, double);
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	assert.deepEqual(await publicationOf(run), { commentKey: 'command', gate: 'advisory', threshold: 0.95 });
	assert.match(run.text, /measured only \/benchgate hello threshold=95%.*ended with failure, and that stands/);
	assert.deepEqual(writes(double), []);
});

test('green stays green, because the rerun does not gate', async (t) => {
	const double = await startOrdered(t, 'success');
	const run = await again(t, double);
	assertEnded(run, 0, { outcome: 'error', invalid: '1' });
	assert.deepEqual(writes(double), []);
});

test('an unknown scenario: the command is neutral, the job stays as it was, and the text lists the valid ones', async (t) => {
	const double = await startOrdered(t, 'success', ACTIONS, '/benchgate helo');
	const run = await again(t, double);
	assertEnded(run, 0, { outcome: 'error' });
	assert.match(
		run.summary,
		/The command does not fit the config[\s\S]*\*\*Next:\*\* Write "\/benchgate hello" in a new comment/,
	);
	assert.match(run.summary, /\*\*Check:\*\* neutral\. A `\/benchgate` comment blocks nothing\./);
});

test('a stranger who writes the same line changes nothing: everything is measured, and gates', async (t) => {
	const double = await startOrdered(t, 'success', { login: 'stranger', type: 'User' });
	const run = await again(t, double);
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	assert.deepEqual(await publicationOf(run), { commentKey: 'default', gate: 'enforce', threshold: 0.3 });
});

test('the first attempt does not look for orders', async (t) => {
	const double = await startOrdered(t, 'success');
	const run = await again(t, double, '1');
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	// The one request looks for acceptances of red rows.
	const requests = run.apiCalls.filter(({ operationId }) => operationId === 'issues/list-comments');
	assert.equal(requests.length, 1);
});

test('an old event does not bring old rules back: config and merge base are those of the current branch', async (t) => {
	const { tiny } = world;
	const double = await startGithub(t, world, 'broken', { fork: true, permissions: READ_ONLY });
	const options = { double, workflow: shownWorkflow('measure'), runId: MEASURED, fork: true };
	const payload = pullRequestEvent(tiny.root, tiny.heads.broken, FORK);
	const run = await runAct(t, { ...pullRequestRun(world, 'broken', options), payload });
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	const files = await unzip(run.artifacts.benchgate ?? Buffer.alloc(0));
	const { conclusion } = JSON.parse(files['publication.json'] ?? '{}');
	assert.match(
		conclusion.result.reproduce,
		new RegExp(`--base git:${tiny.base} .*--config git:${tiny.tip}:benchgate\\.yml`),
	);
});

test('on an enterprise server the log warns before measuring that the reporting workflow gets nothing', async (t) => {
	const double = await startGithub(t, world, 'broken', { fork: true, permissions: READ_ONLY });
	const options = { double, workflow: shownWorkflow('measureSteps'), runId: MEASURED, fork: true };
	const env = { GITHUB_SERVER_URL: 'https://git.acme.example', BENCHGATE_ARTIFACT_DIR: '' };
	const run = await runAct(t, { ...pullRequestRun(world, 'broken', options), env });
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	const position = run.text.indexOf('a reporting workflow gets nothing to publish');
	assert.ok(position >= 0 && position < run.text.indexOf('Resolving revisions'), run.text);
});
