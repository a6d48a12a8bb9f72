import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commit, git, makeFolder, openSetting, printOf, tinyFramework, tinyTool } from './support.ts';

const HANGING = fileURLToPath(new URL('hanging-run.ts', import.meta.url));

/** A repository whose build notes its process ids, ignores SIGTERM in a grandchild, and never ends. */
function hangingRepository(t: TestContext): { cwd: string; pids: string } {
	const cwd = makeFolder(t);
	const pids = join(makeFolder(t), 'pids');
	const grandchild = `process.on('SIGTERM', () => {}); require('node:fs').appendFileSync('${pids}', process.pid + '\\n'); setInterval(() => {}, 1000);`;
	const build = `require('node:fs').appendFileSync('${pids}', process.pid + '\\n'); require('node:child_process').spawn(process.execPath, ['grandchild.js'], { stdio: 'ignore' }); setInterval(() => {}, 1000);`;
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), 'build.js': build, 'grandchild.js': grandchild });
	return { cwd, pids };
}

async function until(label: string, holds: () => boolean): Promise<void> {
	for (let tries = 0; tries < 1200; tries++) {
		if (holds()) return;
		await delay(50);
	}
	assert.fail(`waited too long for: ${label}`);
}

function readPids(file: string): number[] {
	return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

/** A zombie waits for its parent and does nothing. */
function isAlive(pid: number): boolean {
	try {
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

function startHanging(cwd: string, cacheFolder: string, toolRoot: string): ChildProcess {
	return spawn(process.execPath, [HANGING, cwd, cacheFolder, toolRoot], { stdio: ['ignore', 'inherit', 'inherit'] });
}

test('an abort ends the build with its processes, and leaves no worktree and no half checkout', async (t) => {
	const { cwd, pids } = hangingRepository(t);
	const controller = new AbortController();
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t), signal: controller.signal });
	const work = setting.prepare('v1', 'v1', ['tiny']);
	const settled = work.then(
		() => null,
		(error: unknown) => error,
	);
	await until('the build', () => readPids(pids).length === 2);
	const reason = new Error('stop');
	controller.abort(reason);
	assert.equal(await settled, reason);
	await until('the end of all processes', () => !readPids(pids).some(isAlive));
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	for (const kind of ['checkouts', 'tarballs']) {
		const remains = readdirSync(join(setting.context.cacheFolder, kind)).filter((name) => !name.endsWith('.log'));
		assert.deepEqual(remains, [], kind);
	}
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
	test(`${signal} of the parent leaves no process and no worktree, and the next run works`, {
		skip: process.platform !== 'linux',
	}, async (t) => {
		const { cwd, pids } = hangingRepository(t);
		const cacheFolder = makeFolder(t);
		const toolRoot = tinyTool(t);
		const run = startHanging(cwd, cacheFolder, toolRoot);
		await until('the build', () => readPids(pids).length === 2);
		run.kill(signal);
		await once(run, 'exit');
		await until('the end of all processes', () => !readPids(pids).some(isAlive));
		await until('the removal of the worktree', () => git(cwd, 'worktree', 'list').split('\n').length === 1);
		const listed = () => readdirSync(join(cacheFolder, 'checkouts')).filter((name) => !name.endsWith('.log'));
		await until('the removal of the lock', () => listed().length === 0);
		commit(cwd, 'v2', tinyFramework('2.0.0'));
		const setting = await openSetting(t, { cwd, toolRoot, cacheFolder });
		assert.equal(printOf(await setting.prepare('v2', 'v2', ['tiny']), 'head', 'tiny'), '2.0.0');
	});
}

test('a daemon that a build leaves behind does not survive it', async (t) => {
	const cwd = makeFolder(t);
	const pids = join(makeFolder(t), 'pids');
	const daemon = `const child = require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' }); child.unref(); require('node:fs').writeFileSync('${pids}', child.pid + '\\n'); require('./original.js'); process.exit(0);`;
	const files = tinyFramework('1.0.0');
	commit(cwd, 'v1', { ...files, 'original.js': files['build.js'], 'build.js': daemon });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	assert.equal(printOf(await setting.prepare('v1', 'v1', ['tiny']), 'base', 'tiny'), '1.0.0');
	await until('the end of the daemon', () => !readPids(pids).some(isAlive));
});

test('two runs that prepare the same at once both succeed, with one install', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const [toolRoot, cacheFolder] = [tinyTool(t), makeFolder(t)];
	const settings = [
		await openSetting(t, { cwd, toolRoot, cacheFolder }),
		await openSetting(t, { cwd, toolRoot, cacheFolder }),
	];
	const both = await Promise.all(settings.map((setting) => setting.prepare('v1', 'v1', ['tiny'])));
	assert.equal(
		both.reduce((sum, { installs }) => sum + installs, 0),
		1,
	);
	for (const prepared of both) assert.equal(printOf(prepared, 'head', 'tiny'), '1.0.0');
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
});

test('an entry without its marker is built again, one unused for 30 days is removed', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const first = await setting.prepare('v1', 'v1', ['tiny']);
	const workspace = first.sides.base.servers.tiny?.cwd ?? '';
	const marker = `${dirname(workspace)}.json`;
	rmSync(marker);
	writeFileSync(join(workspace, 'server.mjs'), 'half written');
	const second = await setting.prepare('v1', 'v1', ['tiny']);
	assert.equal(printOf(second, 'base', 'tiny'), '1.0.0');

	const old = join(setting.context.cacheFolder, 'workspaces', 'a'.repeat(64));
	mkdirSync(old);
	writeFileSync(`${old}.json`, '{}');
	const long = new Date(Date.now() - 31 * 24 * 3600 * 1000);
	utimesSync(`${old}.json`, long, long);
	writeFileSync(`${old}.json.123456`, 'half a marker');
	utimesSync(marker, long, long);
	const third = await setting.prepare('v1', 'v1', ['tiny']);
	for (const name of [old, `${old}.json`, `${old}.json.123456`]) assert.equal(existsSync(name), false);
	assert.equal(third.installs, 1);
});
