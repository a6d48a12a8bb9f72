import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherShards } from '../../src/judge/gather-shards.ts';
import { chartData, summarise } from '../../src/judge/summarise.ts';
import { renderMarkdown, renderTerminal } from '../../src/report/compare/comparison-document.ts';
import { renderHtml } from '../../src/report/html/html.ts';
import { describeSaving, planName, readPartName, shardName } from '../../src/report/shard-words.ts';
import { assertGolden } from '../support/golden.ts';
import { shardFilesOf, shardPlanOf } from '../support/shards.ts';

const PLAN = shardPlanOf(['express/ping', 'express/json', 'koa/ping', 'koa/json', 'hono/ping', 'hono/json'], 3);
const SLOW = Math.log(0.85);
const first = PLAN.shards[0]?.cells[0] ?? '';
const hostile = { cpuModel: '</details><script>alert(1)</script> | `x`' };
const RAW = gatherShards(
	PLAN,
	shardFilesOf(PLAN, { 1: { effects: { [first]: SLOW } }, 2: { environment: hostile }, 3: { cutAfter: 3 } }),
);
const RESULT = {
	...summarise(RAW),
	tool: { name: 'benchgate', version: '0.1.0' } as const,
	reproduce: 'npx benchgate compare --base main --head faster-router --seed 42',
};

test('the report of a gathered run: rows by server, machines folded away, times of all and of the slowest', () => {
	assertGolden('report/gathered.md', renderMarkdown(RESULT));
	assertGolden('report/gathered.txt', `${renderTerminal(RESULT, { colour: false, width: 100, verbose: true })}\n`);
});

test('names of machines are escaped like all other foreign text', () => {
	const page = renderHtml(RESULT, chartData(RAW, RESULT), '');
	assert.ok(!page.includes('<script>alert'));
	assert.match(page, /<p class="hint"><code>express<\/code>: 2 rows/);
	assert.ok(!renderMarkdown(RESULT).includes('<script>'));
});

test('names of shards sort like their numbers, and attempts have distinct names', () => {
	const names = [1, 2, 10, 256].map((shard) => shardName({ shard, of: 256, attempt: 1 }));
	assert.deepEqual(names.toSorted(), names);
	assert.equal(names[1], 'benchgate-shard-002-of-256-attempt-1');
	assert.notEqual(shardName({ shard: 2, of: 256, attempt: 2 }), names[1]);
});

test('a written name of an artifact is read back, and any other name is refused', () => {
	const shard = { shard: 3, of: 12, attempt: 1 };
	assert.deepEqual(readPartName(shardName(shard, 'node-22')), { prefix: 'node-22', kind: 'shard', ...shard });
	assert.deepEqual(readPartName(planName(2)), { prefix: 'benchgate', kind: 'plan', attempt: 2 });
	const others = ['benchgate', 'benchgate-node-22', 'benchgate-plan', 'benchgate-plan-attempt-0', '-plan-attempt-1'];
	for (const name of [...others, 'benchgate-shard-3-of-12-attempt-1', `${planName(1)}\n`]) {
		assert.equal(readPartName(name), null, name);
	}
});

test('the time that one more shard would have saved comes from the measured times', () => {
	const run = (shard: number, cells: readonly string[], measuringSeconds: number) => {
		const timing = { totalSeconds: measuringSeconds + 60, measuringSeconds, loadSeconds: 1, roundsRun: 1 };
		return { shard, cells, state: 'complete' as const, timing: { ...timing, orchestratorPeakBytes: 1 } };
	};
	const long = [run(1, ['a/1', 'a/2', 'a/3', 'a/4'], 400), run(2, ['b/1', 'b/2'], 200)];
	assert.equal(describeSaving(long), 'one more shard would have saved about 3 min 20 s');
	const short = [run(1, ['a/1', 'a/2'], 12), run(2, ['b/1', 'b/2'], 12)];
	assert.equal(describeSaving(short), 'one more shard would have saved next to nothing');
	assert.equal(describeSaving([run(1, ['a/1'], 400), run(2, ['b/1'], 400)]), null, 'every cell has a machine');
	assert.equal(describeSaving([...long, { shard: 3, cells: ['c/1'], state: 'missing' }]), null);
});
