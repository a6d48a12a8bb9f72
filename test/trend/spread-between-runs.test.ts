/** τ² is the variance between runs; a wild level or a step must not count as such. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { RowTrend } from '../../src/types/trend.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const WILD = -3;

function rowOf(records: readonly BaselineRecord[], wild: readonly number[] = []): RowTrend {
	const levels = records.filter(({ purpose }) => purpose === 'level');
	const chosen = new Set(wild.map((at) => levels.at(at)));
	const changed = records.map((record) =>
		chosen.has(record) ? { ...record, cells: record.cells.map((cell) => ({ ...cell, theta: WILD })) } : record,
	);
	return trendOf(changed).rows[0] as RowTrend;
}

const stepsOf = (row: RowTrend) => row.changes.map(({ at }) => row.points[at]?.commit);

for (const { commits, step, size, seed } of [
	{ commits: 25, step: 13, size: -0.1, seed: 41 },
	{ commits: 12, step: 6, size: -0.1, seed: 42 },
	{ commits: 40, step: 20, size: -0.04, seed: 43 },
]) {
	test(`${commits} levels with a step of ${100 * size} % show it wherever one of them is wild`, () => {
		const records = syntheticRecords({
			cells: ['koa/ping'],
			se: [0.005, 0.006],
			seed,
			commits,
			steps: [{ commit: step, size }],
		});
		const tame = rowOf(records);
		assert.deepEqual(stepsOf(tame), [step]);
		for (let at = 0; at < commits; at++) {
			const row = rowOf(records, [at]);
			// A wild level just before or after the step may count to either side.
			assert.ok(row.changes.length === 1 && Math.abs((stepsOf(row)[0] ?? 0) - step) <= 2, `${at}: ${stepsOf(row)}`);
			assert.ok(Math.sqrt(row.tau2) < 0.03, `${at}: ${Math.sqrt(row.tau2)}`);
			// A newest baseline that is wild and alone leaves a slower row slower, at the level before it.
			assert.equal(row.standing?.place, 'below');
			assert.ok(Math.abs(row.standing.theta - size) < 0.02, `${at}: ${row.standing.theta}`);
		}
	});
}

test('levels across a release show their step too', () => {
	const steps = [{ commit: 20, size: -0.06 }];
	const records = syntheticRecords({ cells: ['koa/ping'], se: [0.005, 0.006], seed: 44, commits: 40, eras: 2, steps });
	const shown = stepsOf(rowOf(records));
	for (const at of [2, 12, 27, 39]) assert.equal(rowOf(records, [at]).changes.length, shown.length, `${at}`);
	assert.ok(Math.sqrt(rowOf(records, [27]).tau2) < 0.02);
});

test('two wild levels of forty hide nothing and are no change', () => {
	const records = syntheticRecords({ cells: ['koa/ping'], se: [0.005, 0.006], seed: 45, commits: 40 });
	assert.deepEqual(rowOf(records, [11, 30]).changes, []);
	const stepped = syntheticRecords({
		cells: ['koa/ping'],
		se: [0.005, 0.006],
		seed: 46,
		commits: 40,
		steps: [{ commit: 20, size: -0.05 }],
	});
	assert.deepEqual(stepsOf(rowOf(stepped, [5, 39])), [20]);
});
