import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isSamePacked } from '../../../src/prepare/content/compare-content.ts';
import type { Unchanged } from '../../../src/prepare/prepare-sides.ts';
import type { Config } from '../../../src/types/config.ts';
import type { Prepared } from '../../../src/types/prepared.ts';
import {
	commit,
	customServer,
	type Files,
	git,
	makeFolder,
	openSetting,
	sessionOf,
	tinyFramework,
	tinyTool,
	writeFiles,
} from '../support.ts';

const isUnchanged = (prepared: Prepared | Unchanged) => 'unchanged' in prepared;

test('a change outside of what is packed: only base is installed, before the code of head ran, and nothing is left', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const sha = commit(cwd, 'v2', { 'test/a.js': 'x', 'README.md': 'more', 'docs/a.md': 'x', 'package-lock.json': '{}' });
	git(cwd, 'rm', '--quiet', 'package-lock.json');
	git(cwd, 'commit', '--quiet', '-m', 'without');
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t), labels: { base: 'main@1234567' } });
	assert.deepEqual(await setting.prepareChanged('v1', 'HEAD', ['tiny']), {
		unchanged: true,
		base: { label: 'main@1234567' },
		head: { label: `HEAD@${git(cwd, 'rev-parse', '--short=7', 'HEAD')}` },
	});
	assert.notEqual(sha, '');
	assert.deepEqual(
		setting.steps.filter((step) => /installing server/.test(step)),
		['base (v1): installing server tiny'],
	);
	assert.equal(setting.steps.at(-1), 'Both sides are the same code: nothing to measure');
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	const { cacheDir } = setting.context;
	assert.deepEqual(readdirSync(cacheDir).sort(), ['checkouts', 'tarballs', 'workspaces']);

	// Asked without the option the same is prepared, with its label.
	const prepared = await setting.prepare('v1', 'HEAD', ['tiny']);
	assert.equal(prepared.sides.base.info.label, 'main@1234567');
});

test('what is packed decides: content, names and modes, built output included', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'content', { 'index.js': `module.exports = 'slower';` });
	commit(cwd, 'build', {
		'index.js': `module.exports = '1.0.0';`,
		'build.js': `${tinyFramework('')['build.js']}// nothing`,
	});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	assert.equal(isUnchanged(await setting.prepareChanged('v1', 'content', ['tiny'])), false);
	assert.equal(isUnchanged(await setting.prepareChanged('v1', 'build', ['tiny'])), true);
});

test('one revision for both sides is an A/A run; two commits of one tree are no change', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'same', {});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	for (const [base, head, expected] of [
		['v1', 'v1', false],
		['dir:.', '.', false],
		['v1', 'git:v1^{commit}', false],
		['v1', 'same', true],
		['v1', 'dir:.', true],
	] as const) {
		assert.equal(isUnchanged(await setting.prepareChanged(base, head, ['tiny'])), expected, `${base} ${head}`);
	}
});

test('tarballs are compared by their entries, however they were packed', async (t) => {
	const cwd = makeFolder(t, { 'package/package.json': { name: 'a', version: '1.0.0' }, 'package/lib/index.js': '1' });
	const session = sessionOf(await openSetting(t, { cwd }));
	const pack = (name: string, files: Files, ...options: string[]) => {
		writeFiles(cwd, files);
		execFileSync('tar', ['-cf', `${name}.tar`, ...options, 'package'], { cwd });
		execFileSync('gzip', ['-n', options.length > 0 ? '-9' : '-1', '-f', `${name}.tar`], { cwd });
		const file = `${name}.tar.gz`;
		return { folder: cwd, subject: { name: 'a', version: '1.0.0', file, digest: name }, siblings: [] };
	};
	const base = pack('base', {});
	const same = async (head: typeof base) => isSamePacked(session, { base, head });
	assert.equal(await same(pack('later', {}, '--mtime=2001-01-01', '--owner=7', '--sort=name')), true);
	assert.equal(await same(pack('documents', { 'package/README.md': 'x', 'package/LICENSE': 'y' })), true);
	execFileSync('chmod', ['+x', 'package/lib/index.js'], { cwd });
	assert.equal(await same(pack('mode', {})), false);
	execFileSync('chmod', ['-x', 'package/lib/index.js'], { cwd });
	assert.equal(await same(pack('bundled', { 'package/node_modules/b/index.js': 'x' })), false);
	execFileSync('rm', ['-r', 'package/node_modules'], { cwd });
	assert.equal(await same(pack('back', {})), true);
	assert.equal(await same(pack('content', { 'package/lib/index.js': '2' })), false);
	const sibling = { ...base.subject, name: 'b' };
	assert.equal(await isSamePacked(session, { base, head: { ...base, siblings: [sibling as never] } }), false);
	assert.deepEqual(
		readdirSync(session.cacheDir).filter((name) => name.startsWith('comparing')),
		[],
	);
});

