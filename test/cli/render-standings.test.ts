import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStandings } from '../../src/cli/baseline/render-baselines.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { ChangeNote } from '../../src/types/trend.ts';
import { anchorOf, levelCell, levelOfCommit } from '../support/baselines/baselines.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const RECORDS = syntheticRecords({
	...{ seed: 61, commits: 40, cells: 3, se: [0.004, 0.005] },
	steps: [
		{ commit: 20, size: -0.16, cell: 'fastify/ping' },
		{ commit: 12, size: 0.05, cell: 'hono/ping' },
	],
});

test('rows stand slowest first, with their latest change, its state and drift', () => {
	const trend = trendOf(RECORDS);
	const lines = renderStandings(trend, RECORDS).trimEnd().split('\n');
	const [head = '', slowest = '', level = '', fastest = ''] = lines;
	assert.equal(lines.length, 4);
	assert.match(head, /^ {2}row +metric +now +95 % interval +since +state$/);
	assert.match(
		slowest,
		/fastify\/ping +throughput +−1[3-6]\.\d % +\[.*\] +\S+ +slower; changed by −1[3-6]\.\d % at \S+: suspected, not proven yet; drift$/,
	);
	assert.match(level, /express\/ping [^:;]* level$/);
	assert.match(fastest, /hono\/ping .* faster; changed by \+\d\.\d % at \S+: suspected, not proven yet$/);
});

test('the state of a change is its latest note', () => {
	const [change] = trendOf(RECORDS).rows.find(({ cell }) => cell === 'fastify/ping')?.changes ?? [];
	const note: ChangeNote = { id: change?.id ?? '', state: 'accepted', by: 'ada', at: '2026-03-01T00:00:00Z', issue: 7 };
	assert.match(
		renderStandings(trendOf(RECORDS, { notes: [note] }), RECORDS),
		/fastify\/ping .* slower; .*: accepted; drift\n/,
	);
});

test('if less is better, worse is more', () => {
	const metrics = ['cpu-per-request'] as const;
	const records = syntheticRecords({
		...{ seed: 62, commits: 30, cells: ['koa/ping'], se: [0.004, 0.005], metrics },
		steps: [{ commit: 15, size: -0.1 }],
	});
	const [, line = ''] = renderStandings(trendOf(records), records).split('\n');
	assert.match(
		line,
		/koa\/ping +cpu-per-request +\+(?:9|10|11)\.\d % +\[\+\d+\.\d … \+\d+\.\d\] .* slower; changed by \+\d+\.\d % at/,
	);
});

test('it marks a row whose newest measurements failed, and counts those without a level against the last anchor', () => {
	const cells = (old: number | null) => [levelCell(0), levelCell(old, { scenario: 'old' })];
	const records = [1, 2].map((n) => levelOfCommit(n, anchorOf(0), cells(-0.2)));
	const failed = [...records, levelOfCommit(3, anchorOf(0), cells(null))];
	assert.match(renderStandings(trendOf(failed), failed), /express\/old .* slower; drift; newest measurement failed\n/);
	const released = [...records, levelOfCommit(3, anchorOf(2), 0)];
	assert.match(renderStandings(trendOf(released), released), /level\n1 row without a level against v1\.2\.0\n$/);
});

test('without a level it explains how to get one', () => {
	const imported = renderStandings(trendOf([]), RECORDS.slice(0, 7));
	assert.match(
		imported,
		/^No row of 7 baselines has a level: imported figures have none\. .*benchgate baseline --save\n$/,
	);
});
