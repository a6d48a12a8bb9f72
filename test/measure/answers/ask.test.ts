import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ask, MAX_BODY_BYTES, NoAnswer } from '../../../src/measure/answers/ask.ts';
import { listen } from '../../support/servers/http-server.ts';

const GET = { method: 'GET', path: '/', headers: {} };

async function askOnce(handler: RequestListener, request: Parameters<typeof ask>[1] = GET, timeoutMs = 30_000) {
	await using server = await listen(createServer(handler));
	return await ask(server.origin, request, { timeoutMs });
}

/** The message of the NoAnswer that asking must end in. */
async function failure(asking: Promise<unknown>): Promise<string> {
	const error = await asking.then(
		() => assert.fail('there was an answer'),
		(reason: unknown) => reason,
	);
	assert.ok(error instanceof NoAnswer, String(error));
	return error.message;
}

test('an answer has its status, headers, text and length', async () => {
	const answer = await askOnce((_req, res) => {
		res.writeHead(404, { 'X-One': '1', 'Set-Cookie': ['a=1', 'b=2'] }).end('größe');
	});
	assert.equal(answer.status, 404);
	assert.equal(answer.headers['x-one'], '1');
	assert.equal(answer.headers['set-cookie'], 'a=1, b=2');
	assert.deepEqual([answer.body, answer.bytes], ['größe', 7]);
});

test('the request arrives as written', async () => {
	const answer = await askOnce(
		async (req, res) => {
			let body = '';
			for await (const chunk of req) body += chunk;
			res.end(JSON.stringify([req.method, req.url, req.headers['x-a'], req.headers['content-length'], body]));
		},
		{ method: 'POST', path: '/a/../b//c?d=%2C', headers: { 'x-a': '1' }, body: 'é' },
	);
	assert.deepEqual(JSON.parse(answer.body), ['POST', '/a/../b//c?d=%2C', '1', '2', 'é']);
});

for (const [encoding, encode] of [
	['gzip', gzipSync],
	['deflate', deflateSync],
	['br', brotliCompressSync],
] as const) {
	test(`a body in ${encoding} is decompressed`, async () => {
		const answer = await askOnce((_req, res) =>
			res.writeHead(200, { 'content-encoding': encoding }).end(encode('hello')),
		);
		assert.deepEqual([answer.body, answer.bytes], ['hello', 5]);
	});
}

test('an empty body needs no decompressing', async () => {
	const answer = await askOnce((_req, res) => res.writeHead(304, { 'content-encoding': 'gzip' }).end());
	assert.deepEqual([answer.status, answer.body, answer.bytes], [304, '', 0]);
});

test('different binary bodies stay different', async () => {
	const bodies = [0xfe, 0xff].map((byte) => askOnce((_req, res) => res.end(Buffer.of(byte))));
	const [one, other] = await Promise.all(bodies);
	assert.notEqual(one?.body, other?.body);
});

test('an answer that is incomplete after its time is reported as such', async () => {
	assert.equal(await failure(askOnce(() => {}, GET, 100)), 'no complete answer within 0.1 s');
	const begun = 'no complete answer within 0.1 s, only the beginning of one';
	assert.equal(await failure(askOnce((_req, res) => res.write('half'), GET, 100)), begun);
});

test('a body without a length is complete when the server closes the connection, not when we do', async () => {
	const head = 'HTTP/1.1 200 OK\r\n\r\nall of it';
	const askServer = async (answer: (socket: Socket) => void) => {
		await using server = await listen(
			createTcpServer((socket) => void once(socket, 'data').then(() => answer(socket))),
		);
		return await ask(server.origin, GET, { timeoutMs: 100 });
	};
	assert.equal((await askServer((socket) => socket.end(head))).body, 'all of it');
	const open = askServer((socket) => socket.write(head));
	assert.equal(await failure(open), 'no complete answer within 0.1 s, only the beginning of one');
});

test('refused, broken and invalid connections are distinguished', async () => {
	const gone = await listen(createServer());
	await gone[Symbol.asyncDispose]();
	assert.equal(await failure(ask(gone.origin, GET, { timeoutMs: 30_000 })), 'the connection was refused');
	const closed = 'the connection was closed before the answer was complete';
	assert.equal(await failure(askOnce((req) => req.socket.destroy())), closed);
	assert.equal(
		await failure(
			askOnce((_req, res) => res.writeHead(200, { 'content-length': 9 }).write('half', () => res.destroy())),
		),
		closed,
	);
	await using nonsense = await listen(
		createTcpServer((socket) => void once(socket, 'data').then(() => socket.end('SMTP\r\n'))),
	);
	assert.match(await failure(ask(nonsense.origin, GET, { timeoutMs: 30_000 })), /^the answer is not valid HTTP \(/);
});

test('a body over the limit is refused, even if only decompression makes it so large', async () => {
	const large = Buffer.alloc(MAX_BODY_BYTES + 1);
	assert.equal(await failure(askOnce((_req, res) => res.end(large))), 'the body is larger than 8 MiB');
	const bomb: RequestListener = (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
	assert.equal(await failure(askOnce(bomb)), 'the body is larger than 8 MiB after decompression');
});

test('a wrong or unknown content-encoding is named', async () => {
	const as = (encoding: string) =>
		askOnce((_req, res) => res.writeHead(200, { 'content-encoding': encoding }).end('plain'));
	assert.equal(await failure(as('gzip')), 'the body is not valid gzip');
	assert.equal(await failure(as('snappy')), 'the body has the unknown content-encoding "snappy"');
});
