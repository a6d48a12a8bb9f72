/** Tables wider than their terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '../../../src/report/document/document.ts';
import { breakTable, fitTable, totalOf, widthsOf } from '../../../src/report/document/table.ts';

const table: Table = {
	kind: 'table',
	columns: ['server', 'one', 'two', 'three'].map((label) => ({ label, align: 'right' })),
	rows: [[['koa'], ['80.0 %'], ['70.0 %'], ['60.0 %']]],
	note: 'How to read it.',
};
const labelsOf = ({ columns }: Table) => columns.map(({ label }) => label);

test('a table that fits stays whole', () => {
	assert.deepEqual(breakTable(table, 30), [table]);
	assert.deepEqual(fitTable(table, 30), table);
});

test('parts repeat the first column, hold as many of the others as fit, and end with the note', () => {
	const parts = breakTable(table, 22);
	assert.deepEqual(
		parts.map((part) => [labelsOf(part), part.rows, part.note]),
		[
			[['server', 'one', 'two'], [[['koa'], ['80.0 %'], ['70.0 %']]], ''],
			[['server', 'three'], [[['koa'], ['60.0 %']]], 'How to read it.'],
		],
	);
});

test('a column too wide for any part has its own', () => {
	assert.deepEqual(breakTable(table, 5).map(labelsOf), [
		['server', 'one'],
		['server', 'two'],
		['server', 'three'],
	]);
});

test('the most important spare columns that fit stay, and required columns always do', () => {
	const wide = { label: 'a wide column', align: 'left', spare: 2 } as const;
	const columns = [
		table.columns[0],
		wide,
		{ label: 'b', align: 'left', spare: 1 },
		{ label: 'c', align: 'left', spare: 0 },
	];
	const rows = ['koa', 'hono'].map((name) => [[name], ['x'], ['1'], ['2']]);
	const spare = { ...table, columns, rows } as Table;
	const fitted = (width: number) => labelsOf(fitTable(spare, width)).join(' ');
	assert.equal(totalOf(widthsOf(spare)), 'server  a wide column  b  c'.length);
	assert.equal(fitted(27), 'server a wide column b c');
	assert.equal(fitted(26), 'server a wide column b');
	assert.equal(fitted(21), 'server a wide column');
	assert.equal(fitted(20), 'server b c');
	assert.equal(fitted(1), 'server');
});
