import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_HISTORY, mainRows } from '../../src/trend/main-rows.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const [CELL, OTHER] = ['express/ping', 'koa/query'];

test('a row stands at its standing, with its last baselines against its last anchor', () => {
	const sketch = {
		seed: 5,
		commits: 80,
		cells: [CELL, OTHER],
		eras: 2,
		steps: [{ commit: 60, size: -0.06, cell: CELL }],
	};
	const trend = trendOf(syntheticRecords(sketch));
	const [row, other, ...more] = mainRows(trend);
	assert.deepEqual(more, []);
	assert.deepEqual([row?.server, row?.scenario, row?.metric], ['express', 'ping', 'throughput']);
	const { theta, low, high, anchor } = trend.rows[0]?.standing ?? {};
	assert.deepEqual([row?.theta, row?.low, row?.high, row?.anchor], [theta, low, high, anchor?.label]);
	assert.equal(row?.anchor, 'v1.1.0');
	assert.equal(row?.measured, trend.commits.at(-1)?.label);
	assert.equal(row?.history.length, MOST_HISTORY);
	const points = trend.rows[0]?.points.slice(-MOST_HISTORY) ?? [];
	for (const [index, point] of points.entries()) {
		assert.ok(Math.abs((row?.history[index] ?? 0) - point.theta) < 1e-12, 'one era, one anchor');
	}
	assert.ok((row?.theta ?? 0) < -0.05 && (other?.theta ?? -1) > -0.02);
});

test('the history continues before the last release, against the new anchor', () => {
	const sketch = { seed: 6, commits: 40, cells: [CELL], eras: 2, tau: 0, se: [1e-4, 1e-4] as [number, number] };
	// The second release is 4 % slower, so earlier commits were faster than it by as much.
	const steps = [{ commit: 19, size: -0.04 }];
	const [row] = mainRows(trendOf(syntheticRecords({ ...sketch, steps })));
	const [oldest = 0, newest = 1] = [row?.history[0], row?.history.at(-1)];
	assert.ok(Math.abs(oldest - 0.04) < 2e-3, `${oldest}`);
	assert.ok(Math.abs(newest) < 2e-3, `${newest}`);
});

test('a row that was never measured has no place', () => {
	assert.deepEqual(mainRows(trendOf([])), []);
	assert.deepEqual(mainRows(trendOf(syntheticRecords({ seed: 1, commits: 3, cells: 1, failed: 1 }))), []);
});
