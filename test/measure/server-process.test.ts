import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartFailure, startServer } from '../../src/measure/server-process.ts';
import { findMarked } from '../../src/process/processes.ts';
import type { Fault } from '../../src/types/round.ts';
import { listen } from '../support/servers/http-server.ts';
import { type Bench, createBench } from '../support/servers/servers.ts';

async function faultOf(start: Promise<unknown>): Promise<Fault> {
	try {
		await start;
	} catch (error) {
		if (error instanceof StartFailure) return error.fault;
		throw error;
	}
	assert.fail('the server came up');
}

/** A killed process lives on for a moment, longer on a busy machine. */
async function assertNothingLeft({ janitor }: Bench): Promise<void> {
	const remains = () => findMarked(`${janitor.marker.name}=${janitor.marker.value}`);
	for (const due = performance.now() + 30_000; remains().length > 0 && performance.now() < due; ) await delay(20);
	assert.deepEqual(remains(), []);
}

test('a server that exits at start is a fault with its exit code and last lines', async () => {
	await using bench = await createBench();
	assert.deepEqual(await faultOf(startServer(bench.options('head', 'exit-at-start'))), {
		code: 'exited-at-start',
		side: 'head',
		message: 'the head server fixture exited at start: exit code 7; it printed: cannot find module "left-pad"',
	});
});

test('a server that never listens is a fault with the time and its output, and leaves nothing running', async () => {
	await using bench = await createBench();
	const options = bench.options('base', '', 1);
	// A shell, because Node may take longer than that to start.
	const run = { shell: 'echo thinking; exec sleep 300' };
	const fault = await faultOf(startServer({ ...options, server: { ...options.server, run } }));
	assert.equal(fault.code, 'never-listened');
	assert.match(
		fault.message,
		/the base server fixture did not listen at http:\/\/127\.0\.0\.1:\d{5} \(its HOST and PORT\) within 1 s; it printed: thinking/,
	);
	await assertNothingLeft(bench);
});

test('a server that listens late is waited for', async () => {
	await using bench = await createBench();
	await using server = await startServer(bench.options('base', 'listen-late'));
	assert.equal((await fetch(server.origin)).status, 200);
});

test('a server that ignores SIGTERM is killed, with a note', async () => {
	await using bench = await createBench();
	const server = await startServer(bench.options('base', 'hang-on-sigterm'));
	await server.stop();
	assert.equal(server.untidy.hungOnTerm, true);
	assert.throws(() => process.kill(server.pid, 0));
});

test('children are killed with the server, even if they left its process group', async () => {
	await using bench = await createBench();
	const server = await startServer(bench.options('base', 'leak-children'));
	const marker = `${bench.janitor.marker.name}=${bench.janitor.marker.value}`;
	assert.equal(findMarked(marker).length, 3);
	await server.stop();
	assert.equal(server.untidy.escaped, 1);
	await assertNothingLeft(bench);
});

test('endless output of a server is cut on disk, with its first and last lines kept', async () => {
	await using bench = await createBench();
	const options = bench.options('head');
	const shell = 'echo the first; yes 0123456789 | head -c 30000000; echo the last; exec node behaviour.mjs';
	await using server = await startServer({ ...options, server: { ...options.server, run: { shell } } });
	const [name = ''] = readdirSync(bench.folder);
	const log = join(bench.folder, name);
	const isCut = () => readFileSync(log, 'utf8').includes('[benchgate: ');
	for (const due = performance.now() + 30_000; !isCut() && performance.now() < due; ) await delay(20);
	assert.match(readFileSync(log, 'utf8'), /^the first\n[\s\S]*\[benchgate: .*\]\n[\s\S]*the last\n$/);
	assert.match(server.lastLines(), /the last$/);
});

test('a forking server is up when its workers are, and gone with them', async () => {
	await using bench = await createBench();
	const server = await startServer(bench.options('base', 'fork'));
	assert.equal((await fetch(server.origin)).status, 200);
	await server.stop();
	await assertNothingLeft(bench);
});

test('a server whose port was taken meanwhile starts again on another one', async () => {
	await using bench = await createBench();
	await using taken = await listen(createServer((socket) => socket.destroy()));
	await using server = await startServer({ ...bench.options('base'), port: Number(new URL(taken.origin).port) });
	assert.notEqual(server.origin, taken.origin);
	assert.equal((await fetch(server.origin)).status, 200);
});

test('a neighbouring run that tries whether the port is free is not taken for the server', async (t) => {
	if (process.platform !== 'linux') return t.skip('needs /proc');
	await using bench = await createBench();
	const options = bench.options('base', 'listen-late');
	const passing = `
const net = require('node:net');
const end = Date.now() + 500;
const pass = () => Date.now() < end && net.createServer().listen(${options.port}, '127.0.0.1', function () { this.close(pass); });
pass();
setTimeout(() => {}, 200_000);`;
	const neighbour = spawn(process.execPath, ['-e', passing]);
	t.after(() => neighbour.kill('SIGKILL'));
	await using server = await startServer(options);
	assert.equal((await fetch(server.origin)).status, 200);
});

