/**
 * `/benchgate` in a comment: for people with write access it reruns the pull request's own run; others get no runner.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { parseOrder } from '../../src/github/command.ts';
import { COMMENT_ID, commentEvent, FORK, NUMBER } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { ownWorkflow, shownWorkflow } from '../support/act/workflows.ts';
import { makeWorld, outputsOf, READ_ONLY, startGithub } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';

const world = makeWorld();
const { tiny } = world;
const WORKFLOW = ownWorkflow('command', { workflow: 'benchgate.yml' });
const COMMAND = '/benchgate hello threshold=40%';
const MEASURED = 4000;

/** A workflow that relies on the action alone. */
function unguarded(): string {
	const document = parseDocument(WORKFLOW);
	assert.ok(document.deleteIn(['jobs', 'command', 'if']));
	return document.toString();
}

/** GitHub with a red run of the fork's head, and a token with the permissions of the workflow on comments. */
function startMaintained(t: Scope): Promise<Double> {
	return startGithub(t, world, 'spying', {
		fork: true,
		permissions: { ...READ_ONLY, contents: 'none', checks: 'none', 'pull-requests': 'write', actions: 'write' },
		collaborators: { maintainer: 'write', stranger: 'read' },
		comments: [{ id: COMMENT_ID, issue: NUMBER, body: COMMAND, user: { login: 'maintainer', type: 'User' } }],
		runs: [
			{
				id: MEASURED,
				headSha: tiny.heads.spying,
				headBranch: 'feature',
				headRepository: FORK,
				event: 'pull_request',
				conclusion: 'failure',
				file: 'benchgate.yml',
			},
		],
	});
}

function comment(
	t: Scope,
	double: Double,
	login: string,
	association: string,
	body: string,
	workflow = WORKFLOW,
	cacheFolder?: string,
): Promise<ActRun> {
	return runAct(t, {
		event: 'issue_comment',
		payload: commentEvent(login, association, body),
		workflow,
		repository: { folder: tiny.folder, sha: tiny.tip },
		double,
		actions: world.actions,
		...(cacheFolder !== undefined && { cacheFolder }),
	});
}

test('from a maintainer: the run of the head is rerun, and this job runs none of its code', async (t) => {
	const cache = mkdtempSync(join(tmpdir(), 'benchgate-cache-'));
	t.after(() => rmSync(cache, { recursive: true }));
	const double = await startMaintained(t);
	const run = await comment(t, double, 'maintainer', 'MEMBER', COMMAND, shownWorkflow('command'), cache);
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual(
		double.state.runs.map(({ attempt, status }) => [attempt, status]),
		[[2, 'queued']],
	);
	assert.deepEqual(
		double.state.reactions.map(({ commentId, content }) => [commentId, content]),
		[[COMMENT_ID, 'eyes']],
	);
	const [, answer, ...others] = double.state.comments;
	assert.ok(answer && others.length === 0);
	const order = { run: { id: MEASURED, attempt: 2 }, after: 'failure', command: COMMAND };
	assert.deepEqual(parseOrder(answer.body), order);
	assert.equal(run.readHome('spied.txt'), null, 'the code of the pull request ran');
	assert.deepEqual(run.artifacts, {});
	assert.doesNotMatch(run.text, /[Cc]ache (?:saved|restored|not found)|Round 1/);
	const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	assert.deepEqual(
		kept.map(({ name }) => name).filter((name) => name !== 'bolt.db'),
		[],
	);
});

test('misspelt by a maintainer: a reply in the pull request, nothing started, and the job is green', async (t) => {
	const double = await startMaintained(t);
	const run = await comment(
		t,
		double,
		'maintainer',
		'MEMBER',
		'/benchgate hello treshold=3%',
		shownWorkflow('command'),
	);
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual(
		double.state.reactions.map(({ content }) => content),
		['confused'],
	);
	const [, answer, ...others] = double.state.comments;
	assert.ok(answer && others.length === 0);
	assert.match(
		answer.body,
		/^Nothing was started: "treshold=" is no option; did you mean "threshold="\?\. Write `\/benchgate`/,
	);
	assert.equal(double.state.runs[0]?.attempt, undefined);
});

test('from a stranger: no runner', async (t) => {
	const double = await startMaintained(t);
	const run = await comment(t, double, 'stranger', 'NONE', COMMAND);
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual([run.steps, run.apiCalls], [[], []]);
});

test("from a stranger, with only the action's check: refused, nothing started", async (t) => {
	const double = await startMaintained(t);
	const run = await comment(t, double, 'stranger', 'NONE', COMMAND, unguarded());
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual(outputsOf(run), {});
	assert.deepEqual(
		double.state.reactions.map(({ content }) => content),
		['confused'],
	);
	assert.equal(double.state.comments.length, 1);
	assert.deepEqual(
		double.state.runs.map(({ attempt }) => attempt),
		[undefined],
	);
});

test('any other comment: nothing, not even a request to GitHub', async (t) => {
	const double = await startMaintained(t);
	const talk = 'Should we not run /benchgate here?';
	const [guarded, asked] = [
		await comment(t, double, 'maintainer', 'MEMBER', talk),
		await comment(t, double, 'maintainer', 'MEMBER', talk, unguarded()),
	];
	assert.deepEqual([guarded.exitCode, guarded.steps, guarded.apiCalls], [0, [], []], guarded.text);
	assert.deepEqual([asked.exitCode, asked.apiCalls], [0, []], asked.text);
});
