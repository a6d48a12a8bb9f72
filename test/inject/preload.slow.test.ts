/** The preload in real servers: the effect of each kind, and that frameworks get it without cooperating. */
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
import { pickPort } from '../support/servers/http-server.ts';
import { startBuiltin, waitForPort } from '../support/servers/installed-server.ts';

const PRELOAD = new URL('../../src/inject/preload.ts', import.meta.url).href;

/** Answers with the server's view of itself. */
const SERVER = `
const { createServer } = require('node:http');
createServer((request, response) => {
	if (request.url === '/report') globalThis.gc();
	const sum = ({ user, system }) => user + system;
	const main = sum(process.threadCpuUsage());
	const others = sum(process.cpuUsage()) - main;
	const { heapUsed } = process.memoryUsage();
	let work = 0;
	for (let step = 0; step < 20_000; step++) work = (work * 31 + step) | 0;
	response.end(JSON.stringify({ main, others, heapUsed, work }));
}).listen(process.env.PORT, '127.0.0.1');
`;

interface Running {
	readonly ask: (path?: string) => Promise<{ status: number; body: Record<string, number> }>;
}

async function start(t: TestContext, injection: Injection): Promise<Running> {
	const port = await pickPort();
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
	for (let sent = 0; sent < count; sent++) answers.push(await one(path));
	return answers;
}

test('an injection that cannot be read ends the server before it listens, in one line', async () => {
	const child = spawn(process.execPath, ['--import', PRELOAD, '-e', 'console.log("started")'], {
		env: { PATH: process.env.PATH, BENCHGATE_INJECTION: '{"kind":"cpuu","amount":1}' },
	});
	let errors = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (errors += text));
	const [code] = await once(child, 'close');
	assert.equal(code, 2);
	assert.match(errors, /^BENCHGATE_INJECTION=\{"kind":"cpuu","amount":1\}: kind must be one of cpu, .*\n$/);
});

test('wrong: every tenth request at a rate of 0.1, and the server does not see it', async (t) => {
	const server = await start(t, { kind: 'wrong', amount: 0.1, every: 1 });
	const answers = await askAll(server, 50);
	const wrong = answers.flatMap(({ status }, index) => (status === 500 ? [index + 1] : []));
	assert.deepEqual(wrong, [10, 20, 30, 40, 50]);
	assert.deepEqual(answers[9]?.body, { error: 'injected' });
});

test('every kind without effect, and every kind except wrong, leaves answers unchanged', async (t) => {
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

/** Sends two requests at once, of which the first is affected, and returns the order of the answers. */
async function race(t: TestContext, kind: 'wait' | 'lock', amount: number): Promise<string> {
	const { ask: one } = await start(t, { kind, amount, every: 2 });
	await one();
	const hit = one().then(() => 'the one that is hit');
	await delay(100);
	return Promise.race([hit, one().then(() => 'the other')]);
}

test('wait: other requests continue meanwhile', async (t) => assert.equal(await race(t, 'wait', 10_000), 'the other'));

test('lock: no other request continues meanwhile', async (t) =>
	assert.equal(await race(t, 'lock', 500), 'the one that is hit'));

test('the tail: only one request in fifty is affected', async (t) => {
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

/** Returns the cost of each of so many requests, in µs of CPU time: on the server's main thread, and on all others. */
async function costOf(server: Running, requests: number) {
	const { body: before } = await server.ask();
	await Promise.all(Array.from({ length: 10 }, () => askAll(server, requests / 10)));
	const { body: after } = await server.ask();
	const used = (threads: string) => ((after[threads] ?? 0) - (before[threads] ?? 0)) / requests;
	return { main: used('main'), others: used('others') };
}

test('cpu costs CPU time on the main thread, threadpool on others', async (t) => {
	const plain = await start(t, { kind: 'cpu', amount: 0, every: 1 });
	const burning = await start(t, { kind: 'cpu', amount: 9, every: 1 });
	const shifting = await start(t, { kind: 'threadpool', amount: 9, every: 1 });
	// In turns, so that a slow stretch of the machine affects all three.
	const costs: Record<'plain' | 'burnt' | 'shifted', Awaited<ReturnType<typeof costOf>>>[] = [];
	const sum = (of: 'plain' | 'burnt' | 'shifted', threads: 'main' | 'others') =>
		costs.slice(-10).reduce((total, turn) => total + turn[of][threads], 0);
	const isBurnt = () => sum('burnt', 'main') > 2 * sum('plain', 'main');
	const isShifted = () => sum('shifted', 'others') > sum('plain', 'others') + 0.2 * sum('plain', 'main');
	// The preload learns the cost of a request from thousands of them.
	while (costs.length < 10 || (costs.length < 150 && !(isBurnt() && isShifted()))) {
		costs.push({
			plain: await costOf(plain, 200),
			burnt: await costOf(burning, 200),
			shifted: await costOf(shifting, 200),
		});
	}
	const recentCosts = JSON.stringify(costs.slice(-10));
	assert.ok(isBurnt(), recentCosts);
	assert.ok(isShifted(), recentCosts);
});

test('a lock takes time, but no CPU time', async (t) => {
	const wait = 20;
	const server = await start(t, { kind: 'lock', amount: wait, every: 1 });
	await costOf(server, 50);
	const { main, others } = await costOf(server, 50);
	assert.ok(main + others < (1000 * wait) / 2, `${main + others} µs of CPU time for ${wait} ms of waiting`);
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
		await using server = await startBuiltin(name, {}, node);
		const statuses: number[] = [];
		for (let sent = 0; sent < 4; sent++) statuses.push((await ask(`${server.origin}/ping`)).status);
		assert.deepEqual(statuses, [200, 500, 200, 500]);
	});
}
