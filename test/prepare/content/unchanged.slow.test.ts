import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { isSamePacked } from '../../../src/prepare/content/compare-content.ts';
import { prepareChanged, type Unchanged } from '../../../src/prepare/content/prepare-changed.ts';
import type { Config, CustomServer } from '../../../src/types/config.ts';
import type { Prepared } from '../../../src/types/prepared.ts';
import {
	commit,
	configOf,
	customServer,
	cutNetwork,
	type Files,
	git,
	makeFolder,
	openJanitor,
	openSetting,
	printOf,
	sessionOf,
	tinyFramework,
	tinyTool,
	writeFiles,
} from '../support.ts';

const isUnchanged = (prepared: Prepared | Unchanged) => 'unchanged' in prepared;

test('a change outside of the package: only base is installed, before the code of head ran, and no files remain', async (t) => {
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
	const { cacheFolder } = setting.context;
	assert.deepEqual(readdirSync(cacheFolder).sort(), ['checkouts', 'logs', 'tarballs', 'workspaces']);

	// Without the option the same is prepared, with its label.
	const prepared = await setting.prepare('v1', 'HEAD', ['tiny']);
	assert.equal(prepared.sides.base.info.label, 'main@1234567');
});

const SITE = { 'site/server.js': `console.log('one');` };
const site: CustomServer = { ...customServer('site'), name: 'site' };

test("if only the checkout differs, servers outside of it are those of base on both sides, and head's are not installed", async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), ...SITE });
	commit(cwd, 'moved', { 'site/server.js': `console.log('two');` });
	commit(cwd, 'both', { 'index.js': `module.exports = '2.0.0';` });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepareChanged('v1', 'moved', ['tiny', site]);
	assert.ok('sides' in prepared);
	const { base, head } = prepared.sides;
	assert.deepEqual([prepared.samePacked, head.servers.tiny], [['tiny'], base.servers.tiny]);
	assert.deepEqual([printOf(prepared, 'base', 'site'), printOf(prepared, 'head', 'site')], ['one', 'two']);
	assert.deepEqual(head.info.versions, base.info.versions);
	assert.deepEqual(prepared.warnings, []);
	await prepared.checkBase?.();
	const installing = setting.steps.filter((step) => /installing server/.test(step));
	assert.deepEqual(installing, ['base (v1): installing server tiny']);

	const samePacked = async (...[of, to, skips]: [string, string, 'run' | 'servers']) => {
		const config = { ...configOf(['tiny', site]) };
		const outcome = await prepareChanged(config, { base: of, head: to }, setting.context, skips);
		return 'unchanged' in outcome ? 'unchanged' : (outcome.samePacked ?? []);
	};
	assert.deepEqual(await samePacked('v1', 'both', 'run'), []);
	assert.deepEqual(await samePacked('moved', 'moved', 'run'), [], 'somebody wants to see it against itself');
	assert.deepEqual(await samePacked('v1', 'moved', 'servers'), ['tiny']);
	assert.equal((await setting.prepare('v1', 'moved', ['tiny', site])).samePacked, undefined);
	// A part of a run does not decide for the whole.
	const alone = await prepareChanged(configOf(['tiny']), { base: 'v1', head: 'moved' }, setting.context, 'servers');
	assert.deepEqual('samePacked' in alone && alone.samePacked, ['tiny']);
});

test('the packed files decide: content, names and modes, built output included', async (t) => {
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
		readdirSync(session.cacheFolder).filter((name) => name.startsWith('comparing')),
		[],
	);
});

const janitor = await openJanitor({ after });

/**
 * Whether a change on top of an app counts, for custom servers in these folders. A change counts if the run continues
 * to check out base: preparing two sides each time would take minutes.
 */
async function counts(
	t: TestContext,
	app: Files,
	change: Files,
	config: Partial<Config> = {},
	cwds: readonly string[] = ['bench'],
): Promise<boolean> {
	const folder = makeFolder(t);
	commit(folder, 'v1', app);
	commit(folder, 'v2', change);
	const stop = new AbortController();
	const goesOn = new Error('it goes on');
	const stopping = {
		...janitor,
		guardWorktree: (...place: Parameters<typeof janitor.guardWorktree>) => {
			stop.abort(goesOn);
			return janitor.guardWorktree(...place);
		},
	};
	const setting = await openSetting(t, { cwd: folder, janitor: stopping, signal: stop.signal });
	const servers = cwds.map((cwd, index) => ({ ...customServer(cwd), name: `api${index}` }));
	try {
		const prepared = await setting.prepareChanged('v1', 'v2', servers, config);
		assert.ok(isUnchanged(prepared), 'nothing was checked out');
		return false;
	} catch (error) {
		if (error !== goesOn) throw error;
		return true;
	}
}

const APP: Files = {
	'package.json': { name: 'app', version: '1.0.0' },
	'src/core/index.js': '1',
	'bench/server.js': 'console.log(1)',
	'website/index.js': '1',
};

