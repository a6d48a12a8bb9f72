/** A machine without a free port for one more connection is the fault of no side, with the real kernel. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verifyScenario } from '../../../src/measure/answers/verify-scenario.ts';
import { LoadStopped } from '../../../src/measure/generator/load-stopped.ts';
import type { TurnOrder } from '../../../src/measure/generator/messages.ts';
import { runTurn } from '../../../src/measure/generator/turn.ts';
import { StartFailure, startServer } from '../../../src/measure/server-process.ts';
import type { Scenario } from '../../../src/types/config.ts';
import { enterOwnNetwork } from '../../support/own-network.ts';
import { listen } from '../../support/servers/http-server.ts';
import { createBench } from '../../support/servers/servers.ts';

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
const [FIRST, LAST] = [50_000, 50_007];

const request = { method: 'GET', path: '/', headers: {} };
const skip = enterOwnNetwork(fileURLToPath(import.meta.url)) ?? false;

test('a machine without free ports is no fault of a server that starts, receives a request, or is loaded', {
	skip,
}, async () => {
	const usual = readFileSync(RANGE, 'utf8');
	await using base = await listen(createServer((_, res) => res.end('hello')));
	await using head = await listen(createServer((_, res) => res.end('hello')));
	writeFileSync(RANGE, `${FIRST} ${LAST}`);
	// A port that a program has chosen goes to no other, whatever it is connected to.
	const port = Number(new URL(base.origin).port);
	const held = Array.from({ length: LAST - FIRST + 1 }, (_, at) => {
		return connect({ host: '127.0.0.1', port, localPort: FIRST + at });
	});
	try {
		await Promise.all(held.map((socket) => once(socket, 'connect')));
		const origins = { base: base.origin, head: head.origin };
		const { faults } = await verifyScenario(origins, SCENARIO);
		assert.deepEqual([...new Set(faults.map(({ code, side }) => `${code} ${side}`))], ['no-answer null']);
		assert.match(faults[0]?.message ?? '', /^base could not be asked: no port was left on this machine/);

		const abort = new AbortController();
		await assert.rejects(
			runTurn(orderFor(origins), abort, () => {}),
			(error: unknown) => {
				assert.ok(error instanceof LoadStopped);
				assert.deepEqual(error.sides, []);
				assert.match(error.message, /^no port was left on this machine for a connection to (?:base|head)$/);
				return true;
			},
		);

		await using bench = await createBench();
		const startFault = async (behaviour: string) => {
			const failure = await startServer(bench.options('head', behaviour, 5)).catch((error: unknown) => error);
			assert.ok(failure instanceof StartFailure);
			return failure.fault;
		};
		const unasked = await startFault('');
		assert.deepEqual([unasked.code, unasked.side], ['no-answer', null]);
		assert.match(
			unasked.message,
			/^the head server fixture could not be asked whether it is ready within 5 s: no port was left on this machine/,
		);
		// A server that ends by itself is broken, whichever process has the ports.
		const ended = await startFault('exit-at-start');
		assert.deepEqual([ended.code, ended.side], ['exited-at-start', 'head']);
	} finally {
		for (const socket of held) socket.destroy();
		writeFileSync(RANGE, usual);
	}
});

const SCENARIO: Scenario = {
	name: 'hello',
	description: 'Hello.',
	groups: [],
	request,
	expect: { status: [200] },
	checks: [],
	load: { connections: 1, pipelining: 1 },
	origin: 'config',
};

function orderFor({ base, head }: { base: string; head: string }): TurnOrder {
	const warmup = { requests: 10, leastSeconds: 0.1, mostSeconds: 0.2 };
	return {
		kind: 'turn',
		id: 1,
		turn: { cell: 'fixture/x', clientFirst: 'base', windowFirst: 'base' },
		design: 'duet',
		targets: {
			base: { origin: base, pid: process.pid, request },
			head: { origin: head, pid: process.pid, request },
		},
		load: SCENARIO.load,
		timing: {
			firstWarmup: warmup,
			warmup,
			settleSeconds: 0.05,
			windowSeconds: 0.2,
			windows: 1,
			soloSeconds: 0.1,
			soloRounds: 0,
		},
		warmup,
		serverCpu: null,
		awake: false,
		statuses: [200],
		runStartedAt: Date.now(),
	};
}
