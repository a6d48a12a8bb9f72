import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findAcceptances } from '../../src/github/acceptances.ts';
import { badGateway } from '../support/github/faults.ts';
import { accountOf, examplePull } from '../support/github/state.ts';
import type { CollaboratorRole, DoubleState, StoredComment, StoredPull } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY } from './support.ts';

const LABEL = 'benchgate: accepted';
const SIZED = 'benchgate: accepted express/ping -6% the parser is worth it';
const WHOLE = `benchgate: accepted ${HEAD} the parser is worth it`;
const NOTHING = { acceptances: [], warnings: [] };
const ROWS = [{ cell: 'express/ping', kind: 'regressed', upTo: 0.06 }];

function stateOf(pull: Partial<StoredPull>, collaborators: Record<string, CollaboratorRole>): Partial<DoubleState> {
	return { pulls: [examplePull(pull)], collaborators };
}

function comment(login: string, body: string, given: Partial<StoredComment> = {}): StoredComment {
	return { id: 1, issue: 1, body, user: accountOf(login), ...given };
}

async function find(t: TestContext, state: Partial<DoubleState>) {
	const { github, double } = await connect(t, state);
	const result = await findAcceptances(github, { repository: REPOSITORY, number: 1, headSha: HEAD, label: LABEL });
	const messages = result.warnings.map(({ message }) => message).join('\n');
	return { result, messages, double };
}

test('without comments there is no acceptance, after two requests', async (t) => {
	const { result, double } = await find(t, stateOf({ labels: ['bug'], body: 'Faster.' }, {}));
	assert.deepEqual(result, NOTHING);
	assert.equal(double.calls.length, 2);
});

for (const role of ['admin', 'maintain', 'write'] as const) {
	test(`lines of the author and of a commenter count with the role ${role}`, async (t) => {
		const state = { ...stateOf({ author: 'ann', body: `Text\n\n${WHOLE}` }, { ann: role, bob: role }) };
		const { result } = await find(t, { ...state, comments: [comment('bob', SIZED)] });
		const reason = 'the parser is worth it';
		assert.deepEqual(result, {
			acceptances: [
				{ by: 'bob', via: 'comment', reason, headSha: HEAD, rows: ROWS },
				{ by: 'ann', via: 'body', reason, headSha: HEAD },
			],
			warnings: [],
		});
	});
}

for (const role of ['triage', 'read', 'none'] as const) {
	test(`no line counts with the role ${role}, and both are named`, async (t) => {
		const state = stateOf({ author: 'eve', body: WHOLE }, { eve: role, mal: role });
		const { result, messages } = await find(t, { ...state, comments: [comment('mal', SIZED)] });
		assert.deepEqual(result.acceptances, []);
		assert.ok(result.warnings.every(({ code }) => code === 'acceptance-ignored'));
		assert.match(messages, /line in a comment, by mal, .*no write access/);
		assert.match(messages, /line in the description, by eve, .*no write access/);
	});
}

test('the lines of one person are one acceptance, newest first, over all pages of comments', async (t) => {
	const chatter = Array.from({ length: 120 }, (_, index) => comment('reader', 'Nice.', { id: index + 1 }));
	const comments = [
		comment('ann', SIZED, { id: 500 }),
		...chatter,
		comment('ann', 'benchgate: accepted express/old removed it is gone', { id: 501 }),
	];
	const { result } = await find(t, { ...stateOf({ author: 'ann', body: SIZED }, { ann: 'write' }), comments });
	const [acceptance, ...others] = result.acceptances;
	assert.deepEqual(others, []);
	assert.equal(acceptance?.via, 'comment');
	assert.equal(acceptance?.reason, 'it is gone; the parser is worth it');
	assert.deepEqual(acceptance?.rows, [{ cell: 'express/old', kind: 'removed', upTo: null }, ...ROWS, ...ROWS]);
});

test('a line for another commit does not count, and one with a limit does', async (t) => {
	const old = `benchgate: accepted ${'b'.repeat(40)} it was fine`;
	const state = stateOf({ author: 'ann', body: `${old}\n\n${SIZED}` }, { ann: 'write' });
	const { result, messages } = await find(t, state);
	assert.deepEqual(
		result.acceptances.map(({ rows }) => rows),
		[ROWS],
	);
	assert.match(messages, /does not count: it is for commit bbbbbbbbbb, and head is another one now/);
});

