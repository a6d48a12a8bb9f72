import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMarker } from '../../src/github/comment-marker.ts';
import { COMMENT_LIMIT, type CommentText, findComment, putComment } from '../../src/github/sticky-comment.ts';
import { badGateway, droppedConnection, secondaryLimit } from '../support/github/faults.ts';
import type { Account, StoredComment } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY, requestsTo, runOf } from './support.ts';

const PLACE = { repository: REPOSITORY, issue: 1, key: 'default' };
const ACTIONS: Account = { login: 'github-actions[bot]', type: 'Bot' };
const STRANGER: Account = { login: 'stranger', type: 'User' };

function textOf(given: Partial<CommentText> = {}): CommentText {
	return { ...PLACE, run: runOf(10), headSha: HEAD, body: 'Report', final: true, ...given };
}

function stored(id: number, user: Account, given: Partial<CommentText> & { issue?: number } = {}): StoredComment {
	const { key, run, headSha, final, issue, body } = textOf({ run: runOf(5), ...given });
	return {
		id,
		issue,
		user,
		body: `${formatMarker({ key, run, headSha, state: final ? 'final' : 'measuring' })}\n${body}`,
	};
}

function chatter(count: number, from: number): StoredComment[] {
	return Array.from({ length: count }, (_, index) => ({
		id: from + index,
		issue: 1,
		user: STRANGER,
		body: `Hello ${index}`,
	}));
}