/** Whether a change on top of an app with a server in `bench` counts. */
async function counts(t: TestContext, change: Files, config: Partial<Config> = {}, cwd = 'bench'): Promise<boolean> {
	const folder = makeFolder(t);
	commit(folder, 'v1', {
		'package.json': { name: 'app', version: '1.0.0' },
		'src/core/index.js': '1',
		'bench/server.js': 'console.log(1)',
		'website/index.js': '1',
		...(config.subject === undefined ? {} : { [join(config.subject, 'index.js')]: '1' }),
	});
	commit(folder, 'v2', change);
	const setting = await openSetting(t, { cwd: folder });
	return !isUnchanged(await setting.prepareChanged('v1', 'v2', [customServer(cwd)], config));
}

test('for a server of the user’s own count its folder, the subject’s, and the files above them', async (t) => {
	const subject = { subject: 'src' };
	assert.equal(await counts(t, { 'website/index.js': '2', 'README.md': 'x', 'docs/a.md': 'x' }, subject), false);
	for (const change of [
		{ 'src/core/index.js': '2' },
		{ 'bench/server.js': 'console.log(2)' },
		{ 'bench/new.js': '' },
		{ 'package-lock.json': '{}' },
		{ Makefile: 'all:' },
	]) {
		assert.equal(await counts(t, change, subject), true, JSON.stringify(change));
	}
});

test('everything counts but documents, workflows and the config where the code can come from anywhere', async (t) => {
	const elsewhere = { 'website/index.js': '2' };
	const inert = { '.github/workflows/ci.yml': 'x', 'benchgate.yml': 'seed: 1', 'README.md': 'x' };
	for (const [config, cwd] of [
		[{}, 'bench'],
		[{ subject: 'src' }, '.'],
		[{ subject: 'src', prepare: 'true' }, 'bench'],
	] as const) {
		assert.equal(await counts(t, elsewhere, config, cwd), true, JSON.stringify(config));
		assert.equal(await counts(t, inert, config, cwd), false, JSON.stringify(config));
	}
	const folder = makeFolder(t);
	const server = { 'src/index.js': '1', 'bench/server.js': '1' };
	commit(folder, 'v1', { ...server, 'package.json': { private: true, workspaces: ['website'] } });
	commit(folder, 'v2', elsewhere);
	const setting = await openSetting(t, { cwd: folder });
	assert.equal(
		isUnchanged(await setting.prepareChanged('v1', 'v2', [customServer('bench')], { subject: 'src' })),
		false,
	);
});

test('a server folder that no side has is told, not skipped', async (t) => {
	const folder = makeFolder(t);
	commit(folder, 'v1', { 'src/index.js': '1' });
	commit(folder, 'v2', { 'README.md': 'x' });
	const setting = await openSetting(t, { cwd: folder });
	await assert.rejects(setting.prepareChanged('v1', 'v2', [customServer('bnech')]), { code: 'no-folder' });
});
