import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { resolveRevision } from '../../../src/prepare/revision/resolve-revision.ts';
import { commit, cutNetwork, git, makeFolder, openSetting, sessionOf, userError } from '../support.ts';

async function resolver(t: TestContext, cwd: string) {
	const session = sessionOf(await openSetting(t, { cwd }));
	return (revision: string) => resolveRevision(session, 'base', revision);
}

test('a folder comes first, then a git ref', async (t) => {
	const cwd = makeFolder(t);
	const sha = commit(cwd, 'v1.0.0', { 'a.txt': 'a', 'docs/b.txt': 'b' });
	git(cwd, 'branch', 'docs');
	const resolve = await resolver(t, cwd);
	assert.equal((await resolve('docs')).kind, 'dir');
	assert.deepEqual(await resolve('git:docs').then(({ kind, label }) => ({ kind, label })), {
		kind: 'git',
		label: `docs@${sha.slice(0, 7)}`,
	});
	assert.equal((await resolve('v1.0.0')).label, 'v1.0.0');
	assert.equal((await resolve(sha.slice(0, 9))).label, sha.slice(0, 7));
	assert.equal((await resolve('HEAD')).label, `HEAD@${sha.slice(0, 7)}`);
});

test('git refs are found from a subfolder, and equal trees have equal content', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'sub/a.txt': 'a' });
	commit(cwd, 'v2', {});
	const resolve = await resolver(t, join(cwd, 'sub'));
	const [one, two] = [await resolve('git:v1'), await resolve('git:v2')];
	assert.ok(one.kind === 'git' && two.kind === 'git');
	assert.equal(one.repository, cwd);
	assert.notEqual(one.sha, two.sha);
	assert.equal(one.content, two.content);
});

test('a branch that only origin has is taken from origin', async (t) => {
	const origin = makeFolder(t);
	const sha = commit(origin, 'v1', { 'a.txt': 'a' });
	git(origin, 'branch', 'release');
	const cwd = makeFolder(t);
	git(cwd, 'clone', '--quiet', origin, '.');
	const resolve = await resolver(t, cwd);
	const resolved = await resolve('release');
	assert.ok(resolved.kind === 'git');
	assert.equal(resolved.sha, sha);
});

test('a ref that does not exist is reported with the nearest one', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.2.0', { 'a.txt': 'a' });
	const resolve = await resolver(t, cwd);
	const error = await userError(resolve('git:mian'));
	assert.equal(error.code, 'unknown-ref');
	assert.equal(error.exitCode, 2);
	assert.match(error.remedy ?? '', /did you mean "main"/);
	assert.match((await userError(resolve('git:v1.2.1'))).remedy ?? '', /"v1\.2\.0"/);
	assert.equal((await userError(resolve('git:--help'))).code, 'unknown-ref');
	assert.equal((await userError(resolve('git:deadbeefdeadbeef'))).code, 'unknown-ref');
});

test('a shallow clone without the commit names the remedy, unlike a ref that does not exist', async (t) => {
	const origin = makeFolder(t);
	const sha = commit(origin, 'v1', { 'a.txt': 'a' });
	commit(origin, 'v2', { 'a.txt': 'b' });
	git(origin, 'branch', 'other', 'v1');
	const bare = makeFolder(t);
	git(bare, 'clone', '--quiet', '--bare', origin, '.');
	const cwd = makeFolder(t);
	git(cwd, 'clone', '--quiet', '--depth=1', `file://${bare}`, '.');
	const resolve = await resolver(t, cwd);
	for (const revision of [sha, `git:${sha.slice(0, 10)}`, 'git:HEAD~1', 'other', 'git:origin/other']) {
		const error = await userError(resolve(revision));
		assert.equal(error.code, 'shallow-clone', revision);
		assert.match(error.remedy ?? '', /git fetch --unshallow.*fetch-depth: 0/);
	}
	assert.equal((await userError(resolve('git:nobody-has-this'))).code, 'unknown-ref');
});

