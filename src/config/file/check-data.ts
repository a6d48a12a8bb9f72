/** Data files: their paths and their rows. */
import { parse } from 'csv-parse/sync';
import { plainText } from '../../text/escape.ts';
import { parseJson } from '../../text/json.ts';
import { isExactNumber } from '../../text/numbers.ts';
import { placeholdersIn } from '../../text/placeholders.ts';
import type { DataRow, DataValue } from '../../types/config.ts';
import { didYouMean } from '../suggest.ts';
import { asList, asMapping } from './check-scenario.ts';
import type { Path, Problem } from './problem.ts';
import { readYaml, type YamlSource } from './read-yaml.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Tables by path. `refusal` is why a file is unusable. */
export type Tables = ReadonlyMap<string, Table | { readonly refusal: string }>;

/**
 * Characters that a header must not contain (RFC 9110, section 5.5), or that Node sends as other bytes than the
 * generator.
 */
const NOT_IN_HEADERS = /[^\t\x20-\x7e]/;

export function readTables(texts: DataTexts): Tables {
	return new Map(
		Object.entries(texts).map(([file, dataText]) => [
			file,
			'refusal' in dataText ? { refusal: `${file} ${dataText.refusal}` } : readTable(dataText.text, file),
		]),
	);
}

/** Returns problems of the data file and the placeholders. `tables` is null when no file was read. */
export function checkData(source: YamlSource, scenario: Mapping, path: Path, tables: Tables | null): Problem[] {
	const { data } = scenario;
	if (typeof data !== 'string') return [];
	const at = (where: Path, message: string): Problem => ({ line: source.lineOf(where), path: where, message });
	const here = [...path, 'data'];
	if (!isDataPath(data)) return [at(here, `${JSON.stringify(data)} is not allowed; ${DATA_PATH_FORM}`)];
	const used = placesIn(scenario, path);
	const unfilled = unfilledIn(scenario, path).map(([where]) =>
		at(where, 'placeholders are filled only in the requests that are loaded; write a value'),
	);
	if (!used.some(({ sent }) => sent)) {
		return [
			at(here, `no request has a placeholder; use one, e.g. path: /users/{{id}}, or remove the data`),
			...unfilled,
		];
	}
	if (tables === null) return unfilled;
	const table = tables.get(data);
	if (table === undefined) return [at(here, `${data} was not read`), ...unfilled];
	if ('refusal' in table) return [at(here, table.refusal), ...unfilled];
	const unknown = used
		.filter(({ name }) => !table.columns.includes(name))
		.map(({ where, name }) =>
			at(where, `"{{${name}}}" is no column of ${data}${didYouMean(name, table.columns, 'its columns:')}`),
		);
	if (unknown.length > 0) return [...unknown, ...unfilled];
	const rows = pickColumns(table, columnsOf(used), data);
	if ('refusal' in rows) return [at(here, rows.refusal), ...unfilled];
	const headers = used
		.filter(({ inHeader }) => inHeader)
		.flatMap(({ where, name }) => {
			const row = rows.findIndex((one) => NOT_IN_HEADERS.test(String(one[name])));
			return row < 0
				? []
				: [at(where, `row ${row + 1} of ${data} has a character in "${name}" that no header can have`)];
		});
	return [...headers, ...unfilled];
}

/** Returns the rows of a valid scenario, with only the columns it uses; empty without a file. */
export function rowsFor(scenario: Mapping, tables: Tables | null): readonly DataRow[] {
	const table = tables?.get(String(scenario.data));
	if (table === undefined || 'refusal' in table) return [];
	const rows = pickColumns(table, columnsOf(placesIn(scenario, [])), String(scenario.data));
	return 'refusal' in rows ? [] : rows;
}

interface Place {
	readonly name: string;
	readonly where: Path;
	/** False inside `expect`. */
	readonly sent: boolean;
	readonly inHeader: boolean;
}

function columnsOf(places: readonly Place[]): string[] {
	return [...new Set(places.map(({ name }) => name))];
}

function loadedIn(scenario: Mapping, path: Path): (readonly [Mapping, Path])[] {
	const { requests } = scenario;
	if (requests === undefined) return [[scenario, path]];
	return asList(requests).map((item, index) => [asMapping(item), [...path, 'requests', index]] as const);
}

function placesIn(scenario: Mapping, path: Path): Place[] {
	return loadedIn(scenario, path).flatMap(([{ request, expect }, at]) => {
		const { path: target, headers, json, form, body } = asMapping(request);
		const expected = asMapping(expect);
		const find = (value: unknown, sent: boolean, ...keys: string[]) =>
			textsIn(value).flatMap((text) =>
				placeholdersIn(text).map((name) => ({ name, sent, inHeader: keys[1] === 'headers', where: [...at, ...keys] })),
			);
		return [
			...find(target, true, 'request', 'path'),
			...find(Object.values(asMapping(headers)), true, 'request', 'headers'),
			...find(json, true, 'request', 'json'),
			...find(form, true, 'request', 'form'),
			...find(body, true, 'request', 'body'),
			...find(expected.json, false, 'expect', 'json'),
			...find(expected.text, false, 'expect', 'text'),
			...find(Object.values(asMapping(expected.headers)), false, 'expect', 'headers'),
			...find(expected.headersOf, false, 'expect', 'headersOf'),
		];
	});
}

function unfilledIn(scenario: Mapping, path: Path): (readonly [Path])[] {
	const holders = [
		[scenario.learn, [...path, 'learn', 'request']] as const,
		...asList(scenario.checks).map((check, index) => [check, [...path, 'checks', index, 'request']] as const),
	];
	return holders
		.filter(([one]) => textsIn(asMapping(one).request).some((text) => placeholdersIn(text).length > 0))
		.map(([, where]) => [where]);
}

/** Includes keys of mappings. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

interface Table {
	readonly columns: readonly string[];
	readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const QUOTE_LIMIT = 200;
const MOST_ROWS = 1_000_000;

/** Parses CSV (RFC 4180) with a line of column names, or a JSON list of objects whose first item names the columns. */
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

export type DataText = { readonly text: string } | { readonly refusal: string };

/** By path, as in the config. */
export type DataTexts = Readonly<Record<string, DataText>>;

export const LARGEST_DATA = 10_000_000;
export const LARGEST_DATA_FORM = '10 MB';

const FORM = /^[^\\\p{Cc}]+\.(?:csv|json)$/u;
const FORBIDDEN = ['', '.', '..', '.git', 'node_modules'];

const DATA_PATH_FORM =
	'a .csv or .json file in the folder of the config or below, without "..", e.g. users.csv or bench/users.csv';

function isDataPath(path: string): boolean {
	return FORM.test(path) && !path.split('/').some((part) => FORBIDDEN.includes(part));
}

/** Returns allowed data paths, each once; empty for invalid YAML. */
export function dataPathsIn(text: string, name: string): string[] {
	let config: unknown;
	try {
		config = readYaml(text, name).value;
	} catch {
		// `parseConfig` reports the error.
		return [];
	}
	const paths = asList(asMapping(config).scenarios).map((scenario) => asMapping(scenario).data);
	return [...new Set(paths)].filter((path) => typeof path === 'string').filter(isDataPath);
}