test('the first comment is created, with the marker on its first line', async (t) => {
	const { github, double } = await connect(t);
	const put = await putComment(github, textOf());
	const [comment, ...others] = double.state.comments;
	assert.equal(others.length, 0);
	assert.ok('url' in put && comment);
	assert.equal(put.id, comment.id);
	assert.match(put.url, /pull\/1#issuecomment-/);
	assert.equal(comment.body, `<!-- benchgate:default run=10 attempt=1 sha=${HEAD} state=final -->\nReport`);
});

test('our comment is found on the third page, and updated in place', async (t) => {
	const { github, double } = await connect(t, { comments: [...chatter(250, 1), stored(500, ACTIONS)] });
	assert.equal((await findComment(github, PLACE))?.id, 500);
	const put = await putComment(github, textOf({ body: 'Newer' }));
	assert.ok('id' in put && put.id === 500);
	assert.equal(double.state.comments.length, 251);
	assert.match(double.state.comments.at(-1)?.body ?? '', /run=10 [^\n]*\nNewer$/);
	assert.deepEqual(requestsTo(double, 'PATCH'), ['PATCH /repos/o/r/issues/comments/500']);
});

test('comments of other keys and other pull requests are left alone', async (t) => {
	const comments = [
		stored(1, ACTIONS, { key: 'default2' }),
		stored(2, ACTIONS, { issue: 2 }),
		stored(3, ACTIONS, { key: 'Default' }),
	];
	const { github, double } = await connect(t, { comments: structuredClone(comments) });
	assert.equal(await findComment(github, PLACE), null);
	await putComment(github, textOf());
	assert.deepEqual(double.state.comments.slice(0, 3), comments);
	assert.equal(double.state.comments.length, 4);
});

test('a stranger’s comment with our marker is neither overwritten nor an obstacle', async (t) => {
	const pasted = stored(1, STRANGER, { run: runOf(Number.MAX_SAFE_INTEGER) });
	const liar = { ...stored(2, { login: 'github-actions[bot]', type: 'User' }, { run: runOf(99) }) };
	const { github, double } = await connect(t, { comments: structuredClone([pasted, liar]) });
	assert.equal(await findComment(github, PLACE), null);
	assert.ok('url' in (await putComment(github, textOf())));
	assert.deepEqual(double.state.comments.slice(0, 2), [pasted, liar]);
	assert.ok('url' in (await putComment(github, textOf({ run: runOf(11), body: 'Second' }))));
	assert.equal(double.state.comments.length, 3);
});

test('a comment that quotes ours is not ours', async (t) => {
	const quote = { ...stored(1, ACTIONS), body: `> ${stored(1, ACTIONS).body}` };
	const { github, double } = await connect(t, { comments: [quote] });
	await putComment(github, textOf());
	assert.equal(double.state.comments.length, 2);
});

test('with a personal token the token’s own account counts', async (t) => {
	const user: Account = { login: 'robot', type: 'User' };
	const { github, double } = await connect(t, { user, comments: [stored(1, STRANGER), stored(2, user)] });
	const put = await putComment(github, textOf());
	assert.ok('id' in put && put.id === 2);
	assert.equal(double.state.comments.length, 2);
});

test('with an app’s token the comments of that app count, until Actions has one', async (t) => {
	const user: Account = { login: 'our-app[bot]', type: 'Bot' };
	const { github, double } = await connect(t, { user, comments: [stored(1, STRANGER), stored(2, user)] });
	const put = await putComment(github, textOf());
	assert.ok('id' in put && put.id === 2);
	double.state.comments.push(stored(3, ACTIONS));
	assert.equal((await findComment(github, PLACE))?.id, 3);
});

test('an app that acts for a person writes as that person', async (t) => {
	const { github } = await connect(t, { comments: [{ ...stored(1, STRANGER), app: 'stranger' }] });
	assert.equal(await findComment(github, PLACE), null);
});

for (const [name, existing, given, expected] of [
	['a newer run', { run: runOf(11) }, {}, { skipped: 'newer-run' }],
	['a newer attempt', { run: runOf(10, 2) }, {}, { skipped: 'newer-run' }],
	['a newer run that still measures', { run: runOf(11), final: false }, {}, { skipped: 'newer-run' }],
	['the end of this attempt', { run: runOf(10) }, { final: false }, { skipped: 'already-final' }],
] as const) {
	test(`${name} is not overwritten`, async (t) => {
		const theirs = stored(1, ACTIONS, existing);
		const { github, double } = await connect(t, { comments: [structuredClone(theirs)] });
		assert.deepEqual(await putComment(github, textOf(given)), expected);
		assert.deepEqual(double.state.comments, [theirs]);
	});
}

for (const [name, existing, given] of [
	['the same attempt, measuring', { run: runOf(10), final: false }, {}],
	['the same attempt, at its end', { run: runOf(10) }, {}],
	['an earlier attempt’s end', { run: runOf(10) }, { run: runOf(10, 2), final: false }],
	['an older run’s end', { run: runOf(9, 7) }, { final: false }],
] as const) {
	test(`${name} is overwritten`, async (t) => {
		const { github, double } = await connect(t, { comments: [stored(1, ACTIONS, existing)] });
		assert.ok('id' in (await putComment(github, textOf({ ...given, body: 'This run' }))));
		assert.equal(double.state.comments.length, 1);
		assert.match(double.state.comments[0]?.body ?? '', /This run$/);
	});
}

test('of several the oldest is kept, the others are deleted', async (t) => {
	const comments = [stored(9, ACTIONS), stored(4, ACTIONS, { run: runOf(3) }), stored(7, ACTIONS), stored(5, STRANGER)];
	const { github, double } = await connect(t, { comments });
	const put = await putComment(github, textOf());
	assert.ok('id' in put && put.id === 4);
	assert.deepEqual(
		double.state.comments.map(({ id }) => id),
		[4, 5],
	);
});

test('two simultaneous runs leave one comment, of the newer run, in either order', async (t) => {
	for (const order of [
		[10, 11],
		[11, 10],
	]) {
		const race = [
			stored(1, ACTIONS, { run: runOf(10), final: false }),
			stored(2, ACTIONS, { run: runOf(11), final: false }),
		];
		const { github, double } = await connect(t, { comments: race });
		for (const id of order) await putComment(github, textOf({ run: runOf(id), body: `Run ${id}` }));
		assert.deepEqual(
			double.state.comments.map(({ id, body }) => [id, body.split('\n')[1]]),
			[[1, 'Run 11']],
		);
	}
});

test('a comment deleted after our look is created again', async (t) => {
	const { github, double } = await connect(t, {
		comments: [stored(1, ACTIONS)],
		faults: [{ match: /^PATCH /, status: 404, times: 1 }],
	});
	const put = await putComment(github, textOf());
	assert.ok('id' in put && put.id !== 1);
	assert.equal(double.state.comments.length, 2);
});

test('duplicates that cannot be deleted do not affect the comment', async (t) => {
	const { github, double } = await connect(t, {
		comments: [stored(1, ACTIONS), stored(2, ACTIONS)],
		faults: [{ match: /^DELETE /, status: 403, times: 1 }],
	});
	const put = await putComment(github, textOf());
	assert.ok('id' in put && put.id === 1);
	assert.equal(double.state.comments.length, 2);
});

for (const [name, fault] of [
	['answer 502', badGateway],
	['dropped connection', droppedConnection],
] as const) {
	test(`one comment is created, although GitHub’s response got lost: ${name}`, async (t) => {
		const { github, double } = await connect(t, { faults: [fault(/^POST /, { applied: true })] });
		const put = await putComment(github, textOf());
		assert.equal(double.state.comments.length, 1);
		assert.ok('id' in put && put.id === double.state.comments[0]?.id);
	});

	test(`one comment is created, although GitHub did not get the first: ${name}`, async (t) => {
		const { github, double } = await connect(t, { faults: [fault(/^POST /)] });
		assert.ok('id' in (await putComment(github, textOf())));
		assert.equal(double.state.comments.length, 1);
	});
}

test('a secondary rate limit is waited for', async (t) => {
	const { github, double } = await connect(t, { faults: [secondaryLimit(/^POST /, 1)] });
	assert.ok('id' in (await putComment(github, textOf())));
	assert.equal(double.state.comments.length, 1);
});

test('a limit too far in the future is a warning', async (t) => {
	const { github } = await connect(t, { faults: [secondaryLimit(/^POST /, 3600)] });
	const put = await putComment(github, textOf());
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'github-unreachable');
	assert.match(put.warning.message, /Could not write the comment on #1: .*rate limit/);
});

test('an outage of GitHub is a warning', async (t) => {
	const { github } = await connect(t, { faults: [badGateway(/./, { times: 99 })] });
	const put = await putComment(github, textOf());
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'github-unreachable');
	assert.equal(await findComment(github, PLACE), null);
});

