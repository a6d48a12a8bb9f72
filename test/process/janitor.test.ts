import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MARKER_NAME, startJanitor } from '../../src/process/janitor.ts';
import { endMarked, findMarked } from '../../src/process/processes.ts';

const HOST = fileURLToPath(new URL('../fixtures/janitor-host.ts', import.meta.url));

async function until(isSo: () => boolean): Promise<void> {
	for (let attempt = 0; attempt < 2_400; attempt++) {
		if (isSo()) return;
		await delay(25);
	}
	assert.fail('it did not happen');
}

function createRepository(folder: string): string {
	const repository = join(folder, 'repository');
	mkdirSync(repository);
	const git = (...args: string[]) => {
		const { status, stderr } = spawnSync(
			'git',
			['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args],
			{ encoding: 'utf8' },
		);
		assert.equal(status, 0, stderr);
	};
	git('init', '-q');
	git('commit', '-q', '--allow-empty', '-m', 'one');
	git('worktree', 'add', '-q', '--detach', join(folder, 'worktree'), 'HEAD');
	return repository;
}

function listWorktrees(repository: string): string {
	return spawnSync('git', ['-C', repository, 'worktree', 'list'], { encoding: 'utf8' }).stdout;
}

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
	test(`${signal} of the orchestrator leaves no process, no worktree and no folder behind`, async () => {
		const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
		const repository = createRepository(folder);
		mkdirSync(join(folder, 'scratch'));
		const host = spawn(process.execPath, [HOST, repository, join(folder, 'worktree'), join(folder, 'scratch')], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const [line] = (await once(host.stdout, 'data')) as [Buffer];
		const marker = line.toString().trim();
		assert.equal(findMarked(marker).length, 2);
		const exited = once(host, 'exit');
		host.kill(signal);
		await exited;
		await until(() => findMarked(marker).length === 0);
		await until(() => !existsSync(join(folder, 'worktree')) && !existsSync(join(folder, 'scratch')));
		await until(() => !listWorktrees(repository).includes('worktree '));
		assert.equal(listWorktrees(repository).trim().split('\n').length, 1);
		rmSync(folder, { recursive: true });
	});
}

/** Process ids of the watchdogs that a host has started, the stand-by last. */
function watchdogsOf(host: number): number[] {
	const children = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim().split(' ').map(Number);
	const wordsOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	const watchdogs = children.filter((pid) => wordsOf(pid).includes('watchdog.ts'));
	return watchdogs.sort((a, b) => wordsOf(a).length - wordsOf(b).length);
}

for (const [which, index] of [
	['the first watchdog', 0],
	['the watchdog that stands by', 1],
] as const) {
	const skip = process.platform !== 'linux' && 'needs /proc';
	test(`SIGKILL of the orchestrator and ${which} at once leaves nothing either`, { skip }, async () => {
		const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
		const repository = createRepository(folder);
		mkdirSync(join(folder, 'scratch'));
		const host = spawn(process.execPath, [HOST, repository, join(folder, 'worktree'), join(folder, 'scratch')], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const [line] = (await once(host.stdout, 'data')) as [Buffer];
		const watchdogs = watchdogsOf(host.pid ?? 0);
		assert.equal(watchdogs.length, 2);
		process.kill(watchdogs[index] ?? 0, 'SIGKILL');
		host.kill('SIGKILL');
		await until(() => findMarked(line.toString().trim()).length === 0);
		await until(() => !existsSync(join(folder, 'worktree')) && !existsSync(join(folder, 'scratch')));
		await until(() => !watchdogs.some((pid) => existsSync(`/proc/${pid}`)));
		rmSync(folder, { recursive: true });
	});
}

test('a lock is removed after the folder that it protects', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	const [lock, entry] = [join(folder, 'entry.lock'), join(folder, 'entry')];
	for (const path of [lock, entry]) mkdirSync(path);
	const janitor = await startJanitor();
	janitor.guardLock(lock);
	janitor.guardDirectory(entry);
	for (let index = 0; index < 2_000; index++) writeFileSync(join(entry, String(index)), '');
	const changes: string[] = [];
	const watcher = watch(folder, (event, name) => event === 'rename' && name !== null && changes.push(name));
	await janitor.close();
	await until(() => changes.length >= 2);
	watcher.close();
	assert.deepEqual(changes, ['entry', 'entry.lock']);
	assert.deepEqual([existsSync(lock), existsSync(entry)], [false, false]);
	rmSync(folder, { recursive: true });
});

test('released items stay, and others are removed at close', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	for (const name of ['kept', 'dropped']) mkdirSync(join(folder, name));
	const janitor = await startJanitor();
	const release = janitor.guardDirectory(join(folder, 'kept'));
	janitor.guardDirectory(join(folder, 'dropped'));
	release();
	await janitor.close();
	assert.equal(existsSync(join(folder, 'kept')), true);
	assert.equal(existsSync(join(folder, 'dropped')), false);
	rmSync(folder, { recursive: true });
});

test('a child that gets its marker only after the first scan is found by the second', async () => {
	const marker = `${MARKER_NAME}=late-${process.pid}`;
	const late = spawn('/bin/sh', ['-c', 'read go; exec env "$0" sleep 300', marker], {
		stdio: ['pipe', 'ignore', 'inherit'],
		env: { PATH: process.env.PATH ?? '' },
	});
	const ended = once(late, 'exit');
	await endMarked(marker, async () => {
		if (late.stdin.writableEnded) return;
		late.stdin.end('go\n');
		await until(() => findMarked(marker).length === 1);
	});
	assert.deepEqual(await ended, [null, 'SIGKILL']);
});
