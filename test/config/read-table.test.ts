import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pickColumns, readTable } from '../../src/config/file/check-data.ts';

const cell = fc.string({ unit: 'grapheme' });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('a CSV reads back with its quotes, commas and line breaks', () => {
	const tables = fc
		.integer({ min: 1, max: 4 })
		.chain((width) =>
			fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 10 }),
		);
	fc.assert(
		fc.property(tables, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, end, marked) => {
			const columns = (rows[0] ?? []).map((_, index) => `c${index}`);
			const text = [columns.join(','), ...rows.map((row) => row.map(quoted).join(','))].join(end);
			assert.deepEqual(readTable(`${marked ? '\uFEFF' : ''}${text}${end}`, 'a.csv'), {
				columns,
				rows: rows.map((row) => Object.fromEntries(row.map((value, index) => [`c${index}`, value]))),
			});
		}),
	);
});

test('every text gives a table or a sentence that begins with the file', () => {
	fc.assert(
		fc.property(fc.string(), fc.constantFrom('a.csv', 'a.json'), (text, file) => {
			const table = readTable(text, file);
			if ('refusal' in table) assert.match(table.refusal, /^a\.(?:csv|json)/);
			else assert.ok(table.rows.length > 0);
		}),
	);
});

for (const [label, file, text, refusal] of [
	[
		'a row that is too short',
		'a.csv',
		'id,name\n1,Ann\n2\n',
		/^a\.csv: invalid record length: expect 2, got 1 on line 3$/,
	],
	['a quote that is left open', 'a.csv', 'id\n"1\n2\n', /^a\.csv: quote not closed: .*opening quote at line \d$/],
	['a column named twice', 'a.csv', 'id,id\n1,2\n', /^a\.csv: the first line names the column "id" twice; keep one$/],
	['a head without rows', 'a.csv', 'id\n', /^a\.csv has no rows; at least one is needed$/],
	['invalid JSON', 'a.json', '[{]', /^a\.json: it is not JSON \(/],
	['no list', 'a.json', '{"id":1}', /^a\.json: it is not a list of objects, e\.g\. /],
	['a row that is no object', 'a.json', '[{"id":1},[2]]', /^a\.json: row 2 is no object; /],
	['an empty list', 'a.json', '[]', /^a\.json has no rows; /],
] as const) {
	test(`${label} is refused`, () => {
		const table = readTable(text, file);
		assert.ok('refusal' in table);
		assert.match(table.refusal, refusal);
	});
}

test('a number of a JSON file that loses digits is refused by its line, if its column is used', () => {
	const table = readTable('[\n{"id":7,"price":1.10},\n{"id":80351110224678912,"price":2}]', 'a.json');
	assert.ok(!('refusal' in table));
	assert.deepEqual(pickColumns(table, ['price'], 'a.json'), [{ price: 1.1 }, { price: 2 }]);
	assert.deepEqual(pickColumns(table, ['id'], 'a.json'), {
		refusal:
			'a.json:3: row 2 has the number 80351110224678912 in "id", which would become 80351110224678910; put it in quotes',
	});
});

test('a refusal quotes a file in one line, without control characters or commands', () => {
	for (const [file, text] of [
		['a.json', '[{"id":\n::debug::\u001b[2J\u202e}]'],
		['a.csv', 'x\u001b[2J\n::stop::,x\u001b[2J\n::stop::\n1,2\n'],
		['a.csv', '"a\n::debug::\u001b","a\n::debug::\u001b"\n1,2\n'],
	] as const) {
		const table = readTable(text, file);
		assert.ok('refusal' in table, file);
		assert.doesNotMatch(table.refusal, /[\p{Cc}\p{Bidi_Control}]/u);
	}
});

test('JSON keeps types, and only the columns that are used are kept and required', () => {
	const table = readTable('[{"id":7,"on":true,"deep":{}},{"id":"x","on":false}]', 'a.json');
	assert.ok(!('refusal' in table));
	assert.deepEqual(table.columns, ['id', 'on', 'deep']);
	assert.deepEqual(pickColumns(table, ['id', 'on'], 'a.json'), [
		{ id: 7, on: true },
		{ id: 'x', on: false },
	]);
	assert.deepEqual(pickColumns(table, ['deep'], 'a.json'), {
		refusal: 'a.json: row 1 has no text, number or true or false in "deep"',
	});
});
