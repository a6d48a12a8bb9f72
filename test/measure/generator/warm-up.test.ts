/** The effect of a warm-up: a server has seen connections close before the first window. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { TurnOrder } from '../../../src/measure/generator/messages.ts';
import { runTurn } from '../../../src/measure/generator/turn.ts';
import type { Warmup } from '../../../src/types/plan.ts';
import { listen } from '../../support/servers/http-server.ts';

const CONNECTIONS = 3;
const REQUESTS = 400;

function orderFor(origin: string, warmup: Warmup, windows: number): TurnOrder {
	const target = { origin, pid: process.pid, request: { method: 'GET', path: '/', headers: {} } };
	return {
		...{ kind: 'turn', id: 1, design: 'duet', statuses: [200], runStartedAt: Date.now() },
		turn: { cell: 'own/ping', clientFirst: 'head', windowFirst: 'head', only: 'head' },
		targets: { base: target, head: target },
		load: { connections: CONNECTIONS, pipelining: 1 },
		timing: {
			...{ firstWarmup: warmup, warmup, settleSeconds: 0, windowSeconds: 0.1, windows },
			...{ soloSeconds: 0, soloRounds: 0 },
		},
		...{ warmup, serverCpu: null, awake: false },
	};
}

/** A server that counts the requests on each of its connections. */
function counting() {
	const perConnection: number[] = [];
	const server = createServer((_request, response) => response.end('ok')).on('connection', (socket) => {
		const index = perConnection.push(0) - 1;
		socket.on('data', () => {
			perConnection[index] = (perConnection[index] ?? 0) + 1;
		});
	});
	return { perConnection, server };
}

test('connections are closed and opened anew on the way, and windows are counted on the later ones', async () => {
	const { perConnection, server } = counting();
	await using site = await listen(server);
	const order = orderFor(site.origin, { requests: REQUESTS, leastSeconds: 0.05, mostSeconds: 30 }, 1);
	const { windows } = await runTurn(order, new AbortController(), () => {});
	const sumOf = (requests: readonly number[]) => requests.reduce((sum, one) => sum + one, 0);
	const [first, second] = [perConnection.slice(0, CONNECTIONS), perConnection.slice(CONNECTIONS)];
	assert.equal(second.length, CONNECTIONS);
	assert.ok(sumOf(first) >= REQUESTS / 2, `${sumOf(first)} on the first`);
	const counted = windows[0]?.head?.completed ?? 0;
	assert.ok(counted > 0 && sumOf(second) >= counted, `${counted} counted, ${sumOf(second)} on the later ones`);
});

test('a turn without a warm-up and without windows opens no connection', async () => {
	const { perConnection, server } = counting();
	await using site = await listen(server);
	const order = orderFor(site.origin, { requests: 0, leastSeconds: 0, mostSeconds: 0 }, 0);
	await runTurn(order, new AbortController(), () => {});
	assert.deepEqual(perConnection, []);
});

test('in turn, the second side is not loaded before the first has answered enough', async () => {
	const [first, second] = [counting(), counting()];
	await using head = await listen(first.server);
	await using base = await listen(second.server);
	const sumOf = (requests: readonly number[]) => requests.reduce((sum, one) => sum + one, 0);
	let answered: number | null = null;
	second.server.once('connection', () => {
		answered = sumOf(first.perConnection);
	});
	const warmup = { requests: REQUESTS, leastSeconds: 0.05, mostSeconds: 30, inTurn: true } as const;
	const order = orderFor(head.origin, warmup, 2);
	const { only: _, ...turn } = order.turn;
	const target = { ...order.targets.base, origin: base.origin };
	await runTurn(
		{ ...order, design: 'alternating', turn, targets: { ...order.targets, base: target } },
		new AbortController(),
		() => {},
	);
	assert.ok(answered !== null && answered >= REQUESTS, `${answered} before the other one was loaded`);
	assert.ok(sumOf(second.perConnection) >= REQUESTS, `${sumOf(second.perConnection)} of the second`);
});
