/** The preload in real servers: what each kind does, and that frameworks get it without knowing. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Injection, TAIL_EVERY } from '../../src/inject/injection.ts';
import { findFreePort } from '../../src/measure/ports.ts';
import { startBuiltin, waitForPort } from '../support/installed-server.ts';

const PRELOAD = new URL('../../src/inject/preload.ts', import.meta.url).href;

/** Answers with what it knows about itself. */
const SERVER = `
const { createServer } = require('node:http');
createServer((request, response) => {
	if (request.url === '/report') globalThis.gc();
	const { user, system } = process.cpuUsage();
	const { heapUsed } = process.memoryUsage();
	let work = 0;
	for (let step = 0; step < 20_000; step++) work = (work * 31 + step) | 0;
	response.end(JSON.stringify({ cpu: user + system, heapUsed, work }));
}).listen(process.env.PORT, '127.0.0.1');
`;

interface Running {
	readonly ask: (path?: string) => Promise<{ status: number; body: Record<string, number> }>;
}

async function start(t: TestContext, injection: Injection): Promise<Running> {
	const port = await findFreePort();
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-inject-'));
	writeFileSync(join(folder, 'server.cjs'), SERVER);
	const child = spawn(process.execPath, ['--expose-gc', '--import', PRELOAD, 'server.cjs'], {
		cwd: folder,
		env: { PATH: process.env.PATH, PORT: String(port), BENCHGATE_INJECTION: JSON.stringify(injection) },
		stdio: 'inherit',
	});
	const agent = new Agent({ keepAlive: true });
	t.after(async () => {
		agent.destroy();
		await stop(child);
		rmSync(folder, { recursive: true });
	});
	await waitForPort(port, child);
	return { ask: (path = '/') => ask(`http://127.0.0.1:${port}${path}`, agent) };
}

async function stop(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	child.kill('SIGKILL');
	await exited;
}

function ask(url: string, agent: Agent | false = false): Promise<{ status: number; body: Record<string, number> }> {
	return new Promise((resolve, reject) => {
		get(url, { agent }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part) => {
				text += part;
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
		}).on('error', reject);
	});
}

async function askAll({ ask: one }: Running, count: number, path = '/') {
	const answers: Awaited<ReturnType<Running['ask']>>[] = [];
	for (let asked = 0; asked < count; asked++) answers.push(await one(path));
	return answers;
}

test('an injection that cannot be read ends the server before it listens, in one line', async () => {
	const child = spawn(process.execPath, ['--import', PRELOAD, '-e', 'console.log("started")'], {
		env: { PATH: process.env.PATH, BENCHGATE_INJECTION: '{"kind":"cpuu","amount":1}' },
	});
	let said = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
	const [code] = await once(child, 'close');
	assert.equal(code, 2);
	assert.match(said, /^BENCHGATE_INJECTION=\{"kind":"cpuu","amount":1\}: kind must be one of cpu, .*\n$/);
});

test('wrong: every tenth request at a rate of 0.1, and the server does not see it', async (t) => {
	const server = await start(t, { kind: 'wrong', amount: 0.1, every: 1 });
	const answers = await askAll(server, 50);
	const wrong = answers.flatMap(({ status }, index) => (status === 500 ? [index + 1] : []));
	assert.deepEqual(wrong, [10, 20, 30, 40, 50]);
	assert.deepEqual(answers[9]?.body, { error: 'injected' });
});

test('every kind without effect, and every kind with one that is not wrong, answers as the server does', async (t) => {
	for (const kind of ['cpu', 'threadpool', 'wait', 'lock', 'allocation', 'leak', 'wrong'] as const) {
		for (const amount of kind === 'wrong' ? [0] : [0, 0.5]) {
			const server = await start(t, { kind, amount, every: 1 });
			for (const { status, body } of await askAll(server, 20)) {
				assert.equal(status, 200, `${kind} ${amount}`);
				assert.equal(typeof body.work, 'number');
			}
		}
	}
});

