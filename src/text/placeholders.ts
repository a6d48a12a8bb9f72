/** Placeholders such as `{{id}}`, filled from a row of a data file. */
import type { DataRow, DataValue, Expectation, HttpRequest } from '../types/config.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_-]{0,63}';
const PLACEHOLDER = new RegExp(`\\{\\{(${NAME})\\}\\}`, 'g');
/**
 * Matches placeholders in output of JSON.stringify: first a string, but no key, that is only a placeholder; then any
 * other. (A quote after a backslash is inside a string.)
 */
const IN_JSON = new RegExp(`(?<!\\\\)"\\{\\{(${NAME})\\}\\}"(?!:)|\\{\\{(${NAME})\\}\\}`, 'g');
/** Matches a placeholder as `URLSearchParams` writes it. */
const ENCODED = new RegExp(`%7B%7B(${NAME})%7D%7D`, 'g');

/** A value that a JSON answer may have as string, number or boolean, because CSV has no types. */
export class AnyKind {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
	matches(received: unknown): boolean {
		return ['string', 'number', 'bigint', 'boolean'].includes(typeof received) && String(received) === this.text;
	}
	toJSON(): string {
		return this.text;
	}
}

/** Returns names in order, with repetitions. */
export function placeholdersIn(text: string): string[] {
	return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

export function placeholdersOf({ path, headers, body = '' }: HttpRequest): string[] {
	return [path, ...Object.values(headers), body].flatMap(placeholdersIn);
}

/** Restores the placeholders of a URL-encoded body. */
export function restorePlaceholders(encoded: string): string {
	return encoded.replace(ENCODED, '{{$1}}');
}

/**
 * Fills a request from a row. Values are percent-encoded in the path, escaped in a JSON or URL-encoded body, and
 * otherwise verbatim. A JSON string that is only a placeholder becomes the typed value. A placeholder without a column
 * stays.
 */
export function fillRequest(request: HttpRequest, row: DataRow): HttpRequest {
	const { path, headers, body, bodyKind, ...rest } = request;
	const entries = Object.entries(headers).map(([name, value]) => [name, fillText(value, row)] as const);
	return {
		...rest,
		path: fillText(path, row, encodePart),
		headers: Object.fromEntries(entries),
		...(body !== undefined && { body: fillBody(body, bodyKind, row) }),
	};
}

/** Fills the expected answer from a row. In `json`, a string that is only a placeholder becomes `AnyKind`. */
export function fillExpectation(expect: Expectation, row: DataRow): Expectation {
	const { json, text, headers, headersOf = {}, ...rest } = expect;
	const fill = (texts: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, fillText(value, row)]));
	const statuses = Object.entries(headersOf).map(([status, texts]) => [status, fill(texts)] as const);
	return {
		...rest,
		...(json !== undefined && { json: fillDocument(json, row) }),
		...(text !== undefined && { text: fillText(text, row) }),
		...(headers && { headers: fill(headers) }),
		...(statuses.length > 0 && { headersOf: Object.fromEntries(statuses) }),
	};
}

export function fillText(text: string, row: DataRow, write: (value: DataValue) => string = String): string {
	return text.replace(PLACEHOLDER, (whole, name: string) => {
		const value = columnOf(row, name);
		return value === undefined ? whole : write(value);
	});
}

function fillBody(body: string, kind: HttpRequest['bodyKind'], row: DataRow): string {
	if (kind === 'form') return fillText(body, row, encodePart);
	if (kind === undefined) return fillText(body, row);
	return body.replace(IN_JSON, (written, whole: string | undefined, part: string | undefined) => {
		const value = columnOf(row, whole ?? part ?? '');
		if (value === undefined) return written;
		return whole === undefined ? JSON.stringify(String(value)).slice(1, -1) : JSON.stringify(value);
	});
}

function fillDocument(document: unknown, row: DataRow): unknown {
	if (typeof document === 'string') {
		const [name] = placeholdersIn(document);
		const value = name !== undefined && document === `{{${name}}}` ? columnOf(row, name) : undefined;
		return value === undefined ? fillText(document, row) : new AnyKind(String(value));
	}
	if (Array.isArray(document)) return document.map((item) => fillDocument(item, row));
	if (typeof document !== 'object' || document === null) return document;
	return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, fillDocument(value, row)]));
}

function columnOf(row: DataRow, name: string): DataValue | undefined {
	return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Replaces lone surrogates, because they have no encoding. */
function encodePart(value: DataValue): string {
	return encodeURIComponent(String(value).toWellFormed());
}
