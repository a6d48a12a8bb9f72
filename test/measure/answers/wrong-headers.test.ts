/** A status can have its own headers: an answer without them is wrong, before load and under it. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { findWrongHeaders, headersUnderLoad } from '../../../src/measure/answers/check-loaded-answers.ts';
import { findMismatch } from '../../../src/measure/answers/match-answer.ts';
import { openClient } from '../../../src/measure/generator/client.ts';
import { createCounter } from '../../../src/measure/generator/counter.ts';
import type { Expectation } from '../../../src/types/config.ts';
import { listen } from '../../support/servers/http-server.ts';
import { readScenarios } from '../../support/servers/scenario-files.ts';

const EXPECT: Expectation = {
	status: [201, 429],
	headers: { 'x-id': '<any>' },
	headersOf: { 429: { 'retry-after': '<any>', 'content-type': '<json>', via: 'limiter' }, 201: { location: '/1' } },
};
const answer = (status: number, headers: Readonly<Record<string, string>>) => ({
	...{ status, headers, body: '', bytes: 0 },
});

test('before load each status has its own headers beside those of all', () => {
	const limited = { 'x-id': '1', 'retry-after': '7', 'content-type': 'application/json', via: 'limiter' };
	const { 'retry-after': _, ...bare } = limited;
	assert.equal(findMismatch(EXPECT, answer(429, limited)), null);
	assert.equal(findMismatch(EXPECT, answer(201, { 'x-id': '1', location: '/1' })), null);
	assert.deepEqual(findMismatch(EXPECT, answer(429, bare)), {
		code: 'wrong-header',
		message: 'header retry-after is missing',
	});
	assert.equal(
		findMismatch(EXPECT, answer(429, { ...limited, via: 'x' }))?.message,
		'header via is "x" instead of "limiter"',
	);
	assert.equal(findMismatch(EXPECT, answer(201, { location: '/1' }))?.message, 'header x-id is missing');
	assert.equal(
		findMismatch(EXPECT, answer(201, { 'x-id': '1' }))?.message,
		'header location is missing, expected "/1"',
	);
});

test('under load those of statuses other than the usual one are checked; a varying value must only be present', () => {
	const headersOf = { 429: { 'retry-after': '<any>', 'content-type': '<json>', via: 'limiter', link: '/{{id}}' } };
	assert.deepEqual(headersUnderLoad({ ...EXPECT, headersOf: { ...EXPECT.headersOf, ...headersOf } }), {
		429: { 'retry-after': null, 'content-type': null, via: 'limiter', link: null },
	});
	assert.deepEqual(headersUnderLoad({ status: [200] }), {});
});

test('a side whose answers lack them, or have others, is reported with share, status and name', () => {
	const judge = (seen: object) =>
		findWrongHeaders(EXPECT, ' to GET /', 'head', {
			429: { answers: 1000, bare: 0, missing: 0, changed: [], ...seen },
		});
	assert.deepEqual(judge({}), []);
	assert.deepEqual(judge({ bare: 1, missing: 1, changed: [0, 0, 1] }), []);
	assert.deepEqual(findWrongHeaders(EXPECT, '', 'base', undefined), []);
	assert.deepEqual(judge({ bare: 500, missing: 0b11 }), [
		{
			code: 'wrong-header',
			side: 'head',
			message:
				'50.00 % of the answers of head to GET / under load with status 429 were without a header that they must have: retry-after, content-type',
		},
	]);
	assert.deepEqual(
		judge({ changed: [0, 0, 20] }).map(({ message }) => message),
		['2.00 % of the answers of head to GET / under load with status 429 had a header via that is not "limiter"'],
	);
});

test('a limiter without a time to retry is wrong in rate-limit-flood, and one with it is right', async (t) => {
	const expect = readScenarios().get('rate-limit-flood')?.expect;
	assert.ok(expect);
	let count = 0;
	const server = createServer((request, response) => {
		const isLimited = ++count > 20;
		response.writeHead(isLimited ? 429 : 201, isLimited && request.url !== '/bare' ? { 'retry-after': '7' } : {}).end();
	});
	await using site = await listen(server);
	for (const path of ['/whole', '/bare']) {
		await t.test(path, async () => {
			count = 0;
			const counter = createCounter([expect.status]);
			const client = openClient(
				site.origin,
				{ method: 'GET', path, headers: {} },
				{ connections: 2, pipelining: 1 },
				{ onAnswer: counter.onAnswer, onOpen() {}, onError: assert.ifError, headersOf: [headersUnderLoad(expect)] },
			);
			while (counter.total.answers < 200) await new Promise((resolve) => setTimeout(resolve, 5));
			await client.close();
			const faults = findWrongHeaders(expect, '', 'head', counter.requests[0]?.headersOf);
			assert.deepEqual(
				faults.map(({ message }) => message),
				path === '/whole'
					? []
					: [
							'100.00 % of the answers of head under load with status 429 were without a header that they must have: retry-after',
						],
			);
		});
	}
});
