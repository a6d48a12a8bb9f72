/** Tables for a terminal: what is wider than the terminal is broken into parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakTable, type WordedTable } from '../../src/report/worded-table.ts';

const table: WordedTable = {
	title: 'Shares',
	columns: ['server', 'one', 'two', 'three'].map((label) => ({ label, align: 'right' })),
	rows: [[['koa'], ['80.0 %'], ['70.0 %'], ['60.0 %']]],
	note: 'How to read it.',
};

test('a table that fits stays whole', () => {
	assert.deepEqual(breakTable(table, 30), [table]);
});

test('parts repeat the first column, hold as many of the others as fit, and end with the note', () => {
	const parts = breakTable(table, 22);
	const shown = parts.map(({ title, columns, rows, note }) => [title, columns.map(({ label }) => label), rows, note]);
	assert.deepEqual(shown, [
		['Shares', ['server', 'one', 'two'], [[['koa'], ['80.0 %'], ['70.0 %']]], ''],
		['Shares (continued)', ['server', 'three'], [[['koa'], ['60.0 %']]], 'How to read it.'],
	]);
});

test('a column that fits nowhere has a part of its own', () => {
	assert.deepEqual(
		breakTable(table, 5).map(({ columns }) => columns.map(({ label }) => label)),
		[
			['server', 'one'],
			['server', 'two'],
			['server', 'three'],
		],
	);
});
