/** A `/benchgate` comment reruns the pull request's own run; the job that reads it runs none of its code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommandMode } from '../../../src/action/modes/command-mode.ts';
import type { ModeOutcome } from '../../../src/action/modes/mode-outcome.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { parseOrder } from '../../../src/github/command.ts';
import type { BenchCommand, MisreadCommand } from '../../../src/types/action-run.ts';
import type { Warning } from '../../../src/types/units.ts';
import { connect, HEAD, runOf } from '../../github/support.ts';
import { examplePull } from '../../support/github/state.ts';
import type { Double, DoubleState, StoredRun } from '../../support/github/types.ts';
import { runnerOf } from '../request/example-events.ts';

const ALL: BenchCommand = { scenarios: [], threshold: undefined };
const SOME: BenchCommand = { scenarios: ['json-post', 'ping'], threshold: '40%' };
const RUN: StoredRun = {
	id: 70,
	headSha: HEAD,
	headBranch: 'topic',
	headRepository: 'fork/r',
	event: 'pull_request',
	conclusion: 'failure',
};
/** Permissions of the job in the workflow on comments. */
const PERMISSIONS: DoubleState['permissions'] = {
	contents: 'none',
	issues: 'none',
	checks: 'none',
	statuses: 'none',
	'pull-requests': 'write',
	actions: 'write',
};

interface Commanded {
	readonly outcome: ModeOutcome;
	readonly double: Double;
	readonly warnings: readonly Warning[];
	/** Bodies of the replies under the comment. */
	readonly answers: readonly string[];
}

async function command(
	t: TestContext,
	asked: BenchCommand | MisreadCommand,
	state: Partial<DoubleState> = {},
	user = 'maintainer',
): Promise<Commanded> {
	const { github, double } = await connect(t, {
		permissions: PERMISSIONS,
		pulls: [examplePull({ headRepository: 'fork/r' })],
		collaborators: { maintainer: 'write', triager: 'triage', stranger: 'read' },
		comments: [{ id: 99, issue: 1, body: '/benchgate', user: { login: user, type: 'User' } }],
		runs: [{ ...RUN }],
		...state,
	});
	const warnings: Warning[] = [];
	const runner = runnerOf('issue_comment', {}, { repository: { owner: 'o', repo: 'r' }, run: runOf(500) });
	const inputs = parseInputs({ workflow: 'bench.yml' });
	const request = { kind: 'command', command: asked, pullRequestNumber: 1, commentId: 99, user } as const;
	const outcome = await runCommandMode({ inputs, runner, github, warnings }, request);
	return { outcome, double, warnings, answers: double.state.comments.slice(1).map(({ body }) => body) };
}

const reactions = ({ state }: Double) => state.reactions.map(({ content }) => content);

test('without arguments: the run of the head is rerun, with a reaction as the reply', async (t) => {
	const { outcome, double, answers, warnings } = await command(t, ALL);
	assert.deepEqual([double.state.runs[0]?.attempt, double.state.runs[0]?.status], [2, 'queued']);
	assert.deepEqual([reactions(double), answers, warnings, outcome.fail], [['eyes'], [], [], []]);
});

test('with arguments: they are stored for the next attempt, before it can begin', async (t) => {
	const { double, answers } = await command(t, SOME, { runs: [{ ...RUN, attempt: 4 }] });
	assert.equal(answers.length, 1);
	assert.deepEqual(parseOrder(answers[0] ?? ''), {
		run: { id: 70, attempt: 5 },
		after: 'failure',
		command: '/benchgate json-post ping threshold=40%',
	});
	assert.match(answers[0] ?? '', /does not change the gate/);
	const writes = double.calls.filter(({ method }) => method === 'POST').map(({ operationId }) => operationId);
	assert.deepEqual(writes, ['reactions/create-for-issue-comment', 'issues/create-comment', 'actions/re-run-workflow']);
});

test('misspelt: nothing runs, and the reply quotes it harmlessly with the right form', async (t) => {
	const problem = '"usr=<b>@octocat" is no option';
	const { outcome, double, answers } = await command(t, { problem });
	assert.deepEqual([reactions(double), outcome.fail, double.state.runs[0]?.attempt], [['confused'], [], undefined]);
	assert.equal(answers.length, 1);
	assert.match(
		answers[0] ?? '',
		/^Nothing was started: "usr=&lt;b&gt;@\u200boctocat" is no option\. Write `\/benchgate`/,
	);
});

