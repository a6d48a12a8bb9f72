import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findQueuedPull } from '../../src/github/merge-group.ts';
import { badGateway } from '../support/github/faults.ts';
import { examplePull } from '../support/github/state.ts';
import type { DoubleState, StoredPull } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY } from './support.ts';

const ONTO = 'b'.repeat(40);
const QUEUED = 'c'.repeat(40);
const OTHER = 'd'.repeat(40);
const REF = `refs/heads/gh-readonly-queue/main/pr-12-${ONTO}`;
const GROUP = { repository: REPOSITORY, ref: REF, headSha: QUEUED, baseSha: ONTO };

function stateOf(parents: string[], pull: Partial<StoredPull> = {}): Partial<DoubleState> {
	return {
		pulls: [examplePull({ number: 12, ...pull })],
		commits: { [QUEUED]: parents, [ONTO]: [], [HEAD]: [], [OTHER]: [] },
	};
}

async function find(t: TestContext, state: Partial<DoubleState>, group: Partial<typeof GROUP> = {}) {
	const { github } = await connect(t, state);
	const pull = await findQueuedPull(github, { ...GROUP, ...group });
	return 'warning' in pull ? pull.warning : pull;
}

const FOUND = { number: 12, headSha: HEAD };

test('a merge or a squash right on the base holds one pull request, at its head', async (t) => {
	assert.deepEqual(await find(t, stateOf([ONTO, HEAD])), FOUND);
	assert.deepEqual(await find(t, stateOf([ONTO])), FOUND);
	assert.deepEqual(await find(t, stateOf([ONTO]), { ref: REF.replace('refs/heads/', '') }), FOUND);
});

test("a base branch may contain slashes and a name like a pull request's", async (t) => {
	const baseRef = `release/pr-7-${OTHER}`;
	const ref = `refs/heads/gh-readonly-queue/${baseRef}/pr-12-${ONTO}`;
	assert.deepEqual(await find(t, stateOf([ONTO, HEAD], { baseRef }), { ref }), FOUND);
});

test('with an unknown base, it is the commit in the name of the branch', async (t) => {
	const { github } = await connect(t, stateOf([ONTO, HEAD]));
	assert.deepEqual(await findQueuedPull(github, { ...GROUP, baseSha: null }), FOUND);
	const ref = `refs/heads/gh-readonly-queue/main/pr-12-${OTHER}`;
	assert.ok('warning' in (await findQueuedPull(github, { ...GROUP, ref, baseSha: null })));
});

for (const [what, state, group, says] of [
	['several pull requests', stateOf([OTHER, HEAD]), {}, /several pull requests/],
	['the commits of a rebase', stateOf([OTHER]), {}, /a rebase/],
	['three parents', stateOf([ONTO, HEAD, OTHER]), {}, /several pull requests/],
	['another base than was measured', stateOf([ONTO, HEAD]), { baseSha: OTHER }, /several pull requests/],
	['another head than the pull request has now', stateOf([ONTO, OTHER]), {}, /#12 has moved on/],
	['a closed pull request', stateOf([ONTO, HEAD], { state: 'closed' }), {}, /#12 is not open on main/],
	['another base branch', stateOf([ONTO, HEAD], { baseRef: 'next' }), {}, /#12 is not open on main/],
	[
		'no pull request',
		stateOf([ONTO, HEAD]),
		{ ref: 'refs/heads/gh-readonly-queue/main/pr-12' },
		/names no pull request/,
	],
	['an ordinary branch', stateOf([ONTO, HEAD]), { ref: `refs/heads/main/pr-12-${ONTO}` }, /names no pull request/],
	['a number with a zero before it', stateOf([ONTO, HEAD]), { ref: REF.replace('12', '012') }, /names no pull request/],
] as const) {
	test(`nothing is carried over from ${what}`, async (t) => {
		const warning = await find(t, state, group);
		assert.ok('code' in warning && warning.code === 'acceptance-not-carried', JSON.stringify(warning));
		assert.match(warning.message, says);
	});
}

test('a failed call is a warning', async (t) => {
	const warning = await find(t, { ...stateOf([ONTO, HEAD]), faults: [badGateway(/./, { times: 99 })] });
	assert.ok('code' in warning && warning.code === 'github-unreachable');
});
