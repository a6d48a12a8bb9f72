/** A client against misbehaving servers: its counts and reports. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '../../../src/measure/generator/client.ts';
import { LoadConnection, MOST_QUIET } from '../../../src/measure/generator/load-connection.ts';
import { closedLoop, type Pace, type Sender } from '../../../src/measure/generator/pace.ts';
import { UsualAnswer } from '../../../src/measure/generator/reading/answer-reader.ts';
import { listen } from '../../support/servers/http-server.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const END = '\r\n\r\n';

/** A server with scripted answers; `requests` counts over all connections, `ofConnection` on the current one. */
function answering(answer: (socket: Socket, requests: number, ofConnection: number) => void) {
	let requests = 0;
	const sockets = new Set<Socket>();
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		let ofConnection = 0;
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('end', () => socket.end());
		socket.on('data', (chunk) => {
			for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, at + END.length)) {
				answer(socket, ++requests, ++ofConnection);
			}
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
	readonly latencies: number[];
	bytes: number;
	resent: number;
}

const REQUEST = { method: 'GET', path: '/', headers: {} };
const CLOSING = ANSWER.replace('\r\n', '\r\nConnection: close\r\n');

/** Loads until the first event. */
async function load(
	origin: string,
	pipelining: number,
	until: (seen: Seen) => boolean,
	{ pace, method = 'GET' }: { readonly pace?: Pace; readonly method?: string } = {},
): Promise<Seen> {
	const seen: Seen = { bodies: [], errors: [], latencies: [], bytes: 0, resent: 0 };
	const client = openClient(
		origin,
		{ ...REQUEST, method },
		{ connections: 1, pipelining },
		{
			onResent: () => seen.resent++,
			onAnswer: (_status, bytes, milliseconds, _place, body) => {
				assert.ok(milliseconds >= 0);
				seen.latencies.push(milliseconds);
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

test('a connection that the server gives up is left at once, though the server keeps it open', async () => {
	const answered = new WeakSet<Socket>();
	let after = 0;
	await using server = await answering((socket) => {
		if (answered.has(socket)) after++;
		answered.add(socket);
		socket.write(CLOSING);
	});
	const { bodies, errors, resent } = await load(server.origin, 1, (seen) => seen.bodies.length >= 100);
	assert.ok(bodies.length >= 100);
	assert.deepEqual([after, errors, resent], [0, [], 0]);
});

test('pipelined requests behind the last answer of a connection are sent again, whatever their method', async () => {
	await using server = await answering((socket, _all, onConnection) => {
		if (onConnection <= 3) socket.write(onConnection === 3 ? CLOSING : ANSWER);
	});
	const { bodies, errors, resent } = await load(server.origin, 4, (seen) => seen.bodies.length >= 30, {
		method: 'POST',
	});
	assert.ok(bodies.length >= 30);
	assert.deepEqual([errors, resent], [[], 0]);
});

for (const [how, close] of [
	['closes', (socket: Socket) => socket.end()],
	['resets', (socket: Socket) => socket.resetAndDestroy()],
] as const) {
	const dropping = (answer: (all: number, onConnection: number) => boolean) =>
		answering((socket, all, onConnection) => (answer(all, onConnection) ? socket.write(ANSWER) : close(socket)));

	test(`a request is sent again once if the server ${how} a connection in use without a byte of an answer`, async () => {
		await using server = await dropping((_all, onConnection) => onConnection <= 3);
		const { bodies, errors, resent } = await load(server.origin, 1, (seen) => seen.bodies.length >= 30);
		assert.deepEqual(errors, []);
		assert.ok(resent >= 9 && resent <= 1 + bodies.length / 3, `${resent} of ${bodies.length}`);
	});

	test(`pipelined requests are sent again if the server ${how} the connection`, async () => {
		await using server = await dropping((_all, onConnection) => onConnection <= 3);
		const { bodies, errors, resent } = await load(server.origin, 2, (seen) => seen.bodies.length >= 30);
		assert.deepEqual(errors, []);
		assert.ok(resent >= 9 && bodies.length >= 30);
	});

	test(`a request is lost if the server ${how} the second connection too, and a first one`, async () => {
		// The second of every three requests is on a reused connection, the third on a new one.
		await using twice = await dropping((all) => all % 3 === 1);
		const lost = await load(twice.origin, 1, (seen) => seen.errors.length >= 5);
		assert.ok(lost.errors.length >= 5 && lost.resent >= lost.errors.length - 1);
		await using never = await dropping(() => false);
		const none = await load(never.origin, 1, (seen) => seen.errors.length >= 5);
		assert.ok(none.errors.length >= 5);
		assert.equal(none.resent, 0);
	});

	test(`a POST is never sent again if the server ${how} the connection`, async () => {
		const seen: number[] = [];
		await using server = await dropping((all, onConnection) => {
			if (onConnection === 2) seen.push(all);
			return onConnection === 1;
		});
		const { bodies, errors, resent } = await load(server.origin, 1, ({ errors: all }) => all.length >= 5, {
			method: 'POST',
		});
		assert.equal(resent, 0);
		assert.ok(errors.length >= 5 && bodies.length >= errors.length);
	});

	test(`a connection that the server ${how} between requests is no fault, and is opened for the next request`, async () => {
		await using server = await answering((socket) => {
			socket.write(ANSWER);
			setTimeout(() => close(socket), 2);
		});
		const waiting: Sender[] = [];
		const tick = setInterval(() => {
			const sender = waiting.shift();
			if (sender && sender.room > 0) sender.send(performance.now());
		}, 20);
		const pace: Pace = (sender) => waiting.push(sender);
		const { errors, bodies } = await load(server.origin, 1, (seen) => seen.bodies.length >= 10, { pace });
		clearInterval(tick);
		assert.ok(bodies.length >= 10);
		assert.deepEqual(errors, []);
	});
}

test('the latency of a resent request counts from the first time', async () => {
	await using server = await answering((socket, _all, onConnection) => {
		if (onConnection === 1) socket.write(ANSWER);
		else setTimeout(() => socket.end(), 50);
	});
	const { latencies, resent } = await load(server.origin, 1, (seen) => seen.latencies.length >= 3);
	assert.ok(resent >= 2);
	assert.ok(
		latencies.slice(1, 3).every((one) => one >= 49),
		String(latencies),
	);
});

test('output of a server before it closes a resting connection is no answer and no fault', async () => {
	await using server = await answering((socket) => {
		socket.write(ANSWER);
		setTimeout(() => socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'), 2);
	});
	const waiting: Sender[] = [];
	const tick = setInterval(() => {
		const sender = waiting.shift();
		if (sender && sender.room > 0) sender.send(performance.now());
	}, 20);
	const { errors, bodies } = await load(server.origin, 1, (seen) => seen.bodies.length >= 5, {
		pace: (sender) => waiting.push(sender),
	});
	clearInterval(tick);
	assert.ok(bodies.length >= 5);
	assert.deepEqual(errors, []);
});

test('a second answer to one request is an error and not a count', async () => {
	await using server = await answering((socket) => socket.write(ANSWER + ANSWER));
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.match(errors[0] ?? '', /not HTTP\/1.1: an answer without a request/);
	assert.ok(bodies.length <= errors.length + 1, `${bodies.length} answers beside ${errors.length} errors`);
});

test('bytes that are no answer are a named error, and load continues', async () => {
	await using server = await answering((socket, requests) =>
		socket.write(requests % 2 === 1 ? ANSWER : ANSWER.replace('Length: 2', 'Length: -2')),
	);
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.ok(bodies.length >= 3);
	assert.match(errors[0] ?? '', /not HTTP\/1.1: a content-length that is not a number of bytes/);
});

test('a truncated answer is lost', async () => {
	await using server = await answering((socket) => socket.end(ANSWER.slice(0, -1)));
	const { bodies, errors } = await load(server.origin, 1, (seen) => seen.errors.length >= 3);
	assert.deepEqual(bodies, []);
	assert.match(errors[0] ?? '', /closed a connection without answering/);
});

test('a silent server times out after a while, and gets a new connection', async () => {
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
			onResent: () => assert.fail('nothing is sent again'),
			onTimeout: () => timeouts++,
			onOpen: () => {},
		},
	});
	connection.open();
	// The first check records that a request was sent.
	for (let checks = 0; checks < MOST_QUIET; checks++) connection.checkQuiet();
	assert.equal(timeouts, 0);
	for (let waited = 0; connected < 1 && waited < 1_000; waited++) await delay(10);
	connection.checkQuiet();
	assert.equal(timeouts, 1);
	for (let waited = 0; connected < 2 && waited < 1_000; waited++) await delay(10);
	connection.close();
	assert.equal(connected, 2);
});

test('a pace sets when a request is sent, and when its latency begins', async () => {
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

for (const [kept, opened] of [
	['timeout=1', 'another connection'],
	['timeout=5, max=100', 'the same connection'],
] as const) {
	test(`after ${kept} a connection that rests for a while gives way to ${opened}`, async () => {
		let connections = 0;
		await using server = await answering((socket, _all, onConnection) => {
			if (onConnection === 1) connections++;
			socket.write(ANSWER.replace('\r\n', `\r\nKeep-Alive: ${kept}\r\n`));
		});
		const waiting: Sender[] = [];
		const tick = setInterval(() => {
			const sender = waiting.shift();
			if (sender && sender.room > 0) sender.send(performance.now());
		}, 20);
		const pace: Pace = (sender) => waiting.push(sender);
		const { errors, resent } = await load(server.origin, 1, (seen) => seen.bodies.length >= 5, {
			pace,
			method: 'POST',
		});
		clearInterval(tick);
		assert.deepEqual([errors, resent], [[], 0]);
		assert.equal(connections > 1, opened === 'another connection');
	});
}

test('a connection that is soon used again is kept, however early the server announces its close', async () => {
	let connections = 0;
	await using server = await answering((socket, _all, onConnection) => {
		if (onConnection === 1) connections++;
		socket.write(ANSWER.replace('\r\n', '\r\nKeep-Alive: timeout=0\r\n'));
	});
	await load(server.origin, 1, (seen) => seen.bodies.length >= 100);
	assert.equal(connections, 1);
});
