import { placeholdersIn } from '../../text/placeholders.ts';
import type { DataRow } from '../../types/config.ts';
import { didYouMean } from '../suggest.ts';
import { asList, asMapping } from './check-scenario.ts';
import { DATA_PATH_FORM, type DataTexts, isDataPath } from './data-files.ts';
import type { Path, Problem } from './problem.ts';
import { pickColumns, readTable, type Table } from './read-table.ts';
import type { YamlSource } from './read-yaml.ts';

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
