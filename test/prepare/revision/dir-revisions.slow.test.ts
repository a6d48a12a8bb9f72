import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyFiles, hashFiles, inspectFiles, listFiles, walkFolder } from '../../../src/prepare/content/list-files.ts';
import {
	commit,
	git,
	makeFolder,
	openSetting,
	printOf,
	sessionOf,
	tinyFramework,
	tinyTool,
	userError,
	writeFiles,
} from '../support.ts';

test('a folder is taken with uncommitted changes, and is not modified', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	writeFiles(cwd, { 'index.js': `module.exports = require('./extra.js');`, 'extra.js': `module.exports = 'changed';` });
	writeFiles(cwd, {
		'build.js': `const fs = require('node:fs'); fs.mkdirSync('dist'); for (const f of ['index.js', 'extra.js']) fs.copyFileSync(f, 'dist/' + f);`,
	});
	const status = git(cwd, 'status', '--porcelain', '--ignored');
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('git:HEAD', '.', ['tiny']);
	assert.equal(printOf(prepared, 'base', 'tiny'), '1.0.0');
	assert.equal(printOf(prepared, 'head', 'tiny'), 'changed');
	assert.equal(git(cwd, 'status', '--porcelain', '--ignored'), status);

	writeFiles(cwd, { 'extra.js': `module.exports = 'again';` });
	const again = await setting.prepare('git:HEAD', 'dir:.', ['tiny']);
	assert.equal(printOf(again, 'head', 'tiny'), 'again');
	assert.equal(again.installs, 1);
	assert.equal((await setting.prepare('git:HEAD', 'dir:.', ['tiny'])).installs, 0);
});

test('in a git work tree: tracked and untracked files, nothing ignored, nothing deleted, links as links', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { '.gitignore': 'secret\nnode_modules\n', 'kept.txt': '1', 'gone.txt': '2', 'sub/deep.txt': '3' });
	git(cwd, 'rm', '--quiet', '--cached', 'gone.txt');
	writeFiles(cwd, { secret: 'x', 'node_modules/a/index.js': 'x', 'new file.txt': '4' });
	symlinkSync('kept.txt', join(cwd, 'link'));
	const nested = join(cwd, 'nested');
	commit(makeFolder(t), 'unused', {});
	writeFiles(nested, { 'inner.txt': '5' });
	commit(nested, 'v1', {});
	const session = sessionOf(await openSetting(t, { cwd }));
	const files = await listFiles(session, cwd);
	const expected = ['.gitignore', 'gone.txt', 'kept.txt', 'link', 'nested/inner.txt', 'new file.txt', 'sub/deep.txt'];
	assert.deepEqual(
		files.map(({ path }) => path),
		expected,
	);
	assert.deepEqual(
		files.find(({ path }) => path === 'link'),
		{ path: 'link', link: 'kept.txt' },
	);

	const copy = makeFolder(t);
	await copyFiles(cwd, files, copy);
	assert.equal(await hashFiles(copy, await inspectFiles(copy, await walkFolder(copy))), await hashFiles(cwd, files));
});

test('outside of git, and in a folder that git ignores: everything but node_modules', async (t) => {
	const cwd = makeFolder(t, { 'a.txt': '1', 'sub/node_modules/x.js': 'x', 'sub/b.txt': '2', '.cache/c': '3' });
	const setting = await openSetting(t, { cwd, cacheFolder: join(cwd, '.cache') });
	const plain = await listFiles(sessionOf(setting), cwd);
	assert.deepEqual(
		plain.map(({ path }) => path),
		['a.txt', 'sub/b.txt'],
	);
	const around = makeFolder(t);
	commit(around, 'v1', { '.gitignore': 'build' });
	writeFiles(around, { 'build/out.txt': '1' });
	const ignored = await listFiles(sessionOf(setting), join(around, 'build'));
	assert.deepEqual(
		ignored.map(({ path }) => path),
		['out.txt'],
	);
});

test('the hash distinguishes contents, names and modes', async (t) => {
	const hash = async (files: Record<string, string>) => {
		const folder = makeFolder(t, files);
		return hashFiles(folder, await inspectFiles(folder, await walkFolder(folder)));
	};
	const one = await hash({ a: 'x', b: 'y' });
	assert.equal(await hash({ b: 'y', a: 'x' }), one);
	for (const other of [
		{ a: 'x', b: 'z' },
		{ a: 'x', c: 'y' },
		{ a: 'xy', b: '' },
	])
		assert.notEqual(await hash(other), one);
});

test('a folder without package.json is reported, and the cache keeps no copy of it', async (t) => {
	const cwd = makeFolder(t, { 'main.py': 'print(1)' });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('dir:.', 'dir:.', ['tiny']));
	assert.equal(error.code, 'no-package');
	assert.equal(error.where, 'base (dir:.)');
	assert.deepEqual(readdirSync(join(setting.context.cacheFolder, 'checkouts')), []);
	writeFiles(cwd, { 'package.json': '{ "name": ' });
	assert.equal((await userError(setting.prepare('dir:.', 'dir:.', ['tiny']))).code, 'bad-manifest');
	writeFiles(cwd, { 'package.json': '{}' });
	assert.match((await userError(setting.prepare('dir:.', 'dir:.', ['tiny']))).message, /has no name/);
	assert.equal(existsSync(join(cwd, 'node_modules')), false);
});
