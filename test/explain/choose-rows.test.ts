import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRows } from '../../src/explain/choose-rows.ts';
import type { CellResult } from '../../src/types/result.ts';

const cell = (
	scenario: string,
	verdict: CellResult['verdict'],
	change: number,
	metric: CellResult['metric'] = 'throughput',
) =>
	({
		...{ server: 'express', scenario, metric, judgedBy: metric, verdict, change, interval: null, threshold: 0.05 },
	}) as CellResult;

const namesOf = (cells: readonly CellResult[], policy: 'auto' | 'never' | 'always') =>
	chooseRows({ cells }, policy).map(({ scenario }) => scenario);

const CELLS = [
	cell('same', 'unchanged', 0),
	cell('unsure', 'inconclusive', -0.04),
	cell('slow', 'regressed', -0.1),
	cell('cpu', 'regressed', 0.3, 'cpu-per-request'),
	cell('fast', 'improved', 0.2),
];

test('explains the worst red row first, then undecided ones, and the others only on request', () => {
	assert.deepEqual(namesOf(CELLS, 'auto'), ['cpu', 'slow', 'unsure']);
	assert.deepEqual(namesOf(CELLS, 'always'), ['cpu', 'slow', 'unsure', 'fast', 'same']);
	assert.deepEqual(namesOf(CELLS, 'never'), []);
});

test('without a red row it explains only requested rows', () => {
	const green = CELLS.filter(({ verdict }) => verdict !== 'regressed');
	assert.deepEqual(namesOf(green, 'auto'), []);
});

test('a cell is explained once, for its worst metric', () => {
	const both = [cell('slow', 'regressed', -0.1), cell('slow', 'regressed', 0.5, 'latency-p99')];
	assert.deepEqual(
		chooseRows({ cells: both }, 'auto').map(({ metric }) => metric),
		['latency-p99'],
	);
});
