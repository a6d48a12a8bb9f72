/** No wait can delay a run for ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGenerator } from '../../src/measure/generator-process.ts';
import { StartFailure, startServer } from '../../src/measure/server-process.ts';
import { isUserError } from '../../src/types/errors.ts';
import { createBench } from '../support/servers/servers.ts';

/** Far longer than each needs, on any machine. */
const PATIENCE = { timeout: 120_000 };

const TIMING = { settleSeconds: 0, windowSeconds: 0.01, windows: 1, soloSeconds: 0, soloRounds: 0 };
const WARMUP = { requests: 1, leastSeconds: 0.01, mostSeconds: 0.02 };

const TARGET = {
	origin: 'http://127.0.0.1:9',
	pid: process.pid,
	request: { method: 'GET', path: '/', headers: {} },
};
const ORDER = {
	turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head' },
	design: 'duet',
	targets: { base: TARGET, head: TARGET },
	load: { connections: 1, pipelining: 1 },
	timing: { ...TIMING, firstWarmup: WARMUP, warmup: WARMUP },
	warmup: WARMUP,
	serverCpu: null,
	awake: false,
	statuses: [200],
	runStartedAt: 0,
} as const;

for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
	const state = signal === 'SIGSTOP' ? 'never answers' : 'has just been killed';
	test(`a generator that ${state} is abandoned, with an error that its reader can act on`, PATIENCE, async () => {
		await using bench = await createBench();
		const generator = await startGenerator(bench.affinity, bench.janitor, 500);
		process.kill(generator.pid, signal);
		for (let tries = 0; tries < 2; tries++)
			await assert.rejects(generator.runTurn(ORDER, bench.controller.signal), (error: unknown) => {
				assert.ok(isUserError(error), String(error));
				assert.equal(error.code, 'generator-lost');
				assert.equal(error.exitCode, 3);
				return true;
			});
		await generator.close();
	});
}

test('a generator that does not exit is ended', PATIENCE, async () => {
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	process.kill(generator.pid, 'SIGSTOP');
	await generator.close();
	assert.throws(() => process.kill(generator.pid, 0));
});

/** Answers a byte at a time, and never completes the headers. */
const DRIP = `require('node:net')
	.createServer((socket) => {
		socket.on('error', () => {}).write('HTTP/1.1 200 OK\\r\\nx: ');
		setInterval(() => socket.write('y'), 200);
	})
	.listen(process.env.PORT, process.env.HOST)`;

test('a server that answers a byte at a time is not ready', PATIENCE, async () => {
	await using bench = await createBench();
	const options = bench.options('base');
	const server = { ...options.server, run: { argv: [process.execPath, '-e', DRIP] } };
	const ready = { path: '/healthz', timeoutSeconds: 5 };
	await assert.rejects(startServer({ ...options, server, ready }), (error: unknown) => {
		assert.ok(error instanceof StartFailure);
		assert.match(error.fault.message, /gave no status below 500 within 5 s: last answer: no answer within 2000 ms/);
		return true;
	});
});
