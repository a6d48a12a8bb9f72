import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHere } from '../../../src/action/commits/fetch-commits.ts';
import { type BaseLookUps, findBase, localMergeBase } from '../../../src/action/commits/find-commits.ts';
import type { BaseRule } from '../../../src/types/action-run.ts';
import { commit, git, makeFolder, userError, writeFiles } from '../../prepare/support.ts';
import { checkOut, makeRemote, openAccess, visibleState } from './git-remotes.ts';

const NO_GITHUB: BaseLookUps = {
	mergeBase: () => Promise.reject(new Error('HttpError: 502')),
	latestRelease: () => Promise.reject(new Error('HttpError: 502')),
};

/** Extends a branch of a bare repository by empty commits and returns the last. */
function lengthen(folder: string, from: string, count: number): string {
	let tip = from;
	const tree = git(folder, 'rev-parse', `${from}^{tree}`);
	for (let index = 0; index < count; index++) tip = git(folder, 'commit-tree', tree, '-p', tip, '-m', `${index}`);
	return tip;
}

test('the merge base: from complete history with git alone', async (t) => {
	const remote = makeRemote(t);
	const workspace = makeFolder(t);
	git(workspace, 'clone', '--quiet', remote.url, '.');
	const access = await openAccess(workspace);
	const rule: BaseRule = { kind: 'merge-base', with: remote.main };
	const github = { ...NO_GITHUB, mergeBase: () => assert.fail('GitHub was asked') };
	assert.deepEqual(await findBase(rule, remote.head, { access, github }), {
		revision: `git:${remote.root}`,
		note: null,
		warnings: [],
	});
	assert.equal(git(workspace, 'rev-parse', '--is-shallow-repository'), 'false');
});

test('the merge base of a shallow checkout: the API names it, then one commit is fetched', async (t) => {
	const remote = makeRemote(t);
	const workspace = checkOut(t, remote);
	const seen = visibleState(workspace);
	const access = await openAccess(workspace);
	const fetches: string[][] = [];
	const github = {
		...NO_GITHUB,
		mergeBase: async (...shas: string[]) => {
			fetches.push(shas);
			return remote.root;
		},
	};
	const base = await findBase({ kind: 'merge-base', with: remote.main }, remote.head, { access, github });
	assert.equal(base.revision, `git:${remote.root}`);
	assert.deepEqual(fetches, [[remote.main, remote.head]]);
	assert.equal(access.steps.length, 1);
	assert.equal(visibleState(workspace), seen);
	// The tip of the base branch is not needed.
	assert.equal(await isHere(access, remote.main), false);
});

for (const [what, github] of [
	['without a token', null],
	['when GitHub fails', NO_GITHUB],
] as const) {
	test(`the merge base of a shallow checkout ${what}: history is deepened until the merge base is known`, async (t) => {
		const remote = makeRemote(t);
		const main = lengthen(remote.folder, remote.main, 70);
		git(remote.folder, 'update-ref', 'refs/heads/main', main);
		const workspace = checkOut(t, remote);
		const seen = visibleState(workspace);
		const access = await openAccess(workspace);
		const base = await findBase({ kind: 'merge-base', with: main }, remote.head, { access, github });
		assert.equal(base.revision, `git:${remote.root}`);
		const deepened = access.steps.filter((step) => /history/.test(step));
		assert.deepEqual(
			deepened.map((step) => /deepen \d+/.exec(step)?.[0]),
			['deepen 64', 'deepen 512'],
		);
		assert.equal(visibleState(workspace), seen);
	});
}

