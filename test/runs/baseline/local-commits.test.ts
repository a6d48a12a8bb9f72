/** Which code a stored baseline may have measured: records name anchors, and anchors are built and run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLocalCommits } from '../../../src/runs/baseline/local-commits.ts';
import { isAnchorsFault } from '../../../src/runs/baseline/run-baseline.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { commit, git, makeFolder, openSetting } from '../../prepare/support.ts';

test('an anchor of the store is measured only if it belongs to the repository', async (t) => {
	const cwd = makeFolder(t);
	const first = commit(cwd, 'v1.0.0', { 'package.json': { name: 'own' } });
	git(cwd, 'checkout', '--quiet', '-b', 'old');
	const released = commit(cwd, 'v1.0.1', { 'a.txt': '1' });
	git(cwd, 'checkout', '--quiet', 'main');
	git(cwd, 'branch', '--quiet', '-D', 'old');
	commit(cwd, 'v2.0.0', { 'b.txt': '1' });
	// A commit of a fork, as a host has it: an object that no branch and no tag leads to.
	const foreign = git(cwd, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'From a fork');
	const { context } = await openSetting(t, { cwd });
	const commits = openLocalCommits({ ...context, cwd, subject: '.' });
	const find = (sha: string | null, label: string) => commits.findAnchor({ sha, label, kind: 'release' });
	const isRefused = (error: unknown) => isUserError(error) && error.code === 'foreign-anchor' && isAnchorsFault(error);

	assert.equal((await find(first, 'v1')).revision, `git:${first}`);
	assert.equal(
		(await find(released, 'v1.0.1')).revision,
		`git:${released}`,
		'of a branch that is gone: its tag is there',
	);
	await assert.rejects(find(foreign, 'v9.9.9'), isRefused);
	assert.equal((await find(null, 'own@1.0.0')).revision, 'npm:own@1.0.0');
	for (const label of ['evil@1.0.0', '@evil/own@1.0.0', 'https://evil.example/x.tgz', '../evil', '\u202eown@1', '']) {
		await assert.rejects(find(null, label), isRefused, label);
	}
	commits.vouch(foreign);
	assert.equal((await find(foreign, 'v9.9.9')).revision, `git:${foreign}`, 'GitHub calls it the latest release');
});

test('in a repository without a package no label belongs to it', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.0.0', { 'a.txt': '1' });
	const { context } = await openSetting(t, { cwd });
	const commits = openLocalCommits({ ...context, cwd, subject: '.' });
	for (const label of ['evil@1.0.0', '../evil', '']) {
		await assert.rejects(
			commits.findAnchor({ sha: null, label, kind: 'first' }),
			(error) => isUserError(error) && error.code === 'foreign-anchor',
			label,
		);
	}
});

test('a revision that the user typed is measured, whoever made it', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.0.0', { 'package.json': { name: 'own' } });
	const typed = git(cwd, 'commit-tree', 'HEAD^{tree}', '-m', 'Elsewhere');
	const { context } = await openSetting(t, { cwd });
	const commits = openLocalCommits({ ...context, cwd, subject: '.' });
	const typedCommit = await commits.findGiven(typed);
	assert.equal((await commits.findAnchor(typedCommit)).commit.sha, typed);
	const npm = await commits.findGiven('npm:other@2.0.0');
	assert.equal((await commits.findAnchor(npm)).revision, 'npm:other@2.0.0');
	// The link to the previous anchor, known from the store alone.
	const before = await commits.findAnchor({ sha: null, label: 'other@1.0.0', kind: 'given' });
	assert.equal(before.revision, 'npm:other@1.0.0');
});
