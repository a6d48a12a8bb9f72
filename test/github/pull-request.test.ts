import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPullRequest, getPullRequest, isFromFork } from '../../src/github/pull-request.ts';
import type { MeasuredRun } from '../../src/types/action-run.ts';
import { isUserError } from '../../src/types/errors.ts';
import { badGateway } from '../support/github/faults.ts';
import { examplePull } from '../support/github/state.ts';
import type { StoredPull } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY, runOf } from './support.ts';

const MOVED = 'c'.repeat(40);

function measuredOf(given: Partial<MeasuredRun> = {}): MeasuredRun {
	return {
		run: runOf(10),
		workflow: '.github/workflows/bench.yml',
		startedAt: null,
		headSha: HEAD,
		headRepository: 'forker/r',
		headBranch: 'topic',
		event: 'pull_request',
		conclusion: 'success',
		pullRequests: [],
		...given,
	};
}

function fork(given: Partial<StoredPull> = {}): StoredPull {
	return examplePull({ number: 7, headRepository: 'forker/r', ...given });
}

test('a pull request is read with its identity', async (t) => {
	const { github } = await connect(t, { pulls: [fork()] });
	assert.deepEqual(await getPullRequest(github, REPOSITORY, 7), {
		number: 7,
		headSha: HEAD,
		baseSha: 'b'.repeat(40),
		headRepository: 'forker/r',
	});
});

test('a pull request of a deleted repository has no repository', async (t) => {
	const { github } = await connect(t, { pulls: [fork({ headRepository: null })] });
	assert.equal((await getPullRequest(github, REPOSITORY, 7)).headRepository, null);
});

test('a pull request from another repository, or a deleted one, is from a fork', () => {
	assert.equal(isFromFork({ headRepository: 'forker/r' }, REPOSITORY), true);
	assert.equal(isFromFork({ headRepository: null }, REPOSITORY), true);
	assert.equal(isFromFork({ headRepository: 'O/R' }, REPOSITORY), false);
});

test('a pull request that cannot be read is an error with a remedy', async (t) => {
	const { github, double } = await connect(t, { faults: [badGateway(/pulls\/1$/, { times: 9 })] });
	await assert.rejects(
		getPullRequest(github, REPOSITORY, 1),
		(error) => isUserError(error) && error.code === 'github-unreachable',
	);
	double.state.faults = [];
	await assert.rejects(
		getPullRequest(github, REPOSITORY, 99),
		(error) =>
			isUserError(error) && error.code === 'missing-permission' && /pull-requests: read/.test(error.remedy ?? ''),
	);
});

test('a fork’s pull request is found by repository, branch and sha, on any page', async (t) => {
	const others = Array.from({ length: 250 }, (_, index) =>
		fork({ number: 1000 + index, headSha: MOVED, baseRef: `b${index}` }),
	);
	const { github } = await connect(t, { pulls: [fork(), ...others] });
	const result = await findPullRequest(github, REPOSITORY, measuredOf());
	assert.equal(result.pullRequest?.number, 7);
});

test('numbers in the event are looked up, and nothing else', async (t) => {
	const pull = examplePull({ number: 3 });
	const { github, double } = await connect(t, { pulls: [pull] });
	const result = await findPullRequest(
		github,
		REPOSITORY,
		measuredOf({ headRepository: 'o/r', pullRequests: [99, 3] }),
	);
	assert.equal(result.pullRequest?.number, 3);
	assert.deepEqual(
		double.calls.map(({ path }) => path),
		['/repos/o/r/pulls/99', '/repos/o/r/pulls/3'],
	);
});

for (const [name, pull, given, reason] of [
	['has moved on', fork({ headSha: MOVED }), {}, /^pull request #7 has moved on to ccccccc since aaaaaaa was measured/],
	['is closed', fork({ state: 'closed' }), {}, /^no open pull request comes from topic of forker\/r/],
	['is closed, by number', fork({ state: 'closed' }), { pullRequests: [7] }, /^pull request #7 is closed$/],
	['is gone', fork({ number: 8 }), { pullRequests: [7] }, /^no open pull request/],
	['comes from another branch', fork({ headRef: 'other' }), {}, /^no open pull request/],
	['comes from another fork', fork({ headRepository: 'mallory/r' }), {}, /^no open pull request/],
	[
		'comes from another repository of the same owner',
		fork({ headRepository: 'forker/r2' }),
		{},
		/^no open pull request/,
	],
	['comes from a fork that is gone', fork({ headRepository: null }), { pullRequests: [7] }, /^no open pull request/],
] as const) {
	test(`nothing is published when the pull request ${name}`, async (t) => {
		const { github } = await connect(t, { pulls: [pull] });
		const result = await findPullRequest(github, REPOSITORY, measuredOf(given));
		assert.ok(result.pullRequest === null);
		assert.match(result.reason, reason);
		assert.equal(result.warning, null);
	});
}

test('two pull requests with one head cannot be told apart', async (t) => {
	const { github } = await connect(t, { pulls: [fork(), fork({ number: 8, baseRef: 'next' })] });
	const result = await findPullRequest(github, REPOSITORY, measuredOf());
	assert.ok(result.pullRequest === null);
	assert.match(result.reason, /#8 and #7 have the same head/);
});

test('a hostile branch name is only a name', async (t) => {
	const headRef = 'a&state=closed#..?head=o:main%0a';
	const { github } = await connect(t, { pulls: [fork({ headRef })] });
	const result = await findPullRequest(github, REPOSITORY, measuredOf({ headBranch: headRef }));
	assert.equal(result.pullRequest?.number, 7);
});

test('an outage of GitHub is a reason with a warning', async (t) => {
	const { github } = await connect(t, { faults: [badGateway(/./, { times: 99 })] });
	const result = await findPullRequest(github, REPOSITORY, measuredOf());
	assert.ok(result.pullRequest === null);
	assert.equal(result.warning?.code, 'github-unreachable');
});
