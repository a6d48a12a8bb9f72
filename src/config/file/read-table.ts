import { parse } from 'csv-parse/sync';
import { plainText } from '../../text/escape.ts';
import { parseJson } from '../../text/json.ts';
import { isExactNumber } from '../../text/numbers.ts';
import type { DataRow, DataValue } from '../../types/config.ts';

export interface Table {
	readonly columns: readonly string[];
	readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const QUOTE_LIMIT = 200;
const MOST_ROWS = 1_000_000;

/**
 * Parses CSV (RFC 4180) with column names in the first line and text values, or a JSON list of objects whose first item
 * names the columns.
 */
export function readTable(text: string, file: string): Table | { readonly refusal: string } {
	const table = file.endsWith('.json') ? readJson(text) : readCsv(text);
	if ('refusal' in table) return { refusal: `${file}: ${table.refusal}` };
	if (table.rows.length === 0) return { refusal: `${file} has no rows; at least one is needed` };
	if (table.rows.length > MOST_ROWS) return { refusal: `${file} has more than ${MOST_ROWS} rows; remove some` };
	return table;
}

/** Returns rows with only these columns; refuses a missing value, list or mapping. */
export function pickColumns(
	{ rows }: Table,
	columns: readonly string[],
	file: string,
): readonly DataRow[] | { readonly refusal: string } {
	const picked: DataRow[] = [];
	for (const [index, row] of rows.entries()) {
		const values: [string, DataValue][] = [];
		for (const column of columns) {
			const value = Object.hasOwn(row, column) ? row[column] : undefined;
			if (value instanceof InexactNumber) {
				return {
					refusal: `${file}:${value.line}: row ${index + 1} has the number ${quote(value.source)} in "${column}", which would become ${Number(value.source)}; put it in quotes`,
				};
			}
			if (!isValue(value)) {
				return { refusal: `${file}: row ${index + 1} has no text, number or true or false in "${column}"` };
			}
			values.push([column, value]);
		}
		picked.push(Object.fromEntries(values));
	}
	return picked;
}

/** A JSON number that loses digits in JavaScript. */
class InexactNumber {
	readonly source: string;
	readonly #text: string;
	constructor(source: string, text: string) {
		this.source = source;
		this.#text = text;
	}
	/** 1-based. */
	get line(): number {
		return this.#text.slice(0, this.#text.indexOf(this.source)).split('\n').length;
	}
}

function isValue(value: unknown): value is DataValue {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

function readCsv(text: string): Table | { readonly refusal: string } {
	let lines: string[][];
	try {
		lines = parse(text, { bom: true, skip_empty_lines: true }) as string[][];
	} catch (error) {
		// `Invalid Record Length: expect 2, got 1 on line 3`
		return { refusal: quote((error as Error).message).replace(/^[^:]+/, (title) => title.toLowerCase()) };
	}
	const [columns = [], ...rows] = lines;
	const twice = findTwice(columns);
	if (twice !== undefined) return { refusal: `the first line names the column "${quote(twice)}" twice; keep one` };
	return { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))) };
}

/** One pass, because a line of 10 MB has millions of columns. */
function findTwice(names: readonly string[]): string | undefined {
	const seen = new Set<string>();
	return names.find((name) => seen.size === seen.add(name).size);
}

/** Shortens a parser message, because it quotes the file. */
function quote(message: string): string {
	return plainText(message, QUOTE_LIMIT);
}

function readJson(text: string): Table | { readonly refusal: string } {
	let value: unknown;
	try {
		value = parseJson(text, (_key, inner, context) => {
			const source = typeof inner === 'number' ? context?.source : undefined;
			return source === undefined || isExactNumber(source) ? inner : new InexactNumber(source, text);
		});
	} catch (error) {
		return { refusal: `it is not JSON (${quote((error as Error).message)})` };
	}
	const form = 'a list of objects, e.g. [{ "id": 7 }, { "id": 9 }]';
	if (!Array.isArray(value)) return { refusal: `it is not ${form}` };
	const wrong = value.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row));
	if (wrong >= 0) return { refusal: `row ${wrong + 1} is no object; it must be ${form}` };
	return { columns: Object.keys((value[0] as object | undefined) ?? {}), rows: value as Table['rows'] };
}
