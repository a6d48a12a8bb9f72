/** Pull requests of Dependabot: a branch of the repository, but a read-only token and no secrets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzip } from '../support/act/artifact.ts';
import { NUMBER, pullRequestEvent, workflowRunEvent } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, READ_ONLY, startGithub } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';

const world = makeWorld();
const { tiny } = world;
const BOT = 'dependabot[bot]';
const MEASURED = 4000;

function runBot(t: Scope, double: Double, workflow: string): Promise<ActRun> {
	const event = pullRequestEvent(tiny.tip, tiny.heads.broken) as { pull_request: object };
	const user = { login: BOT, type: 'Bot' };
	return runAct(t, {
		event: 'pull_request',
		payload: { ...event, sender: user, pull_request: { ...event.pull_request, user } },
		workflow,
		repository: { folder: tiny.folder, sha: tiny.merges.broken },
		double,
		actions: world.actions,
		runId: MEASURED,
		actor: BOT,
	});
}

test('with the pair: measured and gated without a warning, then commented by the other workflow', async (t) => {
	const double = await startGithub(t, world, 'broken', { permissions: READ_ONLY });
	const measured = await runBot(t, double, shownWorkflow('measure'));
	assertEnded(measured, 1, { outcome: 'error', invalid: '1' });
	assert.deepEqual(
		measured.messages.filter(({ title }) => title?.includes('missing-permission')),
		[],
	);
	assert.deepEqual([double.state.comments, double.state.checkRuns], [[], []]);
	assert.ok((await unzip(measured.artifacts.benchgate ?? Buffer.alloc(0)))['publication.json']);

	const repository = 'o/tiny-framework';
	double.state.permissions = {};
	double.state.artifacts = Object.entries(measured.artifacts).map(([name, zip]) => ({
		id: 1,
		name,
		runId: MEASURED,
		zip,
	}));
	const reported = await runAct(t, {
		event: 'workflow_run',
		payload: workflowRunEvent(MEASURED, tiny.heads.broken, repository, 'failure'),
		workflow: shownWorkflow('report'),
		repository: { folder: tiny.folder, sha: tiny.tip },
		double,
		actions: world.actions,
		runId: 4001,
		actor: BOT,
	});
	assert.equal(reported.exitCode, 0, reported.text);
	assert.deepEqual(
		double.state.comments.map(({ issue }) => issue),
		[NUMBER],
	);
	assert.deepEqual(
		double.state.checkRuns.map(({ name, headSha, conclusion }) => [name, headSha, conclusion]),
		[['benchgate', tiny.heads.broken, 'failure']],
	);
});

test('with one workflow: the same gate, and a warning with the remedy instead of permissions that are there', async (t) => {
	const double = await startGithub(t, world, 'broken', { permissions: READ_ONLY });
	const run = await runBot(t, double, shownWorkflow('simple'));
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
	const warnings = run.messages.filter(({ title }) => title?.includes('missing-permission'));
	assert.ok(warnings.length > 0);
	for (const { text } of warnings) assert.match(text, /from Dependabot.*mode: report on workflow_run/);
});
