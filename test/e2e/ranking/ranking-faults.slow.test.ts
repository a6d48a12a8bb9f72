/** Faults of servers in a ranking, all of them real: each server has its row, and the row names the fault. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { RankingResult } from '../../../src/types/ranking/ranking.ts';
import { assertExit, assertNoProcess, complaint, makePlayground } from '../../support/cli.ts';

/**
 * Answers `/` at once, after a wait, or with more memory each time; lets five requests in ten seconds through to
 * `/limited`, or all, with or without a time to retry.
 */
const SERVER = `
const { BEHAVIOUR = '', HOST, PORT } = process.env;
const kept = [];
let [since, passed] = [0, 0];
const isLimited = () => {
	if (BEHAVIOUR === 'lets-all-through') return false;
	if (Date.now() - since >= 10_000) [since, passed] = [Date.now(), 0];
	return ++passed > 5;
};
const answer = (response, status) => {
	if (status === 429 && BEHAVIOUR !== 'hushes') response.setHeader('Retry-After', '7');
	response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"ok":true}');
};
require('node:http')
	.createServer((request, response) => {
		if (request.url === '/limited') return answer(response, isLimited() ? 429 : 201);
		if (BEHAVIOUR === 'grows') kept.push(Buffer.alloc(50e6, 1));
		if (BEHAVIOUR === 'waits') return setTimeout(answer, 20, response, 200);
		answer(response, 200);
	})
	.listen(Number(PORT), HOST);
process.once('SIGTERM', () => process.exit(0));
`;

const named = (name: string, more: object = {}) => ({
	...{ name, command: 'node server.cjs', ready: { timeout: '30s' } },
	...more,
});
const load = { connections: 4, pipelining: 1 };
const ok = { request: { method: 'GET', path: '/' }, expect: { status: 200, json: { ok: true } } };
const CONFIG = {
	servers: [
		named('api'),
		named('leaky', { env: { BEHAVIOUR: 'lets-all-through' } }),
		named('hushed', { env: { BEHAVIOUR: 'hushes' }, scenarios: ['limited'] }),
		named('hog', { env: { BEHAVIOUR: 'grows' } }),
		named('slow', { env: { BEHAVIOUR: 'waits' } }),
		named('fewer', { scenarios: ['ok'] }),
	],
	scenarios: [
		{ name: 'ok', ...ok, load },
		{ name: 'steady', ...ok, load: { connections: 2, rate: 200 } },
		{
			...{ name: 'limited', load, 'status-limit': { status: 201, max: 5, per: '10s' } },
			request: { method: 'GET', path: '/limited' },
			expect: { status: [201, 429], headersOf: { 429: { 'Retry-After': '<any>' } } },
		},
	],
};
const FILES = { 'server.cjs': SERVER, 'benchgate.yml': CONFIG };
const SHORT = '--warmup 200ms --duration 400ms --trials 1 --seed 5'.split(' ');

test('a server that breaks has a row with its fault, and the others are ranked', async (t) => {
	const playground = makePlayground(t, FILES);
	const flags = [...SHORT, '--reference', 'api', '--memory-limit', '400MB', '--out', 'out'];
	const run = await playground.run(['measure', ...flags]);
	assertExit(run, 0);
	const { rows, warnings } = JSON.parse(playground.read('out/measure.json')) as RankingResult;
	const rowOf = (server: string, scenario: string) =>
		rows.find((row) => row.server === server && row.scenario === scenario) ?? assert.fail(`${server}/${scenario}`);
	const broken: readonly (readonly [server: string, scenario: string, reason: RegExp])[] = [
		[
			...(['leaky', 'limited'] as const),
			/^leaky gave \d+ answers with status 201 within [\d.]+ s; a limit of 5 in 10 s lets at most 10 through$/,
		],
		[
			...(['hushed', 'limited'] as const),
			/^[\d.]+ % of the answers of hushed under load with status 429 were without a header that they must have: retry-after$/,
		],
		[
			...(['hog', 'ok'] as const),
			/^hog crashed under load: SIGKILL; it used \d+ MB of memory, more than the limit of 400 MB \(memory-limit\), and was killed$/,
		],
		[
			...(['slow', 'steady'] as const),
			// On a busy machine the reference may miss it too.
			/^(?:(?:slow|api, the reference,) answered \d+ of the \d+ requests\/s it was sent, so|Of \d+ requests\/s api answered \S+ % and slow \S+ %\.) .* Lower load\.rate/,
		],
	];
	for (const [server, scenario, reason] of broken) {
		const row = rowOf(server, scenario);
		assert.equal(row.state, 'broken', `${server}/${scenario}`);
		assert.match(row.reason ?? '', reason);
		assert.deepEqual([row.rank, row.share], [null, null]);
	}
	for (const scenario of ['steady', 'limited']) {
		assert.equal(rowOf('fewer', scenario).state, 'left-out');
		assert.equal(rowOf('fewer', scenario).reason, 'it does not answer this scenario');
	}
	for (const [server, scenario] of [
		...(['api', 'leaky', 'slow', 'fewer'] as const).map((name) => [name, 'ok'] as const),
		...(['api', 'slow', 'hog'] as const).map((name) => [name, 'limited'] as const),
	])
		assert.equal(rowOf(server, scenario).state, 'measured', `${server}/${scenario}: ${rowOf(server, scenario).reason}`);
	for (const { message } of warnings) assert.doesNotMatch(message, /\((?:base|head)\)|\b(?:base|head) server\b/);
	assert.doesNotMatch(run.stderr, /Resolving revisions|\b(?:base|head) \(/);
	await assertNoProcess(playground);
});

test('a ramp that never saturates is still rising, and the report gives advice', async (t) => {
	const playground = makePlayground(t, FILES);
	const flags = [...SHORT, ...'--server slow --scenario ok --reference slow --ramp 1,2,4 --json ramp.json'.split(' ')];
	const run = await playground.run(['measure', ...flags]);
	assertExit(run, 0);
	const [ramp] = (JSON.parse(playground.read('ramp.json')) as RankingResult).ramps;
	assert.deepEqual(
		ramp?.steps.map(({ connections }) => connections),
		[1, 2, 4],
	);
	assert.equal(ramp?.saturation, null);
	assert.match(run.stdout, /still rising/);
	assert.match(run.stdout.replace(/\s+/g, ' '), /--ramp takes larger numbers/);
});

test('a run that cannot start is refused before any installation, with a remedy', async (t) => {
	const playground = makePlayground(t, { ...FILES, 'other/package.json': { name: 'not-koa', version: '1.0.0' } });
	const env = { PATH: dirname(process.execPath) };
	const preset = '--preset seed-blog --driver k6 --server api --scenario ok'.split(' ');
	const noDriver = await playground.run(['measure', ...preset], { env });
	assertExit(noDriver, 2);
	assert.match(
		complaint(noDriver),
		/^benchgate: --driver k6: the program k6 is not installed\nTo fix it: install it \(go install [^)]+\), or leave --driver out: /,
	);
	const wrong = await playground.run(['measure', '--server', 'koa', '--scenario', 'ping', '--package', 'koa=./other']);
	assertExit(wrong, 2);
	assert.match(complaint(wrong), /^benchgate: package koa=\.\/other: .* is the package not-koa, not koa\n/);
	for (const { stderr } of [noDriver, wrong]) assert.doesNotMatch(stderr, /installing|Resolving/);
});
