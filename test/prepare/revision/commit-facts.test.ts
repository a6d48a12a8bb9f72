import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildEnvironment } from '../../../src/prepare/build/build-environment.ts';
import { currentBranch, describeCommit, findReleaseTag } from '../../../src/prepare/revision/history.ts';
import { commit, git, makeFolder, openSetting } from '../support.ts';

test("a commit is described by git's data, its position counted along first parents", async (t) => {
	const cwd = makeFolder(t);
	const first = commit(cwd, 'v1.0.0', { 'a.txt': '1' });
	git(cwd, 'checkout', '--quiet', '-b', 'side');
	commit(cwd, 'side-tag', { 'b.txt': '1' });
	git(cwd, 'checkout', '--quiet', 'main');
	git(cwd, 'merge', '--quiet', '--no-ff', '-m', `Merge ${'é'.repeat(300)}`, 'side');
	const { context } = await openSetting(t, { cwd });
	const child = { ...context, environment: buildEnvironment(context) };

	const head = await describeCommit(child, cwd, 'HEAD', 'main@head');
	assert.equal(head?.sha, git(cwd, 'rev-parse', 'HEAD'));
	assert.deepEqual([head?.label, head?.parent, head?.position, head?.author], ['main@head', first, 1, 'Test']);
	assert.equal([...(head?.title ?? '')].length, 200);
	assert.match(head?.committedAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
	const root = await describeCommit(child, cwd, first);
	assert.deepEqual([root?.label, root?.parent, root?.position], [first.slice(0, 7), null, 0]);
	assert.equal(await describeCommit(child, cwd, 'nothing'), null);
	assert.equal(await currentBranch(child, cwd), 'main');

	assert.deepEqual(await findReleaseTag(child, cwd, 'HEAD', undefined), { tag: 'v1.0.0', sha: first });
	git(cwd, 'tag', '-a', '-m', 'two', 'v2.0.0', 'HEAD');
	assert.deepEqual(await findReleaseTag(child, cwd, 'HEAD', undefined), { tag: 'v2.0.0', sha: head?.sha });
	assert.deepEqual(await findReleaseTag(child, cwd, first, undefined), { tag: 'v1.0.0', sha: first });
});

test('a commit of a year after 9999, by an author with a very long name, is still described', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'a.txt': '1' });
	const env = { ...process.env, GIT_COMMITTER_DATE: '@253402300800 +0000', GIT_AUTHOR_NAME: 'n'.repeat(300) };
	const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
	execFileSync('git', [...identity, 'commit', '--quiet', '--allow-empty', '--message', 'Late'], {
		cwd,
		env,
		stdio: 'pipe',
	});
	const { context } = await openSetting(t, { cwd });
	const head = await describeCommit({ ...context, environment: buildEnvironment(context) }, cwd, 'HEAD');
	assert.deepEqual([head?.title, head?.committedAt], ['Late', '9999-12-31T23:59:59.000Z']);
});

test('in a truncated history the position is unknown', async (t) => {
	const origin = makeFolder(t);
	commit(origin, 'v1', { 'a.txt': '1' });
	commit(origin, 'v2', { 'a.txt': '2' });
	const cwd = join(makeFolder(t), 'clone');
	execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${origin}`, cwd], { stdio: 'pipe' });
	const { context } = await openSetting(t, { cwd });
	const child = { ...context, environment: buildEnvironment(context) };
	const head = await describeCommit(child, cwd, 'HEAD');
	assert.deepEqual([head?.position, head?.parent], [null, git(origin, 'rev-parse', 'v1')], 'the parent is still named');
	git(cwd, 'checkout', '--quiet', '--detach');
	assert.equal(await currentBranch(child, cwd), null);
});