test('a common ancestor found past the end of a shallow history is rejected', async (t) => {
	const remote = makeRemote(t);
	// Head has merged main: the merge base is main itself. A history cut off behind the merge shows only the older root.
	const { folder, main, head, root } = remote;
	const tree = git(folder, 'rev-parse', `${head}^{tree}`);
	const merged = git(folder, 'commit-tree', tree, '-p', head, '-p', main, '-m', 'main into head');
	const workspace = makeFolder(t);
	git(workspace, 'init', '--quiet');
	git(workspace, 'remote', 'add', 'origin', remote.url);
	git(workspace, 'fetch', '--quiet', 'origin', merged);
	const access = await openAccess(workspace);
	assert.equal(await localMergeBase(access, main, merged), main);
	// As a fetch by depth may leave it: with main's own history, but without the path from the merge to it.
	writeFiles(workspace, { '.git/shallow': `${merged}\n` });
	assert.equal(await localMergeBase(access, main, merged), undefined);
	// A history that ends at the merge base or behind it is enough.
	writeFiles(workspace, { '.git/shallow': `${root}\n` });
	assert.equal(await localMergeBase(access, main, head), root);
});

test('two unrelated histories have no merge base', async (t) => {
	const remote = makeRemote(t);
	const tree = git(remote.folder, 'rev-parse', `${remote.head}^{tree}`);
	const alien = git(remote.folder, 'commit-tree', tree, '-m', 'another history');
	for (const depth of [['--depth=1'], []]) {
		const access = await openAccess(checkOut(t, remote, remote.merge, depth));
		const rule: BaseRule = { kind: 'merge-base', with: remote.main };
		const error = await userError(findBase(rule, alien, { access, github: null }));
		assert.equal(error.code, 'no-merge-base');
		assert.match(error.remedy ?? '', /input base/);
	}
});

test('a head or base branch is found on origin by name, and other objects are refused', async (t) => {
	const remote = makeRemote(t);
	git(remote.folder, 'update-ref', 'refs/heads/feature', remote.head);
	const access = await openAccess(checkOut(t, remote));
	const deps = { access, github: null };
	const base = await findBase({ kind: 'merge-base', with: 'main' }, 'feature', deps);
	assert.equal(base.revision, `git:${remote.root}`);
	const error = await userError(findBase({ kind: 'merge-base', with: 'main' }, 'npm:express@5.1.0', deps));
	assert.equal(error.code, 'no-base');
	assert.match(error.remedy ?? '', /input base/);
	assert.equal((await userError(findBase({ kind: 'parent' }, 'dir:.', deps))).code, 'no-base');
});

test('the parent of a shallow checkout is fetched; the first commit is compared with itself', async (t) => {
	const remote = makeRemote(t);
	const access = await openAccess(checkOut(t, remote));
	const deps = { access, github: null };
	const parent = await findBase({ kind: 'parent' }, remote.merge, deps);
	assert.equal(parent.revision, `git:${remote.main}`);
	assert.equal(await isHere(access, remote.main), true);
	const first = await findBase({ kind: 'parent' }, remote.root, deps);
	assert.equal(first.revision, `git:${remote.root}`);
	assert.match(first.note ?? '', /compared with itself/);
});

test('a commit is fetched; a deleted one is an error', async (t) => {
	const remote = makeRemote(t);
	const access = await openAccess(checkOut(t, remote));
	const deps = { access, github: null };
	const base = await findBase({ kind: 'commit', sha: remote.root }, remote.merge, deps);
	assert.deepEqual(base, { revision: `git:${remote.root}`, note: null, warnings: [] });
	const gone: BaseRule = { kind: 'commit', sha: 'c0ffee00'.repeat(5) };
	assert.equal((await userError(findBase(gone, remote.merge, deps))).code, 'commit-missing');
});

