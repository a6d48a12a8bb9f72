import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { renderCsv } from '../../../src/report/compare/csv.ts';
import { SHOWN_METRICS } from '../../../src/types/metric.ts';
import type { CellResult, Result } from '../../../src/types/result.ts';
import { assertGolden } from '../../support/golden.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';
import { cellOf, resultOf } from '../../support/results.ts';

/** Reads CSV strictly by RFC 4180: a quote belongs at the ends of a field, or doubled inside. */
function parseCsv(text: string, separator = ','): string[][] {
	const field = `"((?:[^"]|"")*)"|([^"${separator}\n]*)`;
	const scanner = new RegExp(`(?:${field})(${separator}|\n)`, 'y');
	const rows: string[][] = [];
	let row: string[] = [];
	while (scanner.lastIndex < text.length) {
		const at = scanner.lastIndex;
		const match = scanner.exec(text) ?? assert.fail(`no field at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`);
		row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
		if (match[3] !== '\n') continue;
		rows.push(row);
		row = [];
	}
	assert.deepEqual(row, [], 'the last line has no end');
	return rows;
}

/** The table as records by column. */
function recordsOf(text: string): Record<string, string>[] {
	const [header = [], ...rows] = parseCsv(text);
	for (const row of rows) assert.equal(row.length, header.length);
	return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

const numberOf = (text: string | undefined): number | null => (text === '' ? null : Number(text));
/** A name as written to a file that cannot hold a formula. */
const inOneLine = (name: string): string => name.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
/** Texts that spreadsheets take for the beginning of a formula. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;

describe('the CSV of these situations is as reviewed', () => {
	for (const name of ['one-regressed', 'invalid', 'generator-bound', 'new-and-removed', 'hostile']) {
		test(name, () => assertGolden(`report/${name}.csv`, renderCsv(resultCase(name))));
	}
});

describe('every row is there with every digit of the JSON', () => {
	for (const [name, make] of Object.entries(RESULT_CASES)) {
		test(name, () => {
			const result = make();
			const records = recordsOf(renderCsv(result));
			assert.equal(records.length, result.cells.length);
			for (const [index, record] of records.entries()) assertNumbers(record, result.cells[index] as CellResult);
		});
	}
});

function assertNumbers(record: Readonly<Record<string, string>>, cell: CellResult): void {
	assert.equal(record.verdict, cell.verdict);
	assert.equal(record.judged_by, cell.judgedBy);
	assert.equal(numberOf(record.change), cell.change);
	assert.equal(numberOf(record.interval_low), cell.interval?.low ?? null);
	assert.equal(numberOf(record.interval_high), cell.interval?.high ?? null);
	assert.equal(numberOf(record.threshold), cell.threshold);
	assert.equal(numberOf(record.round_sd), cell.roundSd);
	assert.equal(numberOf(record.throughput_base_requests_per_s), cell.metrics.throughput?.base ?? null);
	assert.equal(numberOf(record.cpu_per_request_head_us), cell.metrics['cpu-per-request']?.head ?? null);
	assert.equal(numberOf(record.latency_p99_change), cell.metrics['latency-p99']?.change ?? null);
	assert.equal(numberOf(record.memory_peak_base_mb), cell.metrics['memory-peak']?.base ?? null);
}

test('a result without rows is a header', () => {
	assert.equal(parseCsv(renderCsv(resultOf([]))).length, 1);
});

test('the page on reports names every column, and columns of every metric', () => {
	const page = readFileSync(new URL('../../../docs/report.md', import.meta.url), 'utf8');
	const [header = []] = parseCsv(renderCsv(resultOf([])));
	const prefixes = SHOWN_METRICS.map((name) => `${name.replaceAll('-', '_')}_`);
	for (const prefix of prefixes) assert.ok(page.includes(`\`${prefix}`), prefix);
	const others = header.filter((name) => !prefixes.slice(1).some((prefix) => name.startsWith(prefix)));
	assert.ok(others.length > 20);
	assert.deepEqual(
		others.filter((name) => !page.includes(`\`${name}\``)),
		[],
	);
});

/** Names with characters that CSV, spreadsheets and terminals interpret. */
const hostileName = fc
	.array(
		fc.oneof(
			fc.constantFrom(...[...'=+-@;,"\'|\t\r\n \u2028\u0085\u0000\u200b\ufeff＝＋－＠%!(']),
			fc.constantFrom('=cmd|', '=HYPERLINK("http://x","y")', '"\r\n', '";"', 'ping', '\u001b[31m', '\ud800'),
			fc.string({ unit: 'binary', maxLength: 4 }),
		),
		{ maxLength: 8 },
	)
	.map((parts) => parts.join(''));

/** A result all of whose texts are `name`. */
function named(name: string): Result {
	const cell = { ...cellOf({ scenario: name, change: -0.1 }), server: name, warnings: [{ code: name, message: name }] };
	const result = resultOf([cell, cellOf({ scenario: 'ping' })]);
	return {
		...result,
		base: { ...result.base, label: name },
		head: { ...result.head, label: name },
		createdAt: name,
	};
}

const TEXTS = ['server', 'scenario', 'warnings', 'base_label', 'head_label', 'created_at'] as const;

test('a hostile name stays in its place, in one line, readable, and is no formula', () => {
	let guarded = 0;
	const property = fc.property(hostileName, (name) => {
		const text = renderCsv(named(name));
		assert.equal(text.split('\n').length, 4);
		assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}]/u);
		const [first, second] = recordsOf(text);
		for (const column of TEXTS) {
			const value = first?.[column] ?? '';
			assert.doesNotMatch(value, FORMULA);
			assert.doesNotMatch(value, new RegExp(FORMULA.source.replace('^', ';'), 'u'));
			assert.equal(value.replaceAll("'", ''), inOneLine(name).replaceAll("'", ''));
			if (!FORMULA.test(inOneLine(name)) && !/['";]/.test(name)) assert.equal(value, inOneLine(name));
		}
		if (FORMULA.test(inOneLine(name))) guarded++;
		assert.equal(numberOf(first?.change), -0.1);
		assert.equal(second?.scenario, 'ping');
	});
	fc.assert(property, { numRuns: 3000, seed: 12 });
	assert.ok(guarded > 300, `only ${guarded} began a formula`);
});

test('a spreadsheet that separates by semicolons finds no formula either', () => {
	const property = fc.property(hostileName, (name) => {
		for (const line of renderCsv(named(name)).split('\n').slice(1)) {
			// Lenient, like some programs: quotes anywhere, or absent.
			for (const field of line.split(';').slice(1)) assert.doesNotMatch(field.replaceAll('"', ''), FORMULA);
		}
	});
	fc.assert(property, { numRuns: 3000, seed: 13 });
});
