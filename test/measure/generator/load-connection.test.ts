/** A client against servers that do not answer as they should: what is counted, and what is told. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '../../../src/measure/generator/client.ts';
import { LoadConnection, MOST_QUIET } from '../../../src/measure/generator/load-connection.ts';
import { closedLoop, type Pace, type Sender } from '../../../src/measure/generator/pace.ts';
import { UsualAnswer } from '../../../src/measure/generator/reading/usual-answer.ts';
import { listen } from '../../support/servers/http-server.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const END = '\r\n\r\n';

/** A server that answers each request as told; `requests` counts over all connections. */
function answering(answer: (socket: Socket, requests: number) => void) {
	let requests = 0;
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('data', (chunk) => {
			for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, at + END.length)) answer(socket, ++requests);
		});
	});
	const close = server.close.bind(server);
	server.close = (done) => {
		for (const socket of sockets) socket.destroy();
		return close(done);
	};
	return listen(server);
}

interface Seen {
	readonly bodies: string[];
	readonly errors: string[];
	bytes: number;
}

const REQUEST = { method: 'GET', path: '/', headers: {} };

/** Loads until something was seen. */
async function load(origin: string, pipelining: number, until: (seen: Seen) => boolean, pace?: Pace): Promise<Seen> {
	const seen: Seen = { bodies: [], errors: [], bytes: 0 };
	const client = openClient(
		origin,
		REQUEST,
		{ connections: 1, pipelining },
		{
			onAnswer: (_status, bytes, milliseconds, _place, body) => {
				assert.ok(milliseconds >= 0);
				seen.bodies.push(body.text);
				seen.bytes += bytes;
			},
			onError: (error) => seen.errors.push(error.message),
			onOpen: () => {},
		},
		undefined,
		pace,
	);
	for (let waited = 0; !until(seen) && waited < 1_000; waited++) await delay(10);
	await client.close();
	return seen;
}

test('pipelined answers are each counted once, with their bytes', async () => {
	await using server = await answering((socket) => socket.write(ANSWER));
	const { bodies, errors, bytes } = await load(server.origin, 8, (seen) => seen.bodies.length >= 100);
	assert.ok(bodies.length >= 100);
	assert.deepEqual([...new Set(bodies)], ['ok']);
	assert.deepEqual(errors, []);
	assert.equal(bytes, bodies.length * ANSWER.length);
});

test('an answer that ends with its connection counts, and the next request goes out on another', async () => {
	await using server = await answering((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.bodies.length >= 5);
	assert.ok(bodies.length >= 5);
	assert.deepEqual([...new Set(bodies)], ['all of it']);
	assert.deepEqual(errors, []);
});

test('who says that it closes is sent nothing more, and is connected to again when it has', async () => {
	const closing = new WeakSet<Socket>();
	let after = 0;
	await using server = await answering((socket) => {
		if (closing.has(socket)) after++;
		closing.add(socket);
		socket.write(ANSWER.replace('\r\n', '\r\nConnection: close\r\n'));
		setTimeout(() => socket.end(), 20);
	});
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.bodies.length >= 3);
	assert.ok(bodies.length >= 3);
	assert.equal(after, 0);
	assert.deepEqual(errors, []);
});

test('a second answer to one request is an error and not a count', async () => {
	await using server = await answering((socket) => socket.write(ANSWER + ANSWER));
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.match(errors[0] ?? '', /not HTTP\/1.1: an answer that nobody asked for/);
	assert.ok(bodies.length <= errors.length + 1, `${bodies.length} answers beside ${errors.length} errors`);
});

test('what is no answer is an error by name, and load goes on', async () => {
	await using server = await answering((socket, requests) =>
		socket.write(requests % 2 === 1 ? ANSWER : ANSWER.replace('Length: 2', 'Length: -2')),
	);
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.ok(bodies.length >= 3);
	assert.match(errors[0] ?? '', /not HTTP\/1.1: a content-length that is not a number of bytes/);
});

test('an answer that is cut off is lost', async () => {
	await using server = await answering((socket) => socket.end(ANSWER.slice(0, -1)));
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.deepEqual(bodies, []);
	assert.match(errors[0] ?? '', /closed a connection without answering/);
});

test('a server that says nothing has timed out after a while, and is connected to again', async () => {
	let connected = 0;
	await using server = await answering(() => connected++);
	const place = { ...REQUEST, request: 0, requestBuffer: Buffer.from(`GET / HTTP/1.1${END}`) };
	const usual = new UsualAnswer('GET');
	let timeouts = 0;
	const connection = new LoadConnection({
		host: '127.0.0.1',
		port: Number(new URL(server.origin).port),
		pipelining: 1,
		ring: { next: () => place },
		usual: () => usual,
		pace: closedLoop,
		events: {
			onAnswer: () => assert.fail('nothing is answered'),
			onFault: assert.fail,
			onLost: () => assert.fail('nothing is lost'),
			onTimeout: () => timeouts++,
			onOpen: () => {},
		},
	});
	connection.open();
	// The first one sees that something was sent.
	for (let checks = 0; checks < MOST_QUIET; checks++) connection.checkQuiet();
	assert.equal(timeouts, 0);
	for (let waited = 0; connected < 1 && waited < 1_000; waited++) await delay(10);
	connection.checkQuiet();
	assert.equal(timeouts, 1);
	for (let waited = 0; connected < 2 && waited < 1_000; waited++) await delay(10);
	connection.close();
	assert.equal(connected, 2);
});

test('a pace decides when a request goes out, and since when its latency counts', async () => {
	await using server = await answering((socket) => socket.write(ANSWER));
	const waiting: Sender[] = [];
	let sent = 0;
	const tick = setInterval(() => {
		const sender = waiting.shift();
		if (!sender || sender.room === 0) return;
		sent++;
		sender.send(performance.now() - 1_000);
	}, 5);
	const latencies: number[] = [];
	const client = openClient(
		server.origin,
		REQUEST,
		{ connections: 2, pipelining: 1 },
		{ onAnswer: (_status, _bytes, ms) => latencies.push(ms), onError: assert.fail, onOpen: () => {} },
		undefined,
		(sender) => waiting.push(sender),
	);
	for (let waited = 0; latencies.length < 10 && waited < 1_000; waited++) await delay(10);
	clearInterval(tick);
	await client.close();
	assert.ok(latencies.length >= 10 && latencies.length <= sent);
	assert.ok(latencies.every((one) => one >= 1_000));
});
