/**
 * Repeated runs in the trusted reporter: an ordered run never replaces the gate's result, and a repetition is labelled.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOrder, parseOrder } from '../../../src/github/command.ts';
import { HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import type { Account, Double, StoredCheckRun, StoredComment } from '../../support/github/types.ts';
import { configText, rawOf } from './raw-cases.ts';
import { artifactOf, CONTENTS, MEASURED, report, WORKFLOW, workflowText } from './reporting.ts';

/** The attempt of every artifact here, unless a test sets another. */
const AGAIN = { id: MEASURED.id, attempt: 2 };
const RED = { ...publicationCase('one-regressed'), run: AGAIN };
const GREEN = { ...publicationCase('unchanged'), run: AGAIN };
const SECOND = { run: runOf(MEASURED.id, 2) };
const ACTIONS: Account = { login: 'github-actions[bot]', type: 'Bot' };
const COMMAND = '/benchgate home threshold=3%';

/** Raw data of a job that followed COMMAND; `change` is that of its one row. */
const narrow = (change = 0) => rawOf({ config: configText(['home'], 'threshold: 3%'), turns: { home: change } });

/** The conclusion of the first attempt. */
const RED_CHECK: StoredCheckRun = {
	id: 3,
	name: 'benchgate',
	headSha: HEAD,
	status: 'completed',
	conclusion: 'failure',
	externalId: `benchgate:default:${MEASURED.id}:1`,
	detailsUrl: null,
	startedAt: '2026-01-01T00:00:00Z',
	completedAt: '2026-01-01T00:05:00Z',
	output: { title: '1 of 6 got slower', summary: 'Report', text: null },
	annotations: [],
};

function order({ user = ACTIONS, attempt = 2, after = 'failure', command = COMMAND } = {}): StoredComment {
	const body = formatOrder({ run: { id: MEASURED.id, attempt }, after, command });
	return { id: 50, issue: 1, body, user };
}

const checks = ({ state }: Double) =>
	state.checkRuns.map(({ name, externalId, conclusion }) => [name, externalId.split(':').at(-1), conclusion]);
const textOf = ({ state }: Double) => state.comments.at(-1)?.body ?? '';

test('a green answer to a command leaves the red check of the commit alone, whichever key its artifact claims', async (t) => {
	for (const commentKey of ['command', 'default']) {
		const { reported, double } = await report(t, {
			measured: SECOND,
			artifacts: [await artifactOf({ ...GREEN, commentKey }, {}, narrow())],
			state: { checkRuns: [structuredClone(RED_CHECK)], comments: [order()] },
		});
		assert.deepEqual(checks(double), [
			['benchgate', '1', 'failure'],
			['benchgate (command)', '2', 'success'],
		]);
		assert.match(textOf(double), /^<!-- benchgate:command /);
		assert.match(reported.summary ?? '', /command on pull request/);
		assert.deepEqual(reported.fail, []);
	}
});

test('rows outside of an order are not missing', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf({ ...GREEN, commentKey: 'command' }, {}, narrow())],
		state: { comments: [order()] },
	});
	assert.doesNotMatch(textOf(double), /search|checkout|Not verified|other-rules/);
	const whole = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf({ ...GREEN, commentKey: 'default' }, {}, narrow())],
	});
	assert.deepEqual(checks(whole.double), [['benchgate', '2', 'failure']]);
	assert.match(textOf(whole.double), /benchgate\.yml on main has app\/search/);
});

