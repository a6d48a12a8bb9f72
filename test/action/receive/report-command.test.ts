/** Repeated runs in the trusted reporter: what a comment asked for never stands as the gate's result, and a repeat says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOrder } from '../../../src/github/command-order.ts';
import { HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import type { Account, Double, StoredCheckRun, StoredComment } from '../../support/github/types.ts';
import { artifactOf, MEASURED, report } from './reporting.ts';

const RED = publicationCase('one-regressed');
const GREEN = publicationCase('unchanged');
const SECOND = { run: runOf(MEASURED.id, 2) };
const ACTIONS: Account = { login: 'github-actions[bot]', type: 'Bot' };

/** What the first attempt was concluded with. */
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

function order(user = ACTIONS, attempt = 2): StoredComment {
	const body = formatOrder({ run: { id: MEASURED.id, attempt }, after: 'failure', command: '/benchgate ping' });
	return { id: 50, issue: 1, body, user };
}

const checks = ({ state }: Double) =>
	state.checkRuns.map(({ name, externalId, conclusion }) => [name, externalId.split(':').at(-1), conclusion]);

test('a green answer to a command leaves the red check of the commit alone, whatever key its artifact claims', async (t) => {
	for (const commentKey of ['command', 'default']) {
		const { double } = await report(t, {
			measured: SECOND,
			artifacts: [await artifactOf({ ...GREEN, commentKey })],
			state: { checkRuns: [structuredClone(RED_CHECK)], comments: [order()] },
		});
		assert.deepEqual(checks(double), [
			['benchgate', '1', 'failure'],
			['benchgate (command)', '2', 'success'],
		]);
		assert.match(double.state.comments.at(-1)?.body ?? '', /^<!-- benchgate:command /);
	}
});

test('a red answer to a command is neutral: the gate was not asked', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf({ ...RED, commentKey: 'command', gate: 'enforce' })],
		state: { comments: [order()] },
	});
	assert.deepEqual(checks(double), [['benchgate (command)', '2', 'neutral']]);
});

test('an order of a stranger, or for another attempt, changes nothing', async (t) => {
	for (const comment of [order({ login: 'stranger', type: 'User' }), order(ACTIONS, 3)]) {
		const { double } = await report(t, {
			measured: SECOND,
			artifacts: [await artifactOf(RED)],
			state: { comments: [comment] },
		});
		assert.deepEqual(checks(double), [['benchgate', '2', 'failure']]);
	}
});

test('nothing is published while GitHub does not tell whether a comment asked for the attempt', async (t) => {
	const { reported, double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf(GREEN)],
		state: { faults: [{ match: /comments/, status: 502, times: 9 }] },
	});
	assert.deepEqual([checks(double), double.state.comments], [[], []]);
	assert.match(reported.fail.join(), /whether a \/benchgate comment asked/);
});

test('a second run of a commit says that it is one, and what the first said', async (t) => {
	const { double } = await report(t, {
		measured: SECOND,
		artifacts: [await artifactOf(GREEN)],
		state: { checkRuns: [structuredClone(RED_CHECK)] },
	});
	const [body = ''] = double.state.comments.map((comment) => comment.body);
	assert.match(body, /run 2 of this commit; run 1 ended with failure \(1 of 6 got slower\)/);
	assert.match(double.state.checkRuns.at(-1)?.output.summary ?? '', /run 2 of this commit/);
});

test('a first run says nothing of others', async (t) => {
	const { double } = await report(t, { artifacts: [await artifactOf(GREEN)] });
	assert.doesNotMatch(double.state.comments[0]?.body ?? '', /of this commit/);
});
