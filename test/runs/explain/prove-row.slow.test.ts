/** A slow hunk among others is proven with real servers. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openIsolation } from '../../../src/isolation/open-isolation.ts';
import { prepareSides } from '../../../src/prepare/prepare-sides.ts';
import { proveRow } from '../../../src/runs/explain/prove-row.ts';
import type { Open } from '../../../src/runs/explain/step.ts';
import { prepareContextOf } from '../../../src/runs/verify-pair.ts';
import type { ProofPiece } from '../../../src/types/explain/proof.ts';
import type { ExplainedRow } from '../../../src/types/explain.ts';
import { commit, configOf, customServer, type Files, makeFolder } from '../../prepare/support.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO } from '../../support/short-rounds.ts';

const gap = '\n'.repeat(6);
const APP = `const { createServer } = require('node:http');${gap}const first = 1;${gap}function answer() {
	return JSON.stringify({ ok: true });
}${gap}createServer((request, response) => {
	response.setHeader('content-type', 'application/json');
	response.end(answer());
}).listen(Number(process.env.PORT), '127.0.0.1');${gap}process.once('SIGTERM', () => process.exit(0));
`;
/** Three times the time of a request. */
const BUSY = `function answer() {
	const until = process.hrtime.bigint() + 300_000n;
	while (process.hrtime.bigint() < until);`;

/** Proves the only row of two commits with a server. */
async function proveFiles(t: TestContext, base: Files, head: Files): Promise<Partial<ExplainedRow>> {
	await using scope = await createBench();
	const { folder, controller, janitor } = scope;
	const cwd = makeFolder(t);
	commit(cwd, 'v1', base);
	commit(cwd, 'v2', head);
	await using isolation = await openIsolation({ wish: 'none', folder, needed: [], node: process.execPath, janitor });
	const config = { ...configOf([customServer('.')]), scenarios: [FIXTURE_SCENARIO], warmupSeconds: 0.2 };
	const pair = {
		...{ config, revisions: { base: 'v1', head: 'v2' }, cwd, cacheFolder: folder, node: process.execPath },
		...{ janitor, isolation, signal: controller.signal, progress: { step() {}, status() {} } },
	};
	const prepared = await prepareSides(config, pair.revisions, prepareContextOf(pair));
	const cell = { id: 'api/ping', server: 'api', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };
	const row = {
		...{ server: 'api', scenario: 'ping', verdict: null, metric: null, change: null, interval: null, threshold: null },
		...{ counts: null, proof: null, profile: null, unreached: [], notes: [] },
	};
	const open = { pair, prepared } as unknown as Open;
	const found = await proveRow({ row, cell, sofar: row }, open, () => 200);
	assert.equal(found.verdict, 'regressed', found.notes?.join());
	return found;
}

const lineOf = (text: string, word: string) => text.split('\n').findIndex((line) => line.includes(word)) + 1;
const placesOf = (pieces: readonly ProofPiece[] = []) => pieces.map(({ path, line, lines }) => [path, line, lines]);

test('the hunk that carries the loss is named, and head without it is like base', async (t) => {
	const changed = APP.replace('first = 1', 'first = 2')
		.replace('function answer() {', BUSY)
		.replace('exit(0)', 'exit()');
	const head = { 'server.js': changed, 'lib.js': 'b\n', 'more.js': 'c\n' };
	const { proof } = await proveFiles(t, { 'server.js': APP, 'lib.js': 'a\n' }, head);
	assert.equal(proof?.pieces, 5);
	const [carrier, ...others] = proof.carriers;
	assert.deepEqual(others, []);
	assert.deepEqual(placesOf(carrier?.pieces), [['server.js', lineOf(changed, 'const until'), 2]]);
	assert.ok(Math.abs((carrier?.share ?? 0) - 1) < 0.3, JSON.stringify(proof));
	assert.ok(Math.abs(carrier?.without?.change ?? 1) < 0.3);
});

test('hunks that do not run without each other are named together', async (t) => {
	const checked = APP.replace(
		'process.once',
		'if (answer.toString().length > 99 !== (first > 1)) process.exit(1);\nprocess.once',
	);
	const changed = checked.replace('first = 1', 'first = 2').replace('function answer() {', BUSY);
	const { proof } = await proveFiles(t, { 'server.js': checked }, { 'server.js': changed });
	const [carrier, ...others] = proof?.carriers ?? [];
	assert.deepEqual(others, []);
	assert.deepEqual(placesOf(carrier?.pieces), [
		['server.js', lineOf(changed, 'first = 2'), 1],
		['server.js', lineOf(changed, 'const until'), 2],
	]);
	assert.deepEqual([carrier?.share, carrier?.without], [1, null]);
	assert.ok(
		proof?.steps.every(({ outcome }) => outcome === 'not-built'),
		JSON.stringify(proof?.steps),
	);
});
