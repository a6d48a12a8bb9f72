/** A server that exceeds its memory limit: it is killed, and the fault names the reason. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { crashesOf } from '../../src/measure/fresh-pair.ts';
import type { Pair } from '../../src/measure/pair.ts';
import { StartFailure, startServer } from '../../src/measure/server-process.ts';
import { createBench } from '../support/servers/servers.ts';

/** Its child allocates 150 MB more for each request, and keeps them. */
const GROWS = `
const { fork } = require('node:child_process');
if (process.send) process.on('message', () => (globalThis.kept ??= []).push(Buffer.alloc(150e6, 1)));
else {
	const child = fork(__filename);
	require('node:http').createServer((_, answer) => { child.send('more'); answer.end('{}'); }).listen(process.env.PORT, process.env.HOST);
}
`;

test('a server whose processes together exceed the limit is killed, and the fault has their use', async () => {
	await using bench = await createBench();
	const file = join(bench.folder, 'grows.cjs');
	writeFileSync(file, GROWS);
	const options = bench.options('head');
	const run = { argv: [process.execPath, file] };
	const limited = { ...options, server: { ...options.server, run }, limits: { memoryLimit: 250e6 } };
	await using server = await startServer(limited);
	assert.equal(server.ending(), null, 'at rest it is below the limit');
	for (let count = 0; count < 2; count++) await fetch(server.origin);
	for (const due = performance.now() + 30_000; server.ending() === null && performance.now() < due; ) await delay(10);
	const words = /; it used (\d+) MB of memory, more than the limit of 250 MB \(memory-limit\), and was killed$/;
	const [, used] = words.exec(server.ending() ?? '') ?? assert.fail(String(server.ending()));
	assert.ok(Number(used) > 250);
	const pair = { base: { ending: () => null }, head: server } as unknown as Pair;
	const [fault] = crashesOf(pair, 'under load');
	assert.equal(fault?.side, 'head');
	assert.match(fault?.message ?? '', /^the head server crashed under load: SIGKILL; it used/);
});

test('a server that exceeds the limit before it listens did not start', async () => {
	await using bench = await createBench();
	const options = bench.options('base', '');
	// A listening server may have started before its memory was first read.
	const server = { ...options.server, run: { argv: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] } };
	await assert.rejects(
		startServer({ ...options, server, limits: { memoryLimit: 5e6 } }),
		(error) =>
			error instanceof StartFailure &&
			/exited at start: .*used [\d.]+ MB of memory, more than the limit of 5\.0 MB/.test(error.fault.message),
	);
});

test("a limit that no server reaches changes nothing, and the time to be ready can be shorter than the server's own", async () => {
	await using bench = await createBench();
	const options = { ...bench.options('base'), limits: { memoryLimit: 10e9, readyTimeoutSeconds: 20 } };
	await using server = await startServer(options);
	assert.equal((await fetch(server.origin)).status, 200);
	assert.equal(server.ending(), null);
	const run = { shell: 'exec sleep 300' };
	const hangs = { ...options, server: { ...options.server, run }, limits: { readyTimeoutSeconds: 0.2 } };
	await assert.rejects(
		startServer({ ...hangs, port: options.port + 1 }),
		(error) => error instanceof StartFailure && /within 0\.2 s/.test(error.fault.message),
	);
});
