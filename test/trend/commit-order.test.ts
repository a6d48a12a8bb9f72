import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../src/stats/random.ts';
import { orderCommits } from '../../src/trend/trend-of.ts';
import type { BaselineCommit, BaselineRecord } from '../../src/types/baseline.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const records = syntheticRecords({ seed: 1, commits: 12, cells: 1 });

function withCommits(change: (commit: BaselineCommit, index: number) => Partial<BaselineCommit>): BaselineRecord[] {
	return records.map((record, index) => ({
		...record,
		commit: { ...record.commit, ...change(record.commit, index) },
	}));
}

const labels = (of: readonly BaselineRecord[]) => orderCommits(of).map(({ label }) => label);
const expected = records.map(({ commit }) => commit.label);
const shuffled = (of: readonly BaselineRecord[]) => createRandom(3).shuffle(of);
const sameTime = { committedAt: '2026-01-05T06:00:00.000Z' };

test('commits are ordered by position, whatever their times', () => {
	const backwards = withCommits((_, index) => ({
		committedAt: new Date(1e12 - index * 1e6).toISOString(),
		parent: null,
	}));
	assert.deepEqual(labels(shuffled(backwards)), expected);
});

test('without positions a parent stands before its child', () => {
	assert.deepEqual(labels(shuffled(withCommits(() => ({ ...sameTime, position: null })))), expected);
});

test('without positions or parents, time decides', () => {
	assert.deepEqual(labels(shuffled(withCommits(() => ({ position: null, parent: null })))), expected);
});

test('a commit of unknown position stands by its parent', () => {
	const one = withCommits((_, index) =>
		index === 5 ? { position: null, committedAt: '2020-01-01T00:00:00.000Z' } : {},
	);
	const order = labels(shuffled(one));
	assert.ok(order.indexOf(expected[5] as string) > order.indexOf(expected[4] as string));
	assert.equal(order.length, 12);
});

test('a circle of parents loses no commit', () => {
	const last = records.at(-1)?.commit.sha ?? null;
	const circle = withCommits((_, index) => ({ position: null, ...(index === 0 ? { parent: last } : {}) }));
	assert.deepEqual(labels(shuffled(circle)), expected);
});

test('links and closures alone make no commit of the branch', () => {
	assert.deepEqual(labels(records.map((record) => ({ ...record, purpose: 'link' as const }))), []);
});
