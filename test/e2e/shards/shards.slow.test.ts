/** A real comparison in two shards, one of them killed: built-in servers, and everything between plan and report. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parsePlan } from '../../../src/formats/plan-file.ts';
import { parseRaw } from '../../../src/formats/raw/raw-file.ts';
import type { Result } from '../../../src/types/result.ts';
import { assertExit, assertNoProcess, makePlayground, SHARED_CACHE } from '../../support/cli.ts';

const playground = makePlayground({ after });
const options = { env: { BENCHGATE_CACHE: SHARED_CACHE } };
const words = (line: string) => line.split(' ');
const run = (line: string) => playground.run(words(line), options);
const SECOND = 'shards/benchgate-shard-002-of-002-attempt-1.json';

test('plan, two shards of which one is killed, gather, the killed one again, gather', async () => {
	playground.write({ 'shards/empty.txt': '' });
	const sides = '--base npm:hono@4.12.8 --head npm:hono@4.13.19 --server hono --scenario ping,param-json';
	assertExit(
		await run(`plan ${sides} --rounds 2 --seed 7 --warmup 200ms --shards 2 --out shards/plan.json --quiet`),
		0,
	);

	const first = await run('compare --plan shards/plan.json --shard 1 --raw shards/first.json --quiet');
	assertExit(first, 0);
	assert.match(first.stdout, /^Shard 1 of 2: 1 cell in \d rounds?, .*benchgate gather decides/);

	const second = playground.start(words(`compare --plan shards/plan.json --shard 2 --raw ${SECOND} --quiet`), options);
	const kept = join(playground.folder, SECOND);
	const over = second.ended.then(({ stderr }) => assert.fail(`it ended before its first round was kept: ${stderr}`));
	while (!existsSync(kept)) await Promise.race([delay(25), over]);
	second.process.kill('SIGKILL');
	await over.catch(() => {});
	await assertNoProcess(playground);
	assert.equal(parseRaw(readFileSync(kept, 'utf8')).shard?.complete, false);

	const half = await run('gather shards --json result.json');
	assert.ok(half.code === 0 || half.code === 1, half.stderr);
	assert.deepEqual(statesOf(), [
		['complete', 1],
		['cut-off', undefined],
	]);

	const again = 'compare --plan shards/plan.json --shard 2 --attempt 2 --raw shards/second.json --quiet';
	assertExit(await run(again), 0);
	const whole = await run('gather shards --json result.json');
	assert.ok(whole.code === 0 || whole.code === 1, whole.stderr);
	assert.deepEqual(statesOf(), [
		['complete', 1],
		['complete', 2],
	]);
	const { cells } = JSON.parse(playground.read('result.json')) as Result;
	assert.deepEqual(
		cells.map(({ rounds, shard }) => rounds > 0 && shard !== undefined),
		[true, true],
	);
});

test('a shard whose one server does not use the package is measured, like beside the others on one machine', async () => {
	const sides = '--base npm:hono@4.12.8 --head npm:hono@4.13.19 --server hono,node-http --scenario ping';
	assertExit(await run(`plan ${sides} --rounds 2 --warmup 200ms --shards 2 --out unused.json --quiet`), 0);
	const { shards } = parsePlan(playground.read('unused.json'));
	const lonely = shards.find(({ cells }) => cells.includes('node-http/ping'));
	assert.deepEqual(lonely?.cells, ['node-http/ping']);
	assertExit(await run(`compare --plan unused.json --shard ${lonely.index} --raw unused-raw.json --quiet`), 0);
	const { context, shard } = parseRaw(playground.read('unused-raw.json'));
	assert.equal(shard?.complete, true);
	assert.ok(context.warnings.some(({ code }) => code === 'subject-unused'));
});

function statesOf() {
	const { shards = [] } = JSON.parse(playground.read('result.json')) as Result;
	return shards.map(({ state, attempt }) => [state, attempt]);
}
