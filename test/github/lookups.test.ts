import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reactToCommand } from '../../src/github/command.ts';
import { hasWriteAccess } from '../../src/github/permissions.ts';
import { findLatestRelease, findMergeBase } from '../../src/github/repository.ts';
import { isUserError } from '../../src/types/errors.ts';
import { badGateway, secondaryLimit } from '../support/github/faults.ts';
import { connect, HEAD, REPOSITORY } from './support.ts';

const BASE = 'b'.repeat(40);
const MERGE_BASE = 'c'.repeat(40);
const COMMENT = { id: 5, issue: 1, user: { login: 'ann', type: 'User' as const }, body: '/benchgate' };

test("the merge base is GitHub's", async (t) => {
	const { github, double } = await connect(t, { compare: { [`${BASE}...${HEAD}`]: MERGE_BASE } });
	assert.equal(await findMergeBase(github, REPOSITORY, BASE, HEAD), MERGE_BASE);
	assert.deepEqual(double.calls[0]?.query, { per_page: '1' });
});

test('no merge base if GitHub knows no base, is down, or does not answer', async (t) => {
	const { github, double } = await connect(t);
	assert.equal(await findMergeBase(github, REPOSITORY, BASE, HEAD), null);
	for (const fault of [badGateway(/./, { times: 9 }), secondaryLimit(/./, 3600)]) {
		double.state.faults = [fault];
		assert.equal(await findMergeBase(github, REPOSITORY, BASE, HEAD), null);
	}
});

test('the latest release is a tag with its commit', async (t) => {
	const releases = [
		{ tag: 'v3.0.0-beta', sha: BASE, prerelease: true },
		{ tag: 'v2.1.0', sha: MERGE_BASE },
		{ tag: 'v2.0.0', sha: HEAD },
	];
	const { github } = await connect(t, { releases, refs: { 'heads/v2.1.0': BASE } });
	assert.deepEqual(await findLatestRelease(github, REPOSITORY), { tag: 'v2.1.0', sha: MERGE_BASE });
});

test('without a release the result is null; an unreachable GitHub is an error', async (t) => {
	const { github, double } = await connect(t);
	assert.equal(await findLatestRelease(github, REPOSITORY), null);
	double.state.faults = [badGateway(/./, { times: 9 })];
	await assert.rejects(
		findLatestRelease(github, REPOSITORY),
		(error) => isUserError(error) && error.code === 'github-unreachable',
	);
	double.state.faults = [
		{ match: /./, status: 403, body: { message: 'Resource not accessible by integration' }, times: 1 },
	];
	await assert.rejects(
		findLatestRelease(github, REPOSITORY),
		(error) => isUserError(error) && error.remedy?.endsWith('permissions: { contents: read }') === true,
	);
});

test('a release with a deleted tag does not count', async (t) => {
	const { github } = await connect(t, {
		releases: [{ tag: 'v1', sha: HEAD }],
		faults: [{ match: /commits/, status: 422, body: { message: 'No commit found for SHA: tags/v1' }, times: 1 }],
	});
	assert.equal(await findLatestRelease(github, REPOSITORY), null);
});

for (const [role, expected] of [
	['admin', true],
	['maintain', true],
	['write', true],
	['triage', false],
	['read', false],
	['none', false],
] as const) {
	test(`write access of the role ${role}: ${expected}`, async (t) => {
		const { github } = await connect(t, { collaborators: { ann: role } });
		assert.equal(await hasWriteAccess(github, REPOSITORY, 'ann'), expected);
	});
}

test('deleted accounts, apps and names that are no logins have no write access', async (t) => {
	const { github, double } = await connect(t, { collaborators: { 'app[bot]': 'admin' } });
	assert.equal(await hasWriteAccess(github, REPOSITORY, 'ghost'), false);
	const calls = double.calls.length;
	for (const login of ['app[bot]', '', '..', 'a/b', '../../user', 'a?b', 'a b', 'ä', '-a']) {
		assert.equal(await hasWriteAccess(github, REPOSITORY, login), false);
	}
	assert.equal(double.calls.length, calls);
});

test('write access is unknown if GitHub does not give it', async (t) => {
	const { github, double } = await connect(t, { collaborators: { ann: 'admin' } });
	for (const fault of [
		{ match: /./, status: 403, times: 1 },
		badGateway(/./, { times: 9 }),
		secondaryLimit(/./, 3600),
	]) {
		double.state.faults = [fault];
		assert.equal(await hasWriteAccess(github, REPOSITORY, 'ann'), 'unknown');
	}
});

test('a command gets a reaction, once', async (t) => {
	const { github, double } = await connect(t, { comments: [COMMENT] });
	assert.equal(await reactToCommand(github, REPOSITORY, 5, 'eyes'), null);
	assert.equal(await reactToCommand(github, REPOSITORY, 5, 'eyes'), null);
	assert.equal(await reactToCommand(github, REPOSITORY, 5, 'confused'), null);
	assert.deepEqual(
		double.state.reactions.map(({ commentId, content }) => [commentId, content]),
		[
			[5, 'eyes'],
			[5, 'confused'],
		],
	);
});

test('a refused reaction is a warning', async (t) => {
	const { github } = await connect(t, {
		comments: [COMMENT],
		permissions: { issues: 'read', 'pull-requests': 'read' },
	});
	const warning = await reactToCommand(github, REPOSITORY, 5, 'eyes');
	assert.equal(warning?.code, 'missing-permission');
	assert.match(warning?.message ?? '', /react to the command.*pull-requests: write/);
});