test('the anchor: the latest release, else the newest version tag, else the head itself', async (t) => {
	const remote = makeRemote(t);
	const { folder, main, root } = remote;
	const access = await openAccess(checkOut(t, remote));
	const released = await findBase({ kind: 'anchor' }, main, {
		access,
		github: { ...NO_GITHUB, latestRelease: async () => ({ tag: 'v9', sha: root }) },
	});
	assert.deepEqual([released.revision, released.label], [`git:${root}`, 'v9']);
	assert.deepEqual(released.warnings, []);

	git(folder, 'tag', 'v10.0.0-beta.1', main);
	git(folder, 'tag', 'v1.10.0', root);
	git(folder, 'tag', '-a', '-m', 'annotated', 'v1.9.0', root);
	git(folder, 'tag', 'nightly', main);
	const tagged = await findBase({ kind: 'anchor' }, main, { access, github: NO_GITHUB });
	assert.deepEqual([tagged.revision, tagged.label], [`git:${root}`, 'v1.10.0']);
	assert.equal(tagged.warnings[0]?.code, 'release-unknown');
	git(folder, 'tag', '-d', 'v1.10.0');
	const annotated = await findBase({ kind: 'anchor' }, main, { access, github: null });
	assert.deepEqual([annotated.revision, annotated.label], [`git:${root}`, 'v1.9.0']);

	git(folder, 'tag', '-d', 'v1.9.0', 'v1.0.0', 'v10.0.0-beta.1');
	const none = { ...NO_GITHUB, latestRelease: async () => null };
	const itself = await findBase({ kind: 'anchor' }, main, { access, github: none });
	assert.equal(itself.revision, `git:${main}`);
	assert.match(itself.note ?? '', /compared with itself/);
});

test('with complete history the newest tag is an ancestor of the head', async (t) => {
	const work = makeFolder(t);
	const first = commit(work, 'v1.2.0', { 'a.txt': '1' });
	commit(work, 'not-a-version', {});
	git(work, 'checkout', '--quiet', '-b', 'next');
	commit(work, 'v2.0.0', { 'a.txt': '2' });
	git(work, 'checkout', '--quiet', '--detach', 'not-a-version');
	const access = await openAccess(work);
	const base = await findBase({ kind: 'anchor' }, 'HEAD', { access, github: null });
	assert.deepEqual([base.revision, base.label], [`git:${first}`, 'v1.2.0']);
});

test('a revision of the user is fetched if only origin has it, and otherwise stays as it is', async (t) => {
	const remote = makeRemote(t);
	const workspace = checkOut(t, remote);
	// A second checkout may have the name of the branch; the user surely means the branch.
	writeFiles(workspace, { 'main/package.json': '{}', 'second/package.json': '{}' });
	git(remote.folder, 'update-ref', 'refs/heads/release/5.x', remote.head);
	const deps = { access: await openAccess(workspace), github: null };
	const typed = (revision: string) => findBase({ kind: 'given', revision }, remote.merge, deps);
	const short = (sha: string) => sha.slice(0, 7);
	const branch = await typed('release/5.x');
	assert.deepEqual([branch.revision, branch.label], [`git:${remote.head}`, `release/5.x@${short(remote.head)}`]);
	assert.equal((await typed(remote.main)).revision, `git:${remote.main}`);
	assert.equal((await typed('git:v1.0.0')).revision, `git:${remote.root}`);
	assert.equal((await typed('main')).revision, `git:${remote.main}`);
	for (const revision of [
		'HEAD',
		'second',
		'dir:.',
		'npm:express@5.1.0',
		'express@5.1.0',
		'nobody-knows',
		'git:--help',
	]) {
		assert.deepEqual(await typed(revision), { revision, note: null, warnings: [] });
	}
});

test('a folder that head adds does not take the place of the branch or the package a workflow names', async (t) => {
	const remote = makeRemote(t, { head: { 'main/x.js': '', 'express@5.1.0/package.json': { name: 'express' } } });
	const workspace = checkOut(t, remote);
	writeFiles(workspace, { 'second/checkout.js': '' });
	const access = await openAccess(workspace);
	const typed = (revision: string) => findBase({ kind: 'given', revision }, remote.head, { access, github: null });
	assert.equal((await typed('main')).revision, `git:${remote.main}`);
	const error = await userError(typed('express@5.1.0'));
	assert.deepEqual([error.code, error.where], ['ambiguous-base', 'input base']);
	for (const plain of ['dir:main', 'npm:express@5.1.0', 'express@5.0.0', './second', 'second']) {
		assert.equal((await typed(plain)).revision, plain);
	}
});
