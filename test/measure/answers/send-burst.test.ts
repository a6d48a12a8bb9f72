import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { sendBurst } from '../../../src/measure/answers/send-burst.ts';
import { listen } from '../../support/servers/http-server.ts';

const SHOT = { request: { method: 'GET', path: '/a', headers: {} }, expect: { status: [200] } };
/** Long, because no test may depend on how many requests fit; with a fraction, as if 12 cells shared a time. */
const BURST = { requests: 300, seconds: 181 / 3 };
const CONNECTIONS = 4;

async function burst(listener: RequestListener, shots = [SHOT]) {
	await using server = await listen(createServer(listener));
	return await sendBurst(server.origin, shots, CONNECTIONS, BURST);
}

test('a server without a limit gets every request of the burst', async () => {
	const paths: string[] = [];
	const other = { ...SHOT, request: { ...SHOT.request, path: '/b' } };
	const refusal = await burst(
		({ url = '' }, response) => {
			paths.push(url);
			response.end('ok');
		},
		[SHOT, other],
	);
	assert.equal(refusal, null);
	assert.deepEqual([paths.length, paths.filter((path) => path === '/a').length], [300, 150]);
});

test('a limiter is recognised by its status, and by the right answers before it', async () => {
	let served = 0;
	const refusal = await burst((_request, response) => {
		served++;
		if (served <= 100) return response.end('ok');
		return response.writeHead(429, { 'retry-after': '900' }).end('Too many requests');
	});
	assert.deepEqual(refusal, {
		code: 'limited',
		message:
			'gave a wrong answer to GET /a: status 429 instead of 200 (retry-after: "900"), with body "Too many requests", after 100 right answers in a burst over 4 connections',
	});
	assert.ok(served <= 100 + 2 * CONNECTIONS, 'it stops soon');
});

test('a pool that is too small shows in other statuses', async () => {
	let busy = 0;
	const refusal = await burst((_request, response) => {
		if (busy > 0) return response.writeHead(500).end();
		busy++;
		return setTimeout(() => {
			busy--;
			response.end('ok');
		}, 5);
	});
	assert.equal(refusal?.code, 'unexpected-answers');
	assert.match(refusal?.message ?? '', /^gave a wrong answer to GET \/a: status 500 instead of 200, after \d+ right/);
});

test('two wrong answers are chance, and an expected status is right', async () => {
	let served = 0;
	const flaky = await burst((_request, response) => {
		response.writeHead(++served % 150 === 0 ? 503 : 200).end();
	});
	assert.equal(flaky, null);
	const limited = { ...SHOT, expect: { status: [200, 429] } };
	assert.equal(await burst((_request, response) => response.writeHead(429).end(), [limited]), null);
});

test('connections that end after some answers are no refusal, and those that always break are one', async () => {
	const answersOf = new WeakMap<object, number>();
	const ending = await burst((request, response) => {
		const answers = (answersOf.get(request.socket) ?? 0) + 1;
		answersOf.set(request.socket, answers);
		if (answers > 5) return request.socket.destroy();
		return response.end('ok');
	});
	assert.equal(ending, null);
	const broken = await burst((request) => request.socket.destroy());
	assert.equal(broken?.code, 'no-answer');
	assert.match(broken?.message ?? '', /^gave no answer to GET \/a \(socket hang up\), after 0 right answers/);
});
