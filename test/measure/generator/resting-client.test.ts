/** A client that rests sends no request, and continues on its connections. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '../../../src/measure/generator/client.ts';
import { openRatedClient } from '../../../src/measure/generator/rated-client.ts';
import { listen } from '../../support/servers/http-server.ts';

const REQUEST = { method: 'GET', path: '/', headers: {} };
const LOAD = { connections: 3, pipelining: 2 };
/** Long enough that a client without rest would have sent a request. */
const REST_MS = 100;

/** The requests to a server, and the number of connections. */
interface Asked {
	requests: number;
	connections: number;
	readonly latencies: number[];
	readonly errors: string[];
}

const eventsOf = (received: Asked) => ({
	onAnswer: (_status: number, _bytes: number, milliseconds: number) => received.latencies.push(milliseconds),
	onError: (error: Error) => received.errors.push(error.message),
	onOpen: () => {},
});

/** `isSilent` marks requests, counted from 1, that get no answer. */
function counting(isSilent: (request: number) => boolean = () => false): { received: Asked; server: Server } {
	const received: Asked = { requests: 0, connections: 0, latencies: [], errors: [] };
	const server = createServer((_request, response) => {
		received.requests++;
		if (!isSilent(received.requests)) response.end('ok');
	}).on('connection', () => received.connections++);
	return { received, server };
}

async function until(isSo: () => boolean, label: string): Promise<void> {
	for (let waited = 0; !isSo(); waited++) {
		assert.ok(waited < 1_000, label);
		await delay(10);
	}
}

test('a client at rest sends nothing, has all its answers, and continues over the same connections', async () => {
	const { received, server } = counting();
	await using site = await listen(server);
	const client = openClient(site.origin, REQUEST, LOAD, eventsOf(received));
	for (let round = 0; round < 3; round++) {
		await until(() => received.requests >= 100 * (round + 1), 'it asks');
		await client.rest();
		const { requests } = received;
		assert.equal(received.latencies.length, requests);
		await delay(REST_MS);
		assert.equal(received.requests, requests);
		client.resume();
	}
	await until(() => received.requests >= 400, 'it goes on');
	await client.close();
	assert.equal(received.connections, LOAD.connections);
	assert.deepEqual(received.errors, []);
});

test('a missing answer is not waited for long: its connection is closed, and opened again after the rest', async () => {
	const { received, server } = counting((request) => request === 50);
	await using site = await listen(server);
	const client = openClient(site.origin, REQUEST, { connections: 2, pipelining: 1 }, eventsOf(received));
	await until(() => received.requests >= 100, 'it asks');
	await client.rest();
	const { requests } = received;
	assert.ok(received.latencies.length < requests);
	client.resume();
	await until(() => received.connections > 2 && received.requests > requests, 'it goes on');
	await client.close();
	assert.deepEqual(received.errors, []);
});

test('at a fixed rate no request falls due during the rest', async () => {
	const { received, server } = counting();
	await using site = await listen(server);
	const client = openRatedClient(site.origin, REQUEST, { ...LOAD, rate: 500 }, eventsOf(received));
	await until(() => received.requests >= 20, 'it asks');
	await client.rest();
	const { requests } = received;
	await delay(1_000);
	assert.equal(received.requests, requests);
	received.latencies.length = 0;
	client.resume();
	await until(() => received.latencies.length >= 20, 'it goes on');
	await client.close();
	// Latency counts from the due time: of requests owed from the rest the first 20 had waited for nearly all of it.
	assert.ok(Math.min(...received.latencies.slice(0, 20)) < 900);
});
