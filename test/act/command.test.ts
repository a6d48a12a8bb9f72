/** `/benchgate` in a comment: for people with write access; nobody else gets so much as a runner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { COMMENT_ID, commentEvent, NUMBER } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { ownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, outputsOf, startGithub } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';

const world = makeWorld();
const { tiny } = world;
const WORKFLOW = ownWorkflow('command');
const COMMAND = '/benchgate hello threshold=40%';

/** The workflow as somebody might write it who relies on the action alone. */
function unguarded(): string {
	const document = parseDocument(WORKFLOW);
	assert.ok(document.deleteIn(['jobs', 'measure', 'if']));
	return document.toString();
}

function startMaintained(t: Scope): Promise<Double> {
	return startGithub(t, world, 'slower', {
		fork: true,
		collaborators: { maintainer: 'write', stranger: 'read' },
		comments: [{ id: COMMENT_ID, issue: NUMBER, body: COMMAND, user: { login: 'maintainer', type: 'User' } }],
	});
}

function comment(
	t: Scope,
	double: Double,
	login: string,
	association: string,
	body: string,
	workflow = WORKFLOW,
): Promise<ActRun> {
	return runAct(t, {
		event: 'issue_comment',
		payload: commentEvent(login, association, body),
		workflow,
		repository: { folder: tiny.folder, sha: tiny.tip },
		double,
		actions: world.actions,
	});
}

test('from a maintainer: the head is measured with what the command says, and answered', async (t) => {
	const double = await startMaintained(t);
	const run = await comment(t, double, 'maintainer', 'MEMBER', COMMAND);
	assertEnded(run, 0, { outcome: 'inconclusive' });
	assert.deepEqual(
		double.state.reactions.map(({ commentId, content }) => [commentId, content]),
		[[COMMENT_ID, 'eyes']],
	);
	const [, answer, ...others] = double.state.comments;
	assert.ok(answer && others.length === 0);
	assert.match(answer.body, /40 %/);
	assert.match(answer.body, /npx benchgate compare --base git:\w+ --head git:\w+ .*--threshold 40%/);
	assert.ok(answer.body.includes(tiny.heads.slower.slice(0, 7)));
});

test('from a stranger: no runner', async (t) => {
	const double = await startMaintained(t);
	const run = await comment(t, double, 'stranger', 'NONE', COMMAND);
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual([run.steps, run.apiCalls], [[], []]);
});

test('from a stranger, when only the action is asked: refused, nothing measured', async (t) => {
	const double = await startMaintained(t);
	const run = await comment(t, double, 'stranger', 'NONE', COMMAND, unguarded());
	assert.equal(run.exitCode, 0, run.text);
	assert.deepEqual(outputsOf(run), {});
	assert.deepEqual(
		double.state.reactions.map(({ content }) => content),
		['confused'],
	);
	assert.equal(double.state.comments.length, 1);
	assert.equal(run.readHome('spied.txt'), null);
});

test('any other comment: nothing, not even a question to GitHub', async (t) => {
	const double = await startMaintained(t);
	const talk = 'Should we not run /benchgate here?';
	const [guarded, asked] = [
		await comment(t, double, 'maintainer', 'MEMBER', talk),
		await comment(t, double, 'maintainer', 'MEMBER', talk, unguarded()),
	];
	assert.deepEqual([guarded.exitCode, guarded.steps, guarded.apiCalls], [0, [], []], guarded.text);
	assert.deepEqual([asked.exitCode, asked.apiCalls], [0, []], asked.text);
});