test('rows are judged by the ordered threshold, even if the artifact has another', async (t) => {
	for (const [raw, expected] of [
		[narrow(-0.045), /app\/home/],
		[
			rawOf({ config: configText(['home'], 'threshold: 95%'), turns: { home: -0.045 } }),
			/applied other limits than benchgate\.yml on main: app\/home \(95%.*instead of 3%/,
		],
	] as const) {
		const { reported, double } = await report(t, {
			measured: SECOND,
			artifacts: [await artifactOf({ ...GREEN, commentKey: 'command', gate: 'enforce' }, {}, raw)],
			state: { comments: [order()] },
		});
		assert.equal(reported.outputs.outcome, 'fail');
		assert.deepEqual(checks(double), [['benchgate (command)', '2', 'neutral']]);
		assert.match(textOf(double), expected);
	}
});

test('a job that stays red after a red attempt contradicts nothing; one that turned red does', async (t) => {
	for (const [after, conclusion, expected] of [
		['failure', 'failure', 'success'],
		['cancelled', 'failure', 'success'],
		['success', 'failure', 'neutral'],
		['failure', 'timed_out', 'neutral'],
		['failure', 'cancelled', 'cancelled'],
	] as const) {
		const { double } = await report(t, {
			measured: { ...SECOND, conclusion },
			artifacts: [await artifactOf({ ...GREEN, commentKey: 'command' }, {}, narrow())],
			state: { comments: [order({ after })] },
		});
		assert.deepEqual(checks(double), [['benchgate (command)', '2', expected]], `${after}, ${conclusion}`);
	}
});

test('an ordered attempt without a result says so under the key of the command, and blocks nothing', async (t) => {
	const { double } = await report(t, {
		measured: { ...SECOND, conclusion: 'failure' },
		state: { comments: [order()] },
	});
	assert.deepEqual(checks(double), [['benchgate (command)', '2', 'neutral']]);
	assert.match(textOf(double), /before it left a result/);
});

test('a command with an unknown name blocks nothing, and the report lists the valid ones', async (t) => {
	const failure = { code: 'bad-command', side: null, where: null, remedy: 'rm -rf /', details: null, usage: true };
	const conclusion = { kind: 'failed', failure: { ...failure, message: 'whatever the artifact claims' } } as const;
	const wrong = { ...publicationCase('failed'), run: AGAIN, commentKey: 'command', conclusion };
	for (const [words, next] of [
		['hoem threshold=3%', /Write "\/benchgate home threshold=3%" in a new comment/],
		['zzzzzz', /Name scenarios of the config in a new comment: home, search/],
	] as const) {
		const { double } = await report(t, {
			measured: { ...SECOND, conclusion: 'failure' },
			artifacts: [await artifactOf(wrong)],
			state: { comments: [order({ command: `/benchgate ${words}` })] },
		});
		assert.deepEqual(checks(double), [['benchgate (command)', '2', 'neutral']]);
		assert.match(textOf(double), next);
		assert.match(
			textOf(double),
			/The command does not fit the config.*is not a scenario.*A `\/benchgate` comment blocks nothing/s,
		);
		assert.doesNotMatch(textOf(double), /whatever the artifact claims|rm -rf|push again|gate: advisory/);
	}
});

test('the reply to a command links its report, and keeps its order', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf({ ...GREEN, commentKey: 'command' }, {}, narrow())],
		state: { comments: [order()] },
	});
	const [answer = '', written] = double.state.comments.map(({ body }) => body);
	assert.match(written ?? '', /^<!-- benchgate:command /);
	assert.deepEqual(parseOrder(answer)?.run, AGAIN);
	assert.match(
		answer,
		/`\/benchgate home threshold=3%` has ended in \[attempt 2 of the run\]\(.*\/runs\/70\): \[report\]\(.*#issuecomment-/,
	);
});

test('the report of a command does not advise to accept rows that it does not gate', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf({ ...GREEN, commentKey: 'command' }, {}, narrow(-0.3))],
		state: { comments: [order()] },
	});
	assert.deepEqual(checks(double), [['benchgate (command)', '2', 'neutral']]);
	assert.match(textOf(double), /A `\/benchgate` comment blocks nothing/);
	assert.doesNotMatch(textOf(double), /intended|gate: advisory|benchgate: accepted/);
});

test('a command of a job with a key has a key of its own too, and a second claim to it is refused', async (t) => {
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ 'comment-key': 'linux', scenarios: 'search' }) };
	const artifacts = [await artifactOf({ ...GREEN, commentKey: 'linux-command' }, {}, narrow())];
	const state = { contents, comments: [order()] };
	const { reported, double } = await report(t, { measured: SECOND, artifacts, state });
	assert.deepEqual(checks(double), [['benchgate (linux-command)', '2', 'success']]);
	assert.deepEqual(reported.fail, []);
	const second = await artifactOf({ ...GREEN, commentKey: 'linux' }, { id: 6, name: 'benchgate-2' }, narrow());
	const both = await report(t, { measured: SECOND, artifacts: [...artifacts, second], state });
	assert.match(both.reported.fail.join(), /two artifacts .* the same comment-key/);
});

