/** Real load by wrk, where it is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { requireWrk, runWrk } from '../../../src/measure/drivers/run-wrk.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { listen } from '../../support/http-server.ts';
import { createBench } from '../../support/servers.ts';

const isInstalled = spawnSync('wrk', ['-v']).error === undefined;
const skip = !isInstalled && 'wrk is not installed (Debian: apt-get install wrk)';

test('without wrk it is said how to get it', () => {
	const path = process.env.PATH;
	process.env.PATH = '/nowhere';
	try {
		assert.throws(
			() => requireWrk(),
			(error) => isUserError(error) && error.code === 'no-driver' && /apt-get install wrk/.test(error.remedy ?? ''),
		);
	} finally {
		process.env.PATH = path;
	}
});

test('wrk sends the request of the scenario, and what it counts is a window', { skip }, async () => {
	const asked = { right: 0, wrong: 0 };
	const server = createServer((request, answer) => {
		let body = '';
		request.on('data', (part) => {
			body += part;
		});
		request.on('end', () => {
			const isRight = request.method === 'POST' && request.headers['x-q'] === 'a"b' && body === '{"n":"\\n]]"}';
			asked[isRight ? 'right' : 'wrong']++;
			answer.writeHead(asked.right % 2 === 0 ? 429 : 201).end('{}');
		});
	});
	await using listening = await listen(server);
	const { origin } = listening;
	await using bench = await createBench();
	const request = { method: 'POST', path: '/users', headers: { 'x-q': 'a"b' }, body: '{"n":"\\n]]"}' };
	for (const pipelining of [1, 3]) {
		Object.assign(asked, { right: 0, wrong: 0 });
		const load = { connections: 5, pipelining };
		const order = { target: { origin, pid: process.pid, request }, side: 'head' as const, load, seconds: 1 };
		const { signal } = bench.controller;
		const window = await runWrk(
			{ ...order, refusals: false, runStartedAt: Date.now() },
			bench.affinity,
			bench.janitor,
			signal,
		);
		const head = window.head ?? assert.fail('the side was not loaded');
		assert.equal(window.base, null);
		assert.equal(asked.wrong, 0);
		assert.ok(head.completed > 0 && head.completed <= asked.right, `${head.completed} of ${asked.right}`);
		assert.ok(head.unexpected > 0 && head.unexpected < head.completed, 'every second answer is a 429');
		const latencies = head.latency.reduce((sum, [, count]) => sum + count, 0);
		assert.ok(latencies > 0 && latencies <= head.completed);
		assert.ok((head.cpuSeconds ?? 0) > 0 && window.generatorCpuSeconds > 0);
	}
});

test('an interrupt ends wrk at once', { skip }, async () => {
	await using listening = await listen(createServer((_, answer) => answer.end('{}')));
	await using bench = await createBench();
	const stop = new AbortController();
	const target = { origin: listening.origin, pid: process.pid, request: { method: 'GET', path: '/', headers: {} } };
	const load = { connections: 1, pipelining: 1 };
	const order = { target, side: 'head' as const, load, seconds: 60, refusals: true, runStartedAt: Date.now() };
	const run = runWrk(order, bench.affinity, bench.janitor, stop.signal);
	setTimeout(() => stop.abort(new Error('stopped by the test')), 300);
	await assert.rejects(run, /stopped by the test/);
});
