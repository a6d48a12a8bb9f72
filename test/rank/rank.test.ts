import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inRankOrder, rankByInterval, writeRank } from '../../src/rank/rank.ts';

const row = (low: number, value: number, high: number) => ({ low, value, high });

describe('places by intervals', () => {
	const ranksOf = (...rows: ReturnType<typeof row>[]) => rankByInterval(rows).map(writeRank);

	test('intervals apart give one place each, whatever the order', () => {
		assert.deepEqual(ranksOf(row(5, 6, 7), row(8, 9, 10), row(1, 2, 3)), ['2', '1', '3']);
	});

	test('overlapping intervals share places', () => {
		assert.deepEqual(ranksOf(row(8, 9, 10), row(9, 9.5, 11), row(1, 2, 3)), ['1-2', '1-2', '3']);
	});

	test('a row between two that are apart shares a place with each', () => {
		assert.deepEqual(ranksOf(row(1, 2, 4), row(3, 5, 7), row(6, 8, 9)), ['2-3', '1-3', '1-2']);
	});

	test('touching intervals overlap, and so do equal points', () => {
		assert.deepEqual(ranksOf(row(1, 2, 3), row(3, 4, 5)), ['1-2', '1-2']);
		assert.deepEqual(ranksOf(row(3, 3, 3), row(3, 3, 3), row(4, 4, 4)), ['2-3', '2-3', '1']);
	});

	test('a single row is first, and zero rows have no places', () => {
		assert.deepEqual(ranksOf(row(1, 2, 3)), ['1']);
		assert.deepEqual(ranksOf(), []);
	});
});

test('rows that share a place are sorted by value, and those without a place come last', () => {
	const rows = [
		{ name: 'none', rank: null, value: 9 },
		{ name: 'third', rank: { first: 3, last: 3 }, value: 1 },
		{ name: 'lower', rank: { first: 1, last: 2 }, value: 4 },
		{ name: 'higher', rank: { first: 1, last: 2 }, value: 5 },
	];
	assert.deepEqual(
		inRankOrder(rows, ({ value }) => value).map(({ name }) => name),
		['higher', 'lower', 'third', 'none'],
	);
});
