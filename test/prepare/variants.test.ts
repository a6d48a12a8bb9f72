/** Head with parts of the difference as in base, built as any side. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChangedFile, FileVersion } from '../../src/types/difference.ts';
import type { Prepared, Variants } from '../../src/types/prepared.ts';
import {
	commit,
	customServer,
	git,
	makeFolder,
	openSetting,
	printOf,
	tinyFramework,
	tinyTool,
	userError,
	writeFiles,
} from './support.ts';

const SERVER = `console.log(require('fs').readFileSync('words.txt', 'utf8'), require('./part.js'))`;

function variantsOf(prepared: Prepared): Variants {
	assert.ok(prepared.variants);
	return prepared.variants;
}

async function changesOf(prepared: Prepared): Promise<readonly ChangedFile[]> {
	const changes = await variantsOf(prepared).changes();
	assert.ok(typeof changes !== 'string', `${changes}`);
	return changes;
}

const asInBase = ({ path, base }: ChangedFile): FileVersion => ({ path, state: base });

test('a variant of a commit runs head, except for the files taken from base', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': SERVER, 'words.txt': 'one\r\n', 'part.js': 'module.exports = 1', 'README.md': 'a' });
	commit(cwd, 'v2', { 'words.txt': 'two', 'part.js': 'module.exports = 2', 'README.md': 'b', 'new.js': '' });
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', [customServer('.')]);
	const changes = await changesOf(prepared);
	assert.deepEqual(
		changes.map(({ path, base, head }) => [path, base?.mode, head?.mode]),
		[
			['part.js', '100644', '100644'],
			['words.txt', '100644', '100644'],
			['new.js', undefined, '100644'],
		],
	);
	const without = async (...paths: readonly string[]) => {
		const files = changes.filter(({ path }) => paths.includes(path)).map(asInBase);
		return printOf(await variantsOf(prepared).prepare('api', files), 'head', 'api');
	};
	assert.equal(await without('words.txt'), 'one\r\n 2');
	assert.equal(await without('part.js'), 'two 1');
	assert.equal(printOf(prepared, 'head', 'api'), 'two 2');
	assert.equal(printOf(prepared, 'base', 'api'), 'one\r\n 1');
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	assert.equal(git(cwd, 'status', '--porcelain'), '');

	const stored = () =>
		readdirSync(join(setting.context.cacheFolder, 'checkouts')).filter((name) => !name.includes('.'));
	assert.equal(stored().length, 4);
	await variantsOf(prepared).remove();
	assert.equal(stored().length, 2);
	assert.equal(printOf(prepared, 'head', 'api'), 'two 2');
});

test('a variant of a folder has its uncommitted and untracked files', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': SERVER, 'words.txt': 'one', 'part.js': 'module.exports = 1' });
	writeFiles(cwd, {
		'words.txt': 'edited',
		'part.js': `module.exports = require('./fresh.js')`,
		'fresh.js': 'module.exports = 3',
	});
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'dir:.', [customServer('.')]);
	const changes = await changesOf(prepared);
	assert.deepEqual(changes.map(({ path }) => path).sort(), ['fresh.js', 'part.js', 'words.txt']);
	const words = changes.filter(({ path }) => path === 'words.txt').map(asInBase);
	assert.equal(printOf(await variantsOf(prepared).prepare('api', words), 'head', 'api'), 'one 3');
	assert.equal(git(cwd, 'status', '--porcelain', 'words.txt'), 'M words.txt');
});

test('a variant whose packed files are those of a side shares its folder', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), 'test/a.js': '1' });
	commit(cwd, 'v2', { 'index.js': `module.exports = 'two';`, 'test/a.js': '2' });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	const changes = await changesOf(prepared);
	const rootOf = async (path: string) => {
		const files = changes.filter((each) => each.path === path).map(asInBase);
		return (await variantsOf(prepared).prepare('tiny', files)).sides.head.servers.tiny?.root;
	};
	assert.equal(await rootOf('index.js'), prepared.sides.base.servers.tiny?.root);
	assert.equal(await rootOf('test/a.js'), prepared.sides.head.servers.tiny?.root);
	await variantsOf(prepared).remove();
	for (const side of ['base', 'head'] as const) assert.ok(existsSync(prepared.sides[side].servers.tiny?.root ?? ''));
});

test('a variant that does not build, or whose file is blocked, is a fault of head', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), 'data/a.txt': 'a' });
	git(cwd, 'rm', '-q', '-r', 'data');
	symlinkSync('/tmp', join(cwd, 'data'));
	commit(cwd, 'v2', {
		'index.js': '2',
		'index2.js': '2',
		'build.js': `require('fs').copyFileSync('index2.js', 'dist')`,
	});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const broken = { path: 'build.js', state: { mode: '100644', content: Buffer.from('process.exit(1)') } } as const;
	commit(cwd, 'v3', { 'build.js': `require('fs').cpSync('index2.js', 'dist/index.js')` });
	const prepared = await setting.prepare('v1', 'v3', ['tiny']);
	const error = await userError(variantsOf(prepared).prepare('tiny', [broken]));
	assert.deepEqual([error.code, error.where?.startsWith('head')], ['build-failed', true]);
	const changes = await changesOf(prepared);
	const data = changes.filter(({ path }) => path === 'data/a.txt').map(asInBase);
	assert.equal((await userError(variantsOf(prepared).prepare('tiny', data))).code, 'file-blocked');
	assert.ok(!existsSync('/tmp/a.txt'));
});

test('a variant takes the packages of head if it has the manifests of head', async (t) => {
	const cwd = makeFolder(t);
	const manifest = { name: 'api', version: '1.0.0', dependencies: { words: 'file:words' } };
	const linked = { resolved: 'words', link: true };
	const packages = { '': manifest, 'node_modules/words': linked, words: { version: '1.0.0' } };
	commit(cwd, 'v1', {
		'package.json': manifest,
		'package-lock.json': { name: 'api', version: '1.0.0', lockfileVersion: 3, packages },
		'words/package.json': { name: 'words', version: '1.0.0' },
		'words/index.js': `module.exports = 'words'`,
		'server.js': `console.log(require('words'), require('fs').existsSync('node_modules/of-head'), 1)`,
	});
	commit(cwd, 'v2', {
		'server.js': `console.log(require('words'), 2)`,
		'package.json': { ...manifest, private: true },
	});
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', [customServer('.', 'node server.js')]);
	writeFiles(prepared.sides.head.servers.api?.root ?? '', { 'node_modules/of-head': '' });
	const changes = await changesOf(prepared);
	const without = async (...paths: readonly string[]) => {
		const files = changes.filter(({ path }) => paths.includes(path)).map(asInBase);
		return printOf(await variantsOf(prepared).prepare('api', files), 'head', 'api');
	};
	assert.equal(await without('server.js'), 'words true 1');
	assert.equal(await without('server.js', 'package.json'), 'words false 1');
});

test('variants of a package install once', async (t) => {
	const cwd = makeFolder(t);
	const manifest = { name: 'tinyframe', version: '1.0.0', devDependencies: { words: 'file:words' } };
	const linked = { resolved: 'words', link: true };
	const packages = { '': manifest, 'node_modules/words': linked, words: { version: '1.0.0' } };
	const build = (number: number) =>
		`const { existsSync, mkdirSync, writeFileSync } = require('fs'); mkdirSync('dist', { recursive: true });
		const built = [require('words'), existsSync('node_modules/of-first'), require('./part.js'), ${number}].join(' ');
		writeFileSync('dist/index.js', \`module.exports = '\${built}'\`);`;
	commit(cwd, 'v1', {
		...tinyFramework('1.0.0', manifest),
		'package-lock.json': { name: 'tinyframe', version: '1.0.0', lockfileVersion: 3, packages },
		'words/package.json': { name: 'words', version: '1.0.0' },
		'words/index.js': `module.exports = 'words'`,
		'part.js': 'module.exports = 1',
		'build.js': build(1),
	});
	commit(cwd, 'v2', { 'part.js': 'module.exports = 2', 'build.js': build(2), 'README.md': 'two' });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	const changes = await changesOf(prepared);
	const without = async (path: string) => {
		const files = changes.filter((each) => each.path === path).map(asInBase);
		return printOf(await variantsOf(prepared).prepare('tiny', files), 'head', 'tiny');
	};
	const checkouts = join(setting.context.cacheFolder, 'checkouts');
	const stored = () => (existsSync(checkouts) ? readdirSync(checkouts).filter((name) => !name.includes('.')) : []);
	assert.deepEqual(stored(), []);
	assert.equal(await without('part.js'), 'words false 1 2');
	const [first = ''] = stored();
	writeFiles(join(checkouts, first), { 'node_modules/of-first': '' });
	assert.equal(await without('build.js'), 'words true 2 1');
	assert.deepEqual(stored(), [first]);
	await variantsOf(prepared).remove();
	assert.deepEqual(stored(), []);
});

test('published packages have no variants', async (t) => {
	const cwd = makeFolder(t, { 'package.json': { name: 'tinyframe', version: '1.0.0' } });
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	git(cwd, 'archive', '--prefix=package/', '--format=tar.gz', '-o', 'one.tgz', 'v1');
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('file:one.tgz', 'v1', [customServer('.', 'cat index.js')]);
	assert.equal(prepared.variants, undefined);
});