test('an invalid line is reported with the correct one', async (t) => {
	const messages = async (line: string) =>
		(await find(t, stateOf({ author: 'ann', body: line }, { ann: 'admin' }))).messages;
	assert.match(await messages(`benchgate: accepted ${HEAD}`), /gives no reason/);
	assert.match(await messages(`benchgate: accepted ${HEAD} ${'x'.repeat(501)}`), /longer than 500/);
	assert.match(
		await messages('benchgate: accepted express/ping why'),
		/is not written as one\. Write server\/scenario or all/,
	);
	for (const line of ['benchgate: accepted why', `benchgate: accepted ${HEAD.slice(0, 8)} why`]) {
		assert.ok((await messages(line)).includes(`write "benchgate: accepted ${HEAD} REASON"`), await messages(line));
	}
});

test('an app accepts nothing: neither as itself nor for a person with write access', async (t) => {
	const comments = [comment('helper[bot]', WHOLE), comment('ann', WHOLE, { id: 2, app: 'helper' })];
	const { result, messages, double } = await find(t, { ...stateOf({ author: 'eve' }, { ann: 'admin' }), comments });
	assert.deepEqual(result.acceptances, []);
	assert.match(messages, /by helper\[bot\], .*an app cannot accept/);
	assert.match(messages, /by ann, .*an app cannot accept/);
	assert.ok(double.calls.every(({ path }) => !path.includes('collaborators')));
});

test('a comment that only quotes a line accepts nothing, by any author', async (t) => {
	const comments = [comment('ann', `> ${WHOLE}`), comment('eve', `\`\`\`\n${WHOLE}\n\`\`\``, { id: 2 })];
	const { result } = await find(t, { ...stateOf({ author: 'eve' }, { ann: 'admin', eve: 'read' }), comments });
	assert.deepEqual(result, NOTHING);
});

test('of a crowd only the last commenters are looked up', async (t) => {
	const crowd = Array.from({ length: 40 }, (_, index) => comment(`user${index}`, WHOLE, { id: index + 1 }));
	const comments = [...crowd, comment('ann', WHOLE, { id: 99 })];
	const { result, double } = await find(t, { ...stateOf({ author: 'eve' }, { ann: 'write' }), comments });
	assert.deepEqual(
		result.acceptances.map(({ by }) => by),
		['ann'],
	);
	assert.equal(double.calls.filter(({ path }) => path.includes('collaborators')).length, 20);
});

test('a pull request that has moved on accepts nothing for an older commit', async (t) => {
	const { result, messages } = await find(
		t,
		stateOf({ author: 'ann', body: SIZED, headSha: 'd'.repeat(40) }, { ann: 'admin' }),
	);
	assert.deepEqual(result.acceptances, []);
	assert.match(messages, /#1 has moved on to commit dddddddddd/);
});

test('access that cannot be looked up is not access', async (t) => {
	const refused = {
		match: /collaborators/,
		status: 403,
		body: { message: 'Must have push access to view collaborator permission.' },
		times: 1,
	};
	const { result, messages } = await find(t, {
		...stateOf({ author: 'ann', body: WHOLE }, { ann: 'admin' }),
		faults: [refused],
	});
	assert.deepEqual(result.acceptances, []);
	assert.match(messages, /by ann, .*does not report whether they have write access/);
});

test('the pull request is read in its current state', async (t) => {
	const { github, double } = await connect(t, stateOf({ author: 'ann', body: WHOLE }, { ann: 'write' }));
	const place = { repository: REPOSITORY, number: 1, headSha: HEAD, label: LABEL };
	assert.equal((await findAcceptances(github, place)).acceptances[0]?.by, 'ann');
	double.state.pulls = [examplePull({ author: 'ann', body: 'Changed my mind.' })];
	assert.deepEqual(await findAcceptances(github, place), NOTHING);
});

test('failed calls are warnings', async (t) => {
	const down = await find(t, { faults: [badGateway(/./, { times: 99 })] });
	assert.deepEqual(
		down.result.warnings.map(({ code }) => code),
		['github-unreachable'],
	);
	const hidden = await find(t, { permissions: { 'pull-requests': 'none' } });
	assert.deepEqual(
		hidden.result.warnings.map(({ code }) => code),
		['missing-permission'],
	);
	assert.match(hidden.messages, /acceptances of red rows on #1.*pull-requests: read/);
});

test('a hostile login is one harmless line, and never part of a path', async (t) => {
	const login = '../../../user\n::error::x\u202e';
	const { result, messages, double } = await find(t, stateOf({ author: login, body: WHOLE }, {}));
	assert.deepEqual(result.acceptances, []);
	assert.doesNotMatch(messages, /[\n\u202e]/);
	assert.equal(double.calls.length, 2);
});