test('misspelt by a stranger: no reply', async (t) => {
	const { double, answers } = await command(t, { problem: 'x' }, {}, 'stranger');
	assert.deepEqual([reactions(double), answers], [['confused'], []]);
});

for (const user of ['triager', 'stranger', 'nobody']) {
	test(`from ${user}: nothing runs, without a reply`, async (t) => {
		const { outcome, double, answers } = await command(t, SOME, {}, user);
		assert.deepEqual([reactions(double), answers, outcome.fail], [['confused'], [], []]);
		assert.equal(double.state.runs[0]?.attempt, undefined);
		assert.match(outcome.log ?? '', /no write access/);
	});
}

const REFUSALS: readonly (readonly [string, Partial<DoubleState>, RegExp])[] = [
	['the run has not ended', { runs: [{ ...RUN, status: 'in_progress', conclusion: null }] }, /has not ended.*Repeat/],
	['an approval is missing', { runs: [{ ...RUN, conclusion: 'action_required' }] }, /never ran.*approve the run/],
	['every job was left out', { runs: [{ ...RUN, conclusion: 'skipped' }] }, /never ran.*Push a commit/],
	['there is no run', { runs: [], workflows: ['bench.yml'] }, /has not run for `aaaaaaaaaa`.*Push a commit/],
	['only an older commit was measured', { runs: [{ ...RUN, headSha: 'c'.repeat(40) }] }, /has not run for/],
	['there is no such workflow', { runs: [] }, /no workflow `bench\.yml`.*input `workflow`/],
];

for (const [when, state, answer] of REFUSALS) {
	test(`${when}: nothing runs, and the reply names the remedy`, async (t) => {
		const { outcome, double, answers } = await command(t, SOME, state);
		assert.equal(answers.length, 1);
		assert.match(answers[0] ?? '', answer);
		assert.equal(parseOrder(answers[0] ?? ''), null);
		assert.ok(double.state.runs.every(({ attempt }) => attempt === undefined));
		assert.deepEqual(outcome.fail, []);
	});
}

test('GitHub refuses the rerun: the order is deleted, and the reply says so', async (t) => {
	const message = 'Unable to retry this workflow run because it was created over a month ago';
	const { double, answers } = await command(t, SOME, {
		faults: [{ match: /rerun/, status: 403, body: { message }, times: 1 }],
	});
	assert.equal(answers.length, 1);
	assert.equal(parseOrder(answers[0] ?? ''), null);
	assert.match(answers[0] ?? '', /Nothing was started: .*over a month ago.*Push a commit/);
	assert.equal(double.state.runs[0]?.attempt, undefined);
});

test('an order that cannot be deleted either is named, to be deleted by hand', async (t) => {
	const { outcome, answers } = await command(t, SOME, {
		faults: [
			{ match: /rerun/, status: 403, body: { message: 'This workflow is already running' }, times: 1 },
			{ match: /^PATCH/, status: 403, body: { message: 'Resource not accessible by integration' }, times: 1 },
		],
	});
	assert.notEqual(parseOrder(answers[0] ?? ''), null);
	assert.match(
		outcome.fail.join(),
		/pull-requests: write.* Delete the comment https:\/\/\S+#issuecomment-\d+: nothing was started/,
	);
});

test('if the order cannot be stored, nothing starts: the whole suite was not requested', async (t) => {
	const { outcome, double } = await command(t, SOME, { permissions: { ...PERMISSIONS, 'pull-requests': 'read' } });
	assert.equal(double.state.runs[0]?.attempt, undefined);
	assert.match(outcome.fail.join(), /pull-requests: write/);
});

test('the code that reads commands imports nothing that measures, builds, fetches commits or stores installs', () => {
	const root = fileURLToPath(new URL('../../../', import.meta.url));
	const seen = new Set<string>();
	const visit = (file: string): void => {
		if (seen.has(file)) return;
		seen.add(file);
		const text = readFileSync(join(root, file), 'utf8');
		for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm)) {
			visit(relative(root, join(root, dirname(file), name)));
		}
	};
	visit('src/action/modes/command-mode.ts');
	assert.ok(seen.has('src/github/command.ts'), [...seen].join(' '));
	const forbidden =
		/^src\/(?:measure|prepare|runs|process|inject)\/|^src\/action\/(?:services|commits|config)\/|compare-mode/;
	assert.deepEqual(
		[...seen].filter((file) => forbidden.test(file)),
		[],
	);
});
