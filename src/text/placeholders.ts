/** Placeholders such as `{{id}}`: where they stand, and what they become with the values of one row of a data file. */
import type { DataRow, DataValue, Expectation, HttpRequest } from '../types/config.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_-]{0,63}';
const PLACEHOLDER = new RegExp(`\\{\\{(${NAME})\\}\\}`, 'g');
/**
 * In what JSON.stringify wrote: first a text that is nothing but a placeholder, and no key; a quote after a backslash is inside of
 * a text. Then any other.
 */
const IN_JSON = new RegExp(`(?<!\\\\)"\\{\\{(${NAME})\\}\\}"(?!:)|\\{\\{(${NAME})\\}\\}`, 'g');
/** How `URLSearchParams` writes one. */
const ENCODED = new RegExp(`%7B%7B(${NAME})%7D%7D`, 'g');

/** A value that a JSON answer may have as a text, a number or a boolean: CSV knows no kinds. */
export class AnyKind {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
	/** Whether `received` is that value, of whatever kind. */
	matches(received: unknown): boolean {
		return ['string', 'number', 'bigint', 'boolean'].includes(typeof received) && String(received) === this.text;
	}
	toJSON(): string {
		return this.text;
	}
}

/** Returns the names of the placeholders in a text, in its order; a name may come again. */
export function placeholdersIn(text: string): string[] {
	return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** Returns the names of all placeholders of a request. */
export function placeholdersOf({ path, headers, body = '' }: HttpRequest): string[] {
	return [path, ...Object.values(headers), body].flatMap(placeholdersIn);
}

/** Returns a URL-encoded body with its placeholders as they were before the encoding. */
export function restorePlaceholders(encoded: string): string {
	return encoded.replace(ENCODED, '{{$1}}');
}

/**
 * Returns the request as it is sent for a row: values percent-encoded in the path, escaped in a JSON or URL-encoded body, else
 * as they are. In a JSON body a text that is nothing but a placeholder becomes the value with its kind. A placeholder without a
 * column stays.
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

/** Returns what is expected of the answer to the request of a row. In `json` a text that is nothing but a placeholder is `AnyKind`. */
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

/** Returns a text with its placeholders replaced by what `write` makes of the values. */
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

/** Half a surrogate pair has no encoding. */
function encodePart(value: DataValue): string {
	return encodeURIComponent(String(value).toWellFormed());
}