test('without an order no workflow gets the key of a command', async (t) => {
	const linux = { ...CONTENTS, [WORKFLOW]: workflowText({ 'comment-key': 'linux' }) };
	const reserved = { ...CONTENTS, [WORKFLOW]: workflowText({ 'comment-key': 'command' }) };
	for (const [commentKey, contents, comments] of [
		['command', CONTENTS, []],
		['command', reserved, []],
		['linux-command', linux, []],
		['command', CONTENTS, [order({ attempt: 3 })]],
	] as const) {
		const artifacts = [await artifactOf({ ...GREEN, commentKey }, {}, narrow())];
		const state = { contents, comments: [...comments] };
		const { reported, double } = await report(t, { measured: SECOND, artifacts, state });
		assert.deepEqual(checks(double), [['benchgate', '2', 'failure']]);
		assert.match(reported.fail.join(), /belongs to \/benchgate comments, and no comment requested this attempt/);
	}
});

test('an order of a stranger, or for another attempt, changes nothing', async (t) => {
	for (const comment of [order({ user: { login: 'stranger', type: 'User' } }), order({ attempt: 3 })]) {
		const { double } = await report(t, {
			measured: SECOND,
			artifacts: [await artifactOf(RED)],
			state: { comments: [comment] },
		});
		assert.deepEqual(checks(double), [['benchgate', '2', 'failure']]);
	}
});

test('nothing is published until GitHub shows whether a comment ordered the attempt', async (t) => {
	const { reported, double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf(GREEN)],
		state: { faults: [{ match: /comments/, status: 502, times: 9 }] },
	});
	assert.deepEqual([checks(double), double.state.comments], [[], []]);
	assert.match(reported.fail.join(), /whether a \/benchgate comment requested/);
});

test('a second run of a commit says so, with the result of the first', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf(GREEN)],
		state: { checkRuns: [structuredClone(RED_CHECK)] },
	});
	const [body = ''] = double.state.comments.map((comment) => comment.body);
	assert.match(body, /run 2 of this commit; run 1 ended with failure \(1 of 6 got slower\)/);
	assert.match(double.state.checkRuns.at(-1)?.output.summary ?? '', /run 2 of this commit/);
});

test('the same files under another commit are a repetition, and the report says so', async (t) => {
	const other = 'e'.repeat(40);
	const run = { headBranch: 'topic', headRepository: 'fork/r', event: 'pull_request', conclusion: 'success' };
	const state = (tree: string, headRepository = 'fork/r') => ({
		checkRuns: [{ ...structuredClone(RED_CHECK), headSha: other, externalId: 'benchgate:default:60:1' }],
		runs: [
			{ ...run, id: MEASURED.id, headSha: HEAD, tree: 'd'.repeat(40) },
			{ ...run, id: 60, headSha: other, tree, headRepository },
		],
	});
	const textAfter = async (...given: Parameters<typeof state>) => {
		const first = { artifacts: [await artifactOf(publicationCase('unchanged'))], state: state(...given) };
		return (await report(t, first)).double.state.comments[0]?.body ?? '';
	};
	assert.match(
		await textAfter('d'.repeat(40)),
		/run 2 of the files of this commit, some under other commits; run 1 ended with failure \(1 of 6 got slower\)/,
	);
	assert.doesNotMatch(await textAfter('c'.repeat(40)), /of this commit/);
	assert.doesNotMatch(await textAfter('d'.repeat(40), 'another/r'), /of this commit/);
});

test('a first run does not mention others', async (t) => {
	const { double } = await report(t, { artifacts: [await artifactOf(publicationCase('unchanged'))] });
	assert.doesNotMatch(double.state.comments[0]?.body ?? '', /of this commit/);
});
