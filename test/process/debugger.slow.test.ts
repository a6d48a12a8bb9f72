/**
 * Any process of the same user can send SIGUSR1, which opens the debugger of a Node process that does not refuse it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startGenerator } from '../../src/measure/generator-process.ts';
import { startServer } from '../../src/measure/server-process.ts';
import { debuggerFlagsOf } from '../../src/process/debugger.ts';
import { listTree } from '../../src/process/process-tree.ts';
import { socketInodesOf } from '../../src/process/socket-table.ts';
import { behavingServer, behavingSides, configOf, makePlayground, until, WAITING } from '../support/cli.ts';
import { createBench } from '../support/servers/servers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const linux = { skip: process.platform !== 'linux' };

/** The number of listening sockets of a process: an open debugger adds one. */
function countListening(pid: number): number {
	const owned = socketInodesOf([pid]);
	return ['/proc/net/tcp', '/proc/net/tcp6']
		.flatMap((table) => readFileSync(table, 'utf8').split('\n'))
		.map((line) => line.trim().split(/\s+/))
		.filter((fields) => fields[3] === '0A' && owned.has(Number(fields[9]))).length;
}

/**
 * Signals the processes, and one that opens its debugger in response; returns those of the former that opened theirs
 * too.
 */
async function signalAll(pids: readonly number[]): Promise<number[]> {
	const script = "setInterval(() => {}, 1000); console.log('up')";
	const naive = spawn(process.execPath, ['--inspect-port=0', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
	await once(naive.stdout, 'data');
	const before = new Map(pids.map((pid) => [pid, countListening(pid)]));
	for (const pid of pids) process.kill(pid, 'SIGUSR1');
	process.kill(naive.pid ?? 0, 'SIGUSR1');
	await until('the debugger of a process that does not refuse', () => countListening(naive.pid ?? 0) > 0);
	// The processes signalled before it had at least as much time.
	await delay(200);
	naive.kill('SIGKILL');
	return pids.filter((pid) => {
		process.kill(pid, 0);
		return countListening(pid) > (before.get(pid) ?? 0);
	});
}

/** The processes below ours that run `entry`. */
function findChildren(entry: string): readonly number[] {
	return listTree(process.pid).filter((one) => readFileSync(`/proc/${one}/cmdline`, 'latin1').includes(entry));
}

test('generator, watchdog and servers open no debugger, and live on', linux, async (t) => {
	if (debuggerFlagsOf(process.execPath).length === 0) return t.skip('this Node cannot refuse the signal for servers');
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	try {
		await using base = await startServer(bench.options('base'));
		const watchdogs = findChildren('/process/watchdog.ts');
		assert.equal(watchdogs.length, 2, 'one, and one that stands by');
		const pids = [generator.pid, ...watchdogs, base.pid];
		assert.deepEqual(await signalAll(pids), []);
	} finally {
		await generator.close();
	}
});

/**
 * Waits until one of our programs has started and thus closed its debugger: one announces it, the other ignores a
 * hangup.
 */
const IS_UP: Readonly<Record<string, (child: ChildProcess) => Promise<unknown>>> = {
	'dist/generator.cjs': (child) => once(child, 'message'),
	'dist/watchdog.js': ({ pid }) => until('the watchdog', () => catchesHangup(pid ?? 0)),
};

for (const [entry, isUp] of Object.entries(IS_UP)) {
	test(`${entry} opens no debugger, even if Node ignores the option against it`, linux, async () => {
		const child = spawn(process.execPath, [entry], { cwd: ROOT, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });
		try {
			await isUp(child);
			assert.deepEqual(await signalAll([child.pid ?? 0]), []);
		} finally {
			child.kill('SIGKILL');
		}
	});
}

/** SIGHUP is the first signal, and Node itself does not handle it. */
function catchesHangup(pid: number): boolean {
	const caught = /^SigCgt:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return (BigInt(`0x${caught}`) & 1n) === 1n;
}

test('the command line opens no debugger while it measures', linux, async (t) => {
	const playground = makePlayground(t, {
		...behavingSides({ api: '' }),
		'benchgate.yml': configOf([behavingServer('api', WAITING)]),
	});
	const running = playground.start(
		'compare --base dir:base --head dir:head --budget 60s --warmup 200ms --raw raw.json'.split(' '),
	);
	await until('a round', () => existsSync(join(playground.folder, 'raw.json')));
	assert.deepEqual(await signalAll([running.process.pid ?? 0]), []);
	running.process.kill('SIGINT');
	assert.equal((await running.ended).code, 130);
});

test('a server whose command brings a Node that cannot refuse starts without the option', linux, async () => {
	await using bench = await createBench();
	const options = bench.options('base');
	// The answer of an older Node.
	const old = `case "$NODE_OPTIONS" in *--disable-sigusr1*) echo "node: --disable-sigusr1 is not allowed in NODE_OPTIONS" >&2; exit 9;; esac`;
	const run = { shell: `${old}; exec "${process.execPath}" behaviour.mjs` };
	await using server = await startServer({ ...options, server: { ...options.server, run } });
	assert.equal((await fetch(server.origin)).status, 200);
});
