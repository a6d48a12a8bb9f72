import { AnyKind } from '../../text/placeholders.ts';
import type { Expectation } from '../../types/config.ts';
import { type Answer, childPath, cut, isObject, parseDocument, show } from './answer.ts';

/** `code` is that of the resulting fault. */
export interface Mismatch {
	readonly code: 'wrong-status' | 'wrong-header' | 'wrong-body';
	readonly message: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const PLACEHOLDERS: Readonly<Record<string, (value: unknown) => boolean>> = {
	'<any>': () => true,
	'<string>': (value) => typeof value === 'string',
	'<number>': (value) => typeof value === 'number' || typeof value === 'bigint',
	'<uuid>': (value) => typeof value === 'string' && UUID.test(value),
};

/** As a value: the key must be missing. */
export const ABSENT = '<absent>';

/** As the value of a header: it may be missing, and is not compared. */
const OPTIONAL = '<optional>';

/** Allows any parameters, such as a charset. */
const JSON_TYPE = /^application\/json *(?:;|$)/i;

const HEADER_KINDS: Readonly<Record<string, (value: string) => boolean>> = {
	'<any>': () => true,
	[OPTIONAL]: () => true,
	'<json>': (value) => JSON_TYPE.test(value),
};

/** Returns null if `answer` matches, else a sentence about the first mismatch in status, headers or body. */
export function matchAnswer(expect: Expectation, answer: Answer): string | null {
	return findMismatch(expect, answer)?.message ?? null;
}

export function isKind(expected: unknown): boolean {
	return typeof expected === 'string' && Object.hasOwn(PLACEHOLDERS, expected);
}

export function isHeaderKind(value: string): boolean {
	return Object.hasOwn(HEADER_KINDS, value);
}

export function expectedHeaders(
	{ headers, headersOf }: Pick<Expectation, 'headers' | 'headersOf'>,
	status: number,
): Readonly<Record<string, string>> {
	return { ...headers, ...headersOf?.[status] };
}

export function isOptional(expected: string | undefined): boolean {
	return expected === OPTIONAL;
}

export function findMismatch(expect: Expectation, answer: Answer): Mismatch | null {
	if (!expect.status.includes(answer.status)) {
		const { location } = answer.headers;
		const to = answer.status >= 300 && answer.status < 400 && location ? `, with location ${show(location)}` : '';
		const body = answer.body === '' ? '' : `, with body ${show(answer.body)}`;
		const statuses = `status ${answer.status} instead of ${expect.status.join(' or ')}`;
		return { code: 'wrong-status', message: `${statuses}${to}${body}` };
	}
	const header = matchHeaders(expectedHeaders(expect, answer.status), answer.headers);
	if (header !== null) return { code: 'wrong-header', message: header };
	const body = answer.status === expect.status[0] ? matchBody(expect, answer) : null;
	return body === null ? null : { code: 'wrong-body', message: body };
}

function matchHeaders(expected: Readonly<Record<string, string>>, received: Answer['headers']): string | null {
	for (const [name, value] of Object.entries(expected)) {
		const actual = Object.hasOwn(received, name) ? received[name] : undefined;
		const kind = isHeaderKind(value) ? HEADER_KINDS[value] : undefined;
		const wanted = kind ? value : show(value);
		if (actual === undefined && isOptional(value)) continue;
		if (actual === undefined) return `header ${name} is missing${value === '<any>' ? '' : `, expected ${wanted}`}`;
		if (!(kind ? kind(actual) : actual === value)) return `header ${name} is ${show(actual)} instead of ${wanted}`;
	}
	return null;
}

function matchBody(expect: Expectation, answer: Answer): string | null {
	if (expect.bodyBytes !== undefined && answer.bytes !== expect.bodyBytes) {
		return `body of ${answer.bytes} bytes instead of ${expect.bodyBytes}: ${show(answer.body)}`;
	}
	if (expect.text !== undefined && answer.body !== expect.text) {
		return `body is ${show(answer.body)} instead of ${show(expect.text)}`;
	}
	if (expect.json === undefined) return null;
	const document = parseDocument(answer.body);
	if (document === null) return `body ${show(answer.body)} is not JSON, expected ${show(expect.json)}`;
	return matchValue(expect.json, document.value, '$');
}

function matchValue(expected: unknown, received: unknown, path: string): string | null {
	if (expected instanceof AnyKind) {
		if (expected.matches(received)) return null;
		return `body at ${path} is ${show(received)} instead of ${show(expected)}`;
	}
	if (Array.isArray(expected)) return matchArray(expected, received, path);
	if (isObject(expected)) return matchObject(expected, received, path);
	const matches = typeof expected === 'string' && Object.hasOwn(PLACEHOLDERS, expected) && PLACEHOLDERS[expected];
	if (matches ? matches(received) : expected === received) return null;
	return `body at ${path} is ${show(received)} instead of ${matches ? cut(expected as string) : show(expected)}`;
}

function matchArray(expected: readonly unknown[], received: unknown, path: string): string | null {
	if (!Array.isArray(received)) return `body at ${path} is ${show(received)} instead of ${show(expected)}`;
	if (received.length !== expected.length) {
		return `body at ${path} has ${received.length} items instead of ${expected.length}: ${show(received)}`;
	}
	return first(expected.keys(), (index) => matchValue(expected[index], received[index], childPath(path, index)));
}

function matchObject(expected: Record<string, unknown>, received: unknown, path: string): string | null {
	if (!isObject(received)) return `body at ${path} is ${show(received)} instead of ${show(expected)}`;
	return first(Object.keys(expected), (key) => {
		const at = childPath(path, key);
		if (expected[key] === ABSENT) {
			return Object.hasOwn(received, key) ? `body at ${at} is ${show(received[key])}, and must not be there` : null;
		}
		if (!Object.hasOwn(received, key)) return `body at ${at} is missing, expected ${show(expected[key])}`;
		return matchValue(expected[key], received[key], at);
	});
}

function first<T>(items: Iterable<T>, find: (item: T) => string | null): string | null {
	for (const item of items) {
		const mismatch = find(item);
		if (mismatch !== null) return mismatch;
	}
	return null;
}