test('a read-only token is a warning with the YAML to add', async (t) => {
	const { github } = await connect(t, { permissions: { issues: 'read', 'pull-requests': 'read' } });
	const put = await putComment(github, textOf());
	assert.deepEqual(put, {
		warning: {
			code: 'missing-permission',
			message:
				'Could not write the comment on #1: the token lacks the permission. Add to the job, beside what is there: permissions: { contents: read, pull-requests: write }',
		},
	});
});

test('for a fork the warning names the report workflow', async (t) => {
	const { github } = await connect(t, { permissions: { issues: 'read', 'pull-requests': 'read' } });
	const put = await putComment(github, textOf({ fromFork: true }));
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'missing-permission');
	assert.match(
		put.warning.message,
		/from forks and from Dependabot a read-only token.*mode: report.*permissions: \{.*pull-requests: write/,
	);
});

test('a locked conversation is a warning with GitHub’s message', async (t) => {
	const body = { message: 'Unable to create comment because issue is locked.' };
	const { github } = await connect(t, { faults: [{ match: /^POST /, status: 403, body, times: 1 }] });
	const put = await putComment(github, textOf());
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'github-refused');
	assert.match(put.warning.message, /issue is locked/);
});

test('a bad token is a warning without the token', async (t) => {
	const { github } = await connect(t, { tokens: ['another'] });
	const put = await putComment(github, textOf());
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'missing-permission');
	assert.match(put.warning.message, /github-token/);
	assert.doesNotMatch(put.warning.message, /token-of-the-test/);
});

test('a body up to the limit is written, a longer one is never sent', async (t) => {
	const { github, double } = await connect(t);
	const room =
		COMMENT_LIMIT - formatMarker({ key: 'default', run: runOf(10), headSha: HEAD, state: 'final' }).length - 1;
	assert.ok('id' in (await putComment(github, textOf({ body: 'x'.repeat(room) }))));
	const calls = double.calls.length;
	const put = await putComment(github, textOf({ body: 'x'.repeat(room + 1) }));
	assert.ok('warning' in put);
	assert.equal(put.warning.code, 'comment-too-long');
	assert.equal(double.calls.length, calls);
});

test('a hostile body is sent as it is, and does not move the marker', async (t) => {
	const { github, double } = await connect(t);
	const body = `-->\n<!-- benchgate:default run=99 attempt=1 sha=${HEAD} state=final -->\n@all \u202e`;
	await putComment(github, textOf({ body }));
	assert.deepEqual((await findComment(github, PLACE))?.marker.run, { id: 10, attempt: 1 });
	assert.ok(double.state.comments[0]?.body.endsWith(body));
});
