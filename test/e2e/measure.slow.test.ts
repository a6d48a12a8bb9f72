/** A ranking of two real servers: killed, gone on with, reported in every format, and put together with another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeasureResult } from '../../src/types/measure.ts';
import { assertExit, assertNoProcess, makePlayground } from '../support/cli.ts';

const FLAGS = '--trials 2 --warmup 300ms --duration 300ms --seed 4'.split(' ');
const rank = (servers: string, out: string) => [
	'measure',
	'--server',
	servers,
	'--scenario',
	'ping',
	'--out',
	out,
	...FLAGS,
];

test('a ranking goes on after kill -9, has all its reports, and is put together with another', async (t) => {
	const playground = makePlayground(t);
	const killed = playground.start(rank('koa,express', 'one'));
	await killed.says(/Round 1: /);
	await killed.says(/Round 2: /);
	killed.process.kill('SIGKILL');
	await killed.ended;
	await assertNoProcess(playground);
	const before = playground.read('one/measure.ndjson').split('"kind":"samples"').length - 1;
	assert.ok(before >= 2);

	assertExit(await playground.run(rank('koa,express', 'one')), 0);
	const result = JSON.parse(playground.read('one/measure.json')) as MeasureResult;
	assert.deepEqual(
		result.rows.map(({ server, state, rounds }) => [server, state, rounds]),
		[
			['koa', 'measured', 2],
			['express', 'measured', 2],
			['node-http', 'measured', 2],
		],
	);
	for (const { alone, share } of result.rows) assert.ok((alone?.metrics.throughput ?? 0) > 0 && share !== null);
	assert.match(playground.read('one/measure.md'), /### Overall ranking/);
	assert.match(playground.read('one/measure.html'), /<svg class="chart"/);

	assertExit(await playground.run(rank('fastify', 'two')), 0);
	const merged = await playground.run(['measure', '--merge', 'one,two', '--json', 'merged.json', '--highlight', 'koa']);
	assertExit(merged, 0);
	assert.match(merged.stdout, /Ranking of 4 servers in 1 scenario/);
	assert.match(merged.stdout, /Highlights: koa/);
	await assertNoProcess(playground);
});
