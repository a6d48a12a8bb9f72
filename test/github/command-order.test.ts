import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CommandOrder, findOrder, formatOrder, parseOrder } from '../../src/github/command.ts';
import type { Account, StoredComment } from '../support/github/types.ts';
import { connect, REPOSITORY } from './support.ts';

const ORDER: CommandOrder = {
	run: { id: 70, attempt: 2 },
	after: 'failure',
	command: '/benchgate json-post threshold=3%',
};
const ACTIONS: Account = { login: 'github-actions[bot]', type: 'Bot' };

function comment(id: number, body: string, user = ACTIONS): StoredComment {
	return { id, issue: 1, body, user };
}

test('an order is read back as it was written', () => {
	const name = fc.stringMatching(/^[A-Za-z0-9._][A-Za-z0-9._-]{0,30}$/);
	fc.assert(
		fc.property(fc.array(name), fc.integer({ min: 1, max: 2 ** 40 }), fc.nat(50), (names, id, attempt) => {
			const order = { ...ORDER, run: { id, attempt: attempt + 1 }, command: ['/benchgate', ...names].join(' ') };
			assert.deepEqual(parseOrder(`${formatOrder(order)}\nMore words.`), order);
		}),
	);
});

test('text that could end the comment or the quotes is no order', () => {
	for (const command of ['/benchgate -->', '/benchgate "x', '/benchgate\nx', '/other']) {
		assert.throws(() => formatOrder({ ...ORDER, command }), /not an order/);
	}
	assert.equal(parseOrder(` ${formatOrder(ORDER)}`), null);
	assert.equal(parseOrder(`Look: ${formatOrder(ORDER)}`), null);
});

test('the order for an attempt is found with a token that only reads', async (t) => {
	const { github, double } = await connect(t, {
		permissions: { issues: 'none', 'pull-requests': 'read', contents: 'read', actions: 'none', checks: 'none' },
		comments: [comment(1, '/benchgate'), comment(2, formatOrder(ORDER))],
	});
	assert.deepEqual(await findOrder(github, REPOSITORY, 1, ORDER.run), { ...ORDER, commentId: 2 });
	assert.equal(await findOrder(github, REPOSITORY, 1, { id: 70, attempt: 3 }), null);
	assert.equal(await findOrder(github, REPOSITORY, 1, { id: 71, attempt: 2 }), null);
	assert.deepEqual([...new Set(double.calls.map(({ method }) => method))], ['GET']);
});

test('the newest order of an attempt counts, over all pages', async (t) => {
	const talk = Array.from({ length: 130 }, (_, index) => comment(index + 10, 'talk'));
	const newer = { ...ORDER, command: '/benchgate ping' };
	const { github } = await connect(t, {
		comments: [comment(1, formatOrder(ORDER)), ...talk, comment(900, formatOrder(newer))],
	});
	assert.deepEqual(await findOrder(github, REPOSITORY, 1, ORDER.run), { ...newer, commentId: 900 });
});

test('only a workflow of the repository gives orders', async (t) => {
	const others: Account[] = [
		{ login: 'stranger', type: 'User' },
		{ login: 'github-actions', type: 'User' },
		{ login: 'github-actions[bot]', type: 'User' },
		{ login: 'other-app[bot]', type: 'Bot' },
	];
	const { github } = await connect(t, {
		comments: others.map((user, index) => comment(index + 1, formatOrder(ORDER), user)),
	});
	assert.equal(await findOrder(github, REPOSITORY, 1, ORDER.run), null);
});
