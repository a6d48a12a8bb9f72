import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameSides } from '../../src/rank/name-sides.ts';

const CASES: readonly (readonly [message: string, named: string])[] = [
	['the base server node-http exited at start: x', 'node-http, the reference, exited at start: x'],
	[
		'the head server koa did not listen at http://127.0.0.1:1 within 4 s',
		'koa did not listen at http://127.0.0.1:1 within 4 s',
	],
	[
		'the head server koa listens, but /healthz gave no status below 500 within 4 s: 503',
		'koa listens, but /healthz gave no status below 500 within 4 s: 503',
	],
	['the start command of the head server koa failed: exit code 3', 'the start command of koa failed: exit code 3'],
	['the head server crashed under load: x', 'koa crashed under load: x'],
	['the head server did not answer under load', 'koa did not answer under load'],
	["0.30 % of the head server's answers were wrong or failed.", "0.30 % of koa's answers were wrong or failed."],
	["0.30 % of the base server's answers were wrong or failed.", "0.30 % of node-http's answers were wrong or failed."],
	['The base server answered no request in round 2.', 'node-http, the reference, answered no request in round 2.'],
	['head gave 103 answers with status 201 within 3.2 s', 'koa gave 103 answers with status 201 within 3.2 s'],
	[
		'base did not report what it counted in its process: x',
		'node-http, the reference, did not report what it counted in its process: x',
	],
	['head answers nothing but errors: read ECONNRESET', 'koa answers nothing but errors: read ECONNRESET'],
	['base and head disagree on GET /: x', 'node-http and koa disagree on GET /: x'],
	[
		'base and head disagree on GET /: status 200 on base but 500 on head',
		'node-http and koa disagree on GET /: status 200 from node-http but 500 from koa',
	],
	[
		'87.67 % of the sampled bodies of head under load were wrong; first: x',
		'87.67 % of the sampled bodies of koa under load were wrong; first: x',
	],
	[
		'0.20 % of the answers of base to GET / under load were unexpected',
		'0.20 % of the answers of node-http, the reference, to GET / under load were unexpected',
	],
	[
		'a process of the head server ended and was replaced under load (3 connection errors)',
		'a process of koa ended and was replaced under load (3 connection errors)',
	],
	[
		'processes of the head server connected to the port of the base server while both were measured',
		'processes of koa connected to the port of node-http, the reference, while both were measured',
	],
	[
		'something stopped the base server while it was measured',
		'something stopped node-http, the reference, while it was measured',
	],
	[
		'It worked at the second try; at the first, the head server koa exited at start: x',
		'It worked at the second try; at the first, koa exited at start: x',
	],
	[
		'koa (head) did not exit within 2 s of SIGTERM and was killed',
		'koa did not exit within 2 s of SIGTERM and was killed',
	],
	['koa (base) left processes behind, which were killed', 'node-http left processes behind, which were killed'],
	['the stop command of koa (base) failed: exit code 1', 'the stop command of node-http failed: exit code 1'],
];

test('words for sides become names of servers', () => {
	for (const [message, named] of CASES) assert.equal(nameSides(message, 'koa', 'node-http'), named);
});

test('a server on one of several runtimes is named with it', () => {
	for (const [message, named] of [
		['the head server koa exited at start: x', 'koa on bun exited at start: x'],
		[
			'koa on bun (head) left processes behind, which were killed',
			'koa on bun left processes behind, which were killed',
		],
	] as const)
		assert.equal(nameSides(message, 'koa on bun', 'node-http'), named);
});

test('a server loaded without another beside it is no reference', () => {
	assert.equal(nameSides('the base server koa exited at start: x', 'koa', 'koa'), 'koa exited at start: x');
});

test('output of a server stays unchanged, and so does text about no side', () => {
	for (const message of ['koa: the head server is down', 'something else of head', 'a mix of 3: base gave up'])
		assert.equal(nameSides(message, 'koa', 'node-http'), message);
});