test('every change counts except documents, workflows and the config: a server can load any other file', async (t) => {
	const inert = {
		...{ '.github/workflows/ci.yml': 'x', 'benchgate.yml': 'seed: 1', 'README.md': 'x' },
		...{ 'docs/a.md': 'x', 'bench/README.md': 'x' },
	};
	for (const [config, cwd] of [
		[{}, 'bench'],
		[{ subject: 'src' }, '.'],
		[{ subject: 'src' }, 'bench'],
		[{ subject: 'src', prepare: 'true' }, 'bench'],
	] as const) {
		assert.equal(await counts(t, APP, { 'website/index.js': '2' }, config, [cwd]), true, JSON.stringify(config));
		assert.equal(await counts(t, APP, inert, config, [cwd]), false, JSON.stringify(config));
	}
	for (const change of [
		{ 'src/core/index.js': '2' },
		{ 'bench/new.js': '' },
		{ 'package-lock.json': '{}' },
		{ Makefile: 'all:' },
		{ 'bench/data/history.txt': 'served' },
		{ '.github/scripts/start.js': '' },
	]) {
		assert.equal(await counts(t, APP, change, { subject: 'src' }), true, JSON.stringify(change));
	}
});

test('code that a server requires from beside its folder counts, in no workspace too', async (t) => {
	const app = {
		'package.json': { name: 'app', version: '1.0.0' },
		'packages/core/index.js': `module.exports = require('../../lib/util.js');`,
		'lib/util.js': 'module.exports = 1;',
		'bench/server.js': `console.log(require('../packages/core'));`,
	};
	assert.equal(await counts(t, app, { 'lib/util.js': 'module.exports = 2;' }, { subject: 'packages/core' }), true);
	const renamed = { 'lib/util.js': app['lib/util.js'], 'lib/other.js': '' };
	assert.equal(await counts(t, app, renamed, { subject: 'packages/core' }), true);
});

test('siblings linked by file: or by a workspace count', async (t) => {
	cutNetwork(t);
	for (const top of [{ private: true }, { private: true, workspaces: ['packages/*'] }]) {
		const app = {
			'package.json': top,
			'packages/core/package.json': { name: 'core', version: '1.0.0', dependencies: { util: 'file:../util' } },
			'packages/util/package.json': { name: 'util', version: '1.0.0' },
			'packages/util/index.js': '1',
			'bench/package.json': { private: true, dependencies: { core: 'file:../packages/core' } },
			'bench/server.js': `console.log(require('core'));`,
		};
		assert.equal(await counts(t, app, { 'packages/util/index.js': '2' }, { subject: 'packages/core' }), true);
	}
});

test('a server below an otherwise inert folder counts with all its files', async (t) => {
	for (const cwd of ['.github/bench', 'docs/site']) {
		const app = { ...APP, [join(cwd, 'server.js')]: '1', [join(cwd, 'rates.yml')]: '1', [join(cwd, 'page.md')]: '1' };
		for (const file of ['server.js', 'rates.yml', 'page.md']) {
			const change = { [join(cwd, file)]: '2' };
			assert.equal(await counts(t, app, change, { subject: 'src' }, [cwd]), true, `${cwd} ${file}`);
			assert.equal(await counts(t, app, change, { subject: 'src' }, ['bench', cwd]), true, `${cwd} ${file}`);
		}
		assert.equal(await counts(t, app, { 'README.md': 'x' }, { subject: 'src' }, [cwd]), false, cwd);
	}
});

test('siblings of siblings of a packed subject count', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	const manifest = (name: string, dependencies: object) => ({ name, version: '1.0.0', main: 'index.js', dependencies });
	commit(cwd, 'v1', {
		'packages/core/package.json': manifest('tinyframe', { util: 'file:../util' }),
		'packages/core/index.js': `module.exports = require('util');`,
		'packages/util/package.json': manifest('util', { deep: 'file:../deep' }),
		'packages/util/index.js': `module.exports = require('deep');`,
		'packages/deep/package.json': manifest('deep', {}),
		'packages/deep/index.js': '1',
	});
	commit(cwd, 'deep', { 'packages/deep/index.js': '2' });
	// A run that continues to install a server counts.
	const stop = new AbortController();
	const step = (text: string) => void (/installing server/.test(text) && stop.abort(new Error('it goes on')));
	const progress = { step, status: () => {} };
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t), progress, signal: stop.signal });
	await assert.rejects(setting.prepareChanged('v1', 'deep', ['tiny'], { subject: 'packages/core' }), /it goes on/);
});

test('a server folder that neither side has is reported, not skipped', async (t) => {
	const folder = makeFolder(t);
	commit(folder, 'v1', { 'src/index.js': '1' });
	commit(folder, 'v2', { 'README.md': 'x' });
	const setting = await openSetting(t, { cwd: folder });
	await assert.rejects(setting.prepareChanged('v1', 'v2', [customServer('bnech')]), { code: 'no-folder' });
});
