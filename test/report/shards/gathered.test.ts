import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherShards } from '../../../src/judge/shards/gather.ts';
import { chartData, summarise } from '../../../src/judge/summarise.ts';
import { renderMarkdown } from '../../../src/report/compare/markdown.ts';
import { renderTerminal } from '../../../src/report/compare/terminal.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import { shardName } from '../../../src/report/shards/shard-words.ts';
import { assertGolden } from '../../support/golden.ts';
import { shardFilesOf, shardPlanOf } from '../../support/shards.ts';

const PLAN = shardPlanOf(['express/ping', 'express/json', 'koa/ping', 'koa/json', 'hono/ping', 'hono/json'], 3);
const SLOW = Math.log(0.85);
const first = PLAN.shards[0]?.cells[0] ?? '';
const hostile = { cpuModel: '</details><script>alert(1)</script> | `x`' };
const RAW = gatherShards(
	PLAN,
	shardFilesOf(PLAN, { 1: { effects: { [first]: SLOW } }, 2: { environment: hostile }, 3: { cutAfter: 3 } }),
);
const RESULT = { ...summarise(RAW), tool: { name: 'benchgate', version: '0.1.0' } as const };

test('the report of a gathered run: rows by server, machines folded away, times of all and of the slowest', () => {
	assertGolden('report/gathered.md', renderMarkdown(RESULT));
	assertGolden('report/gathered.txt', `${renderTerminal(RESULT, { colour: false, width: 100, verbose: true })}\n`);
});

test('names of machines are escaped like all that others wrote', () => {
	const page = renderHtml(RESULT, chartData(RAW, RESULT), '');
	assert.ok(!page.includes('<script>alert'));
	assert.match(page, /<h3><code>express<\/code>: 2 rows/);
	assert.ok(!renderMarkdown(RESULT).includes('<script>'));
});

test('names of shards sort as their numbers do, and no attempt has the name of another', () => {
	const names = [1, 2, 10, 256].map((shard) => shardName({ shard, of: 256, attempt: 1 }));
	assert.deepEqual(names.toSorted(), names);
	assert.equal(names[1], 'benchgate-shard-002-of-256-attempt-1');
	assert.notEqual(shardName({ shard: 2, of: 256, attempt: 2 }), names[1]);
});