/** Asks twice at once, of which the first is hit, and returns who was answered first. */
async function race(t: TestContext, kind: 'wait' | 'lock'): Promise<string> {
	const { ask: one } = await start(t, { kind, amount: 500, every: 2 });
	await one();
	const hit = one().then(() => 'the one that is hit');
	await delay(100);
	return Promise.race([hit, one().then(() => 'the other')]);
}

test('wait: others go on meanwhile', async (t) => assert.equal(await race(t, 'wait'), 'the other'));

test('lock: nobody goes on meanwhile', async (t) => assert.equal(await race(t, 'lock'), 'the one that is hit'));

test('the tail: only one request in fifty is hit', async (t) => {
	const server = await start(t, { kind: 'wait', amount: 10_000, every: TAIL_EVERY });
	assert.equal((await askAll(server, TAIL_EVERY - 1)).length, TAIL_EVERY - 1);
	const last = server.ask().then(
		() => 'answered',
		() => 'not answered',
	);
	assert.equal(await Promise.race([last, delay(1_000, 'waits')]), 'waits');
});

test('leak: memory stays; allocation: memory goes', async (t) => {
	const heaps: Record<string, number> = {};
	for (const kind of ['allocation', 'leak'] as const) {
		const server = await start(t, { kind, amount: 64, every: 1 });
		await askAll(server, 300);
		const [first] = await askAll(server, 1, '/report');
		await askAll(server, 1_000);
		const [last] = await askAll(server, 1, '/report');
		heaps[kind] = (last?.body.heapUsed ?? 0) - (first?.body.heapUsed ?? 0);
	}
	assert.ok((heaps.leak ?? 0) > 0.9 * 64_000 * 1_000, `leaked ${heaps.leak} bytes`);
	assert.ok((heaps.allocation ?? 0) < 0.2 * 64_000 * 1_000, `held ${heaps.allocation} bytes`);
});

test('cpu and threadpool cost CPU time, a lock takes time without it', async (t) => {
	const many = 2_000;
	const cost = async (injection: Injection, requests = many) => {
		const server = await start(t, injection);
		const answerMany = () => Promise.all(Array.from({ length: 10 }, () => askAll(server, requests / 10)));
		await answerMany();
		const [first] = await askAll(server, 1);
		await answerMany();
		const [last] = await askAll(server, 1);
		return ((last?.body.cpu ?? 0) - (first?.body.cpu ?? 0)) / requests;
	};
	const plain = await cost({ kind: 'cpu', amount: 0, every: 1 });
	// Four times its own cost is added, so that a busy machine, where costs swing by half, cannot hide it.
	const burnt = await cost({ kind: 'cpu', amount: 4, every: 1 });
	const shifted = await cost({ kind: 'threadpool', amount: 4, every: 1 });
	assert.ok(burnt > 2 * plain, `${plain} µs became ${burnt} µs`);
	assert.ok(shifted > 2 * plain, `${plain} µs became ${shifted} µs`);
	const waited = 20_000;
	const locked = await cost({ kind: 'lock', amount: waited / 1000, every: 1 }, 50);
	assert.ok(locked < waited / 2, `${locked} µs of CPU time for ${waited} µs of waiting`);
});

for (const name of ['express', 'fastify', 'koa', 'hono', 'node-http']) {
	test(`requests of ${name} are injected without touching it`, async (t) => {
		const folder = mkdtempSync(join(tmpdir(), 'benchgate-inject-'));
		t.after(() => rmSync(folder, { recursive: true }));
		const node = join(folder, 'node');
		const injection = JSON.stringify({ kind: 'wrong', amount: 0.5 });
		writeFileSync(
			node,
			`#!/bin/sh\nBENCHGATE_INJECTION='${injection}' exec '${process.execPath}' --import '${PRELOAD}' "$@"\n`,
		);
		chmodSync(node, 0o755);
		process.env.BENCHGATE_TEST_NODE = node;
		t.after(() => delete process.env.BENCHGATE_TEST_NODE);
		await using server = await startBuiltin(name);
		const statuses: number[] = [];
		for (let asked = 0; asked < 4; asked++) statuses.push((await ask(`${server.origin}/ping`)).status);
		assert.deepEqual(statuses, [200, 500, 200, 500]);
	});
}