test('a Python server whose port was taken starts again too, despite another error message', async (t) => {
	if (spawnSync('python3', ['--version']).status !== 0) return t.skip('there is no python3');
	await using bench = await createBench();
	const options = bench.options('base');
	const cwd = fileURLToPath(new URL('../fixtures/python-api', import.meta.url));
	const python = { ...options, server: { ...options.server, cwd, run: { shell: 'python3 server.py' } } };
	await using taken = await listen(createServer((socket) => socket.destroy()));
	await using server = await startServer({ ...python, port: Number(new URL(taken.origin).port) });
	assert.notEqual(server.origin, taken.origin);
	assert.equal((await fetch(server.origin)).status, 200);
});

test('a stack trace is shown without its frames', async () => {
	await using bench = await createBench();
	const options = bench.options('head');
	const run = { shell: `node -e "throw new Error('no database')"` };
	const { message } = await faultOf(startServer({ ...options, server: { ...options.server, run } }));
	assert.equal(message, 'the head server fixture exited at start: exit code 1; it failed with Error: no database');
});

test('every thread of a server is held on one CPU, the same for both sides', async (t) => {
	await using bench = await createBench();
	if (!bench.affinity.pinned) return t.skip(bench.affinity.note);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head'));
	const cpusOf = (pid: number) =>
		readdirSync(`/proc/${pid}/task`).map(
			(thread) => /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1],
		);
	const all = new Set([...cpusOf(base.pid), ...cpusOf(head.pid)]);
	assert.equal(all.size, 1);
	assert.match([...all][0] ?? '', /^\d+$/);
});

test('servers see no token and no platform variable, and both sides see environments of equal length', async () => {
	process.env.GITHUB_TOKEN = 'secret-one';
	process.env.ACTIONS_RUNTIME_TOKEN = 'secret-two';
	process.env.INPUT_THRESHOLD = '5%';
	await using bench = await createBench();
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head'));
	const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8');
	assert.doesNotMatch(environmentOf(base.pid), /secret-|GITHUB_|ACTIONS_|INPUT_/);
	// A server that recognises a measurement could act differently.
	assert.doesNotMatch(environmentOf(base.pid), /(?:^|\0)[^=]*BENCHGATE[^=]*=/i);
	assert.equal(environmentOf(base.pid).length, environmentOf(head.pid).length);
});

test('a server held on one CPU gets one helper thread of V8, beside its own options', async (t) => {
	await using bench = await createBench();
	if (!bench.affinity.pinned) return t.skip(bench.affinity.note);
	const options = bench.options('head');
	const optionsOf = async (env: Record<string, string>) => {
		await using server = await startServer({ ...options, server: { ...options.server, env } });
		return /NODE_OPTIONS=([^\0]*)/.exec(readFileSync(`/proc/${server.pid}/environ`, 'utf8'))?.[1];
	};
	assert.match((await optionsOf({})) ?? '', /^--v8-pool-size=1( |$)/);
	assert.match((await optionsOf({ NODE_OPTIONS: '--no-warnings' })) ?? '', /^--v8-pool-size=1 .*--no-warnings$/);
});

test('an abort while waiting leaves nothing running', async () => {
	await using bench = await createBench();
	const start = startServer(bench.options('base', 'never-listen', 30));
	setTimeout(() => bench.controller.abort(new Error('stop')), 300);
	await assert.rejects(start, /stop/);
	await assertNothingLeft(bench);
});

test('each process has its own temporary folder and data folder, empty, and removed with it', async () => {
	await using bench = await createBench();
	const options = bench.options('base');
	const script =
		'const { env } = process, { mkdirSync, readdirSync, writeFileSync } = require("node:fs");' +
		'if (readdirSync(env.TMPDIR).length + readdirSync(process.argv[1]).length > 0) throw new Error("not fresh");' +
		'mkdirSync(process.argv[1] + "/db"); writeFileSync(env.TMPDIR + "/x", "x"); writeFileSync(env.DB + "/x", "x");' +
		'require("node:http").createServer((q, a) => a.end(JSON.stringify([env.TMPDIR, env.DB]))).listen(env.PORT, env.HOST)';
	const run = { shell: `exec node -e '${script}' "\${data}"` };
	const server = { ...options.server, run, env: { DB: '${data}/db' } };
	const folders: string[] = [];
	for (let time = 0; time < 2; time++) {
		await using started = await startServer({ ...options, server });
		folders.push(...((await (await fetch(started.origin)).json()) as string[]));
	}
	assert.equal(new Set(folders).size, 4);
	assert.deepEqual(
		folders.filter((folder) => existsSync(folder)),
		[],
	);
});

test('a command that does not name the data folder keeps a variable of that name', async () => {
	await using bench = await createBench();
	const options = bench.options('base');
	const script =
		'require("node:http").createServer((q, a) => a.end(process.env.data)).listen(process.env.PORT, process.env.HOST)';
	const server = { ...options.server, run: { shell: `exec node -e '${script}'` }, env: { data: 'mine' } };
	await using started = await startServer({ ...options, server });
	assert.equal(await (await fetch(started.origin)).text(), 'mine');
});
