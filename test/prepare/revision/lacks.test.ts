/** Checkouts are complete even if the user's is sparse or lacks Git LFS. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commit, customServer, git, makeFolder, openSetting, printOf, setEnvironment, userError } from '../support.ts';

const BOTH = customServer('packages/api', 'cat a.txt ../web/w.txt');

/** A sparse clone of two commits that has one of two packages. */
function sparseClone(t: TestContext, ...settings: string[]): string {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'packages/api/a.txt': 'one', 'packages/web/w.txt': 'web', 'top.txt': 'top' });
	commit(cwd, 'v2', { 'packages/api/a.txt': 'two' });
	const clone = join(makeFolder(t), 'clone');
	git(cwd, 'clone', '--quiet', '--sparse', cwd, clone);
	git(clone, 'sparse-checkout', 'set', ...settings, 'packages/web');
	return clone;
}

test('patterns of a sparse checkout leave no file out of either side', async (t) => {
	for (const settings of [['--cone'], ['--no-cone'], ['--cone', '--sparse-index']]) {
		const cwd = sparseClone(t, ...settings);
		const prepared = await (await openSetting(t, { cwd })).prepare('v1', 'v2', [BOTH]);
		assert.equal(printOf(prepared, 'base', 'api'), 'oneweb');
		assert.equal(printOf(prepared, 'head', 'api'), 'twoweb');
		assert.match(git(cwd, 'status'), /sparse checkout/, 'the own one stays as it is');
	}
});

test('a build that asks git in its checkout finds all files there, too', async (t) => {
	const cwd = sparseClone(t, '--cone');
	const prepare = 'git checkout --quiet --force HEAD && git status --short > state.txt';
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', [BOTH], { prepare });
	assert.equal(printOf(prepared, 'head', 'api'), 'twoweb');
});

test('a folder with a sparse checkout has the files left out of it, by the index', async (t) => {
	const cwd = sparseClone(t, '--cone', '--sparse-index');
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepareChanged('v1', 'dir:.', [BOTH]);
	assert.ok(!('unchanged' in prepared));
	assert.equal(printOf(prepared, 'head', 'api'), 'twoweb');
	assert.ok('unchanged' in (await setting.prepareChanged('v2', 'dir:.', [BOTH])));
	rmSync(join(cwd, 'packages/web/w.txt'));
	const without = await setting.prepare('v2', 'dir:.', [customServer('packages/api', 'ls ..')]);
	assert.equal(printOf(without, 'head', 'api'), 'api', 'what was deleted stays so');
});

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
const LOAD = customServer('.', 'cat model.bin');

function withPointers(t: TestContext): string {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { '.gitattributes': '*.bin filter=lfs -text\n', 'model.bin': POINTER, 'docs/big.bin': POINTER });
	commit(cwd, 'v2', { 'plain.txt': POINTER, 'app.txt': 'app' });
	return cwd;
}

test('contents stored by Git LFS are named if it is not installed', async (t) => {
	setEnvironment(t, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' });
	const cwd = withPointers(t);
	const setting = await openSetting(t, { cwd });
	for (const head of ['v2', 'dir:.']) {
		const error = await userError(setting.prepare(head, head, [LOAD]));
		assert.equal(error.code, 'checkout-incomplete');
		assert.equal(error.message, '"docs/big.bin", "model.bin" are pointers of Git LFS instead of their contents');
		assert.match(error.remedy ?? '', /git lfs install before \(in a workflow: lfs: true on actions\/checkout\)/);
	}
	const reads = ['src'];
	const top = await userError(setting.prepare('v1', 'v2', [LOAD], { reads }));
	assert.equal(top.message, '"model.bin" is a pointer of Git LFS instead of its content');
	const fetched = await setting.prepare('v1', 'v2', [LOAD], { reads, prepare: 'echo model > model.bin' });
	assert.equal(printOf(fetched, 'head', 'api'), 'model');
	assert.match(fetched.warnings[0]?.message ?? '', /"docs\/big\.bin" is a pointer of Git LFS/);
});

test('with the filter of Git LFS checkouts have the contents', async (t) => {
	const config = join(makeFolder(t), 'config');
	setEnvironment(t, { GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1' });
	const cwd = withPointers(t);
	git(cwd, 'config', '--file', config, 'filter.lfs.smudge', 'echo content of %f #');
	const prepared = await (await openSetting(t, { cwd })).prepare('v1', 'v2', [LOAD]);
	assert.equal(printOf(prepared, 'head', 'api'), 'content of model.bin');
	assert.equal(readFileSync(join(cwd, 'model.bin'), 'utf8'), POINTER);
});