test('a branch outside of a single-branch clone is reported as not fetched', async (t) => {
	const origin = makeFolder(t);
	commit(origin, 'v1', { 'a.txt': 'a' });
	git(origin, 'branch', 'other');
	const cwd = makeFolder(t);
	git(cwd, 'clone', '--quiet', '--single-branch', '--no-tags', `file://${origin}`, '.');
	const resolve = await resolver(t, cwd);
	const error = await userError(resolve('git:other'));
	assert.equal(error.code, 'not-fetched');
	assert.match(error.remedy ?? '', /git fetch origin other/);
	const command =
		/^[^(]+/
			.exec(error.remedy ?? '')?.[0]
			.trim()
			.split(' ')
			.slice(1) ?? [];
	git(cwd, ...command);
	assert.equal((await resolve('git:other')).kind, 'git');
});

test('a missing commit of a pull request is reported with the command that fetches it', async (t) => {
	const origin = makeFolder(t);
	const sha = commit(origin, 'v1', { 'a.txt': 'a' });
	git(origin, 'update-ref', 'refs/pull/7/head', commit(origin, 'fork', { 'a.txt': 'b' }));
	const head = git(origin, 'rev-parse', 'HEAD');
	git(origin, 'tag', '--delete', 'fork');
	git(origin, 'reset', '--quiet', '--hard', sha);
	const cwd = makeFolder(t);
	git(cwd, 'clone', '--quiet', `file://${origin}`, '.');
	const resolve = await resolver(t, cwd);
	const error = await userError(resolve(`git:${head}`));
	assert.equal(error.code, 'not-fetched');
	assert.equal(error.remedy, `git fetch origin ${head}`);
	git(origin, 'config', 'uploadpack.allowReachableSHA1InWant', 'true');
	git(cwd, 'fetch', '--quiet', 'origin', head);
	assert.equal((await resolve(`git:${head}`)).kind, 'git');
	git(cwd, 'remote', 'remove', 'origin');
	assert.equal((await userError(resolve(`git:${'f'.repeat(40)}`))).code, 'unknown-ref');
});

test('outside of a repository git: is refused, and other kinds still work', async (t) => {
	const cwd = makeFolder(t);
	mkdirSync(join(cwd, 'code'));
	const resolve = await resolver(t, cwd);
	assert.equal((await userError(resolve('git:main'))).code, 'no-repository');
	assert.equal((await resolve('code')).kind, 'dir');
	assert.equal((await userError(resolve('dir:nowhere'))).code, 'no-folder');
	assert.equal((await userError(resolve('file:nothing.tgz'))).code, 'no-file');
	assert.equal((await userError(resolve('npm:../code'))).code, 'bad-revision');
});

test('a meaningless word is reported with all attempts', async (t) => {
	const cwd = makeFolder(t, { 'pack.tgz': 'x' });
	commit(cwd, 'v1', {});
	const resolve = await resolver(t, cwd);
	const error = await userError(resolve('mian/'));
	assert.equal(error.code, 'unknown-revision');
	assert.match(error.message, /a folder .* a git ref .* an npm package/);
	assert.match((await userError(resolve('./pack.tgz'))).remedy ?? '', /file:\.\/pack\.tgz/);
	assert.match(
		(await userError(resolve('benchgate-test-no-such-package-here@1.0.0'))).message,
		/the registry has none/,
	);
});

test('without a network a package is reported as such, a misspelt branch as no revision', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'a.txt': 'a' });
	const resolve = await resolver(t, cwd);
	const error = await userError(resolve('npm:express@5.1.0'));
	assert.equal(error.code, 'network');
	assert.equal(error.exitCode, 3);
	assert.match(error.remedy ?? '', /still work, from the cache/);
	assert.match(error.details ?? '', /^npm error code ECONNREFUSED$/m);
	assert.equal((await userError(resolve('express@5.1.0'))).code, 'network');
	// A package without its version is not looked up.
	for (const name of ['mian', 'express', '@hono/node-server']) {
		const refused = await userError(resolve(name));
		assert.equal(refused.code, 'unknown-revision');
		assert.match(refused.message, /an npm package \(it has no version\)/);
		assert.ok(refused.remedy?.endsWith(`a package with its version: ${name}@latest`), refused.remedy);
	}
	assert.match((await userError(resolve('mian'))).remedy ?? '', /git ref "main"/);
});

test('versions and packages the registry does not have', async (t) => {
	const resolve = await resolver(t, makeFolder(t));
	const error = await userError(resolve('npm:express@5.1.99'));
	assert.equal(error.code, 'no-such-version');
	assert.match(error.remedy ?? '', /nearest: 5\.1\.\d+; newest: \d+\.\d+/);
	const beyond = await userError(resolve('express@99.1.0'));
	assert.equal(beyond.code, 'no-such-version');
	assert.match(
		beyond.remedy ?? '',
		/^nearest: (\d+\.\d+\.\d+); newest: \1, .*; see them all: npm view express versions$/,
	);
	assert.equal((await userError(resolve('npm:benchgate-test-no-such-package-here'))).code, 'no-such-package');
	const resolved = await resolve('express@~5.0.0');
	assert.match(resolved.label, /^express@5\.0\.\d+$/);
});

test('a folder without git or commits is refused with the advice to commit first', async (t) => {
	const cwd = makeFolder(t, { 'a.txt': 'a' });
	const outside = await userError((await resolver(t, cwd))('HEAD'));
	assert.match(outside.remedy ?? '', /^commit the folder first.*: git init && git add --all && git commit -m /);
	git(cwd, 'init', '--quiet');
	const unborn = await userError((await resolver(t, cwd))('HEAD'));
	assert.match(unborn.remedy ?? '', /^commit the folder first.*: git add --all && git commit -m /);
});
