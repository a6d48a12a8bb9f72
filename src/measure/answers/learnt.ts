/** Values of a first answer that later requests send back. */
import type { HttpRequest, Learn } from '../../types/config.ts';
import { type Answer, isObject, parseDocument, show } from './answer.ts';
import type { Mismatch } from './match-answer.ts';

/** A step of a path such as `$.items[0].id`. */
const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]/g;
/** Characters that Node sends in a header value. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/;

export function nameLearnt({ from }: Learn): string {
	if ('header' in from) return from.header;
	return 'cookie' in from ? `cookie ${from.cookie}` : from.json;
}

/** Whether the value may expire during a turn, unlike validators of conditional requests (RFC 9110, 13.1). */
export function mayExpire({ sendAs }: Learn): boolean {
	return !sendAs.startsWith('if-');
}

/** Returns the value as sent, or the mismatch. `now`: `Date.now()`. */
export function readLearnt(learn: Learn, answer: Answer, now: number): string | Mismatch {
	const value = findValue(learn, answer, now);
	if (typeof value === 'object') return value;
	const sent = learn.template?.replaceAll('{{value}}', () => value) ?? value;
	if (SENDABLE.test(sent)) return sent;
	const message = `its ${nameLearnt(learn)} is ${show(value)}, which cannot be sent in a header`;
	return 'json' in learn.from ? { code: 'wrong-body', message } : { code: 'wrong-header', message };
}

/** A cookie is added to the request's other cookies. */
export function withLearnt(request: HttpRequest, { sendAs }: Learn, value: string): HttpRequest {
	const requestCookie = sendAs === 'cookie' ? request.headers.cookie : undefined;
	const sent = requestCookie === undefined ? value : `${requestCookie}; ${value}`;
	return { ...request, headers: { ...request.headers, [sendAs]: sent } };
}

function findValue({ from }: Learn, answer: Answer, now: number): string | Mismatch {
	if ('json' in from) return findInDocument(from.json, answer);
	if ('header' in from && from.header !== 'set-cookie') {
		const value = Object.hasOwn(answer.headers, from.header) ? answer.headers[from.header] : undefined;
		return value ?? { code: 'wrong-header', message: `header ${from.header} is missing` };
	}
	const cookies = readCookies(answer.cookies ?? [], now);
	if ('header' in from) {
		const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
		return pairs.length > 0 ? pairs.join('; ') : { code: 'wrong-header', message: 'it sets no cookie' };
	}
	return cookies.get(from.cookie) ?? { code: 'wrong-header', message: `it sets no cookie ${show(from.cookie)}` };
}

function findInDocument(path: string, answer: Answer): string | Mismatch {
	const document = parseDocument(answer.body);
	if (document === null)
		return { code: 'wrong-body', message: `body ${show(answer.body)} is not JSON, expected a value at ${path}` };
	let value = document.value;
	for (const [, key, index] of path.matchAll(STEP)) {
		if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
		else value = isObject(value) && Object.hasOwn(value, key ?? '') ? value[key ?? ''] : undefined;
	}
	if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
	return { code: 'wrong-body', message: `body at ${path} is ${show(value)} instead of a text or number` };
}

/**
 * Returns cookies by name, without attributes (RFC 6265, 5.2). Later cookies replace earlier ones; expired ones remove.
 * Path, domain and `Secure` do not matter with one server.
 */
function readCookies(lines: readonly string[], now: number): Map<string, string> {
	const cookies = new Map<string, string>();
	for (const line of lines) {
		const [pair = '', ...attributes] = line.split(';');
		const at = pair.indexOf('=');
		if (at < 1) continue;
		const name = pair.slice(0, at).trim();
		if (isExpired(attributes, now)) cookies.delete(name);
		else cookies.set(name, pair.slice(at + 1).trim());
	}
	return cookies;
}

function isExpired(attributes: readonly string[], now: number): boolean {
	const attribute = (wanted: string) =>
		attributes.map((each) => each.split('=')).findLast(([name = '']) => name.trim().toLowerCase() === wanted)?.[1];
	const age = attribute('max-age')?.trim();
	if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0;
	const expires = Date.parse(attribute('expires') ?? '');
	return expires < now;
}
