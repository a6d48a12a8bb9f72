import { isExactNumber, rawJson } from '../../text/numbers.ts';

export interface Answer {
	readonly status: number;
	/** Values by lower-case name; repeated headers are joined with `, `. */
	readonly headers: Readonly<Record<string, string>>;
	/** Decompressed; Latin-1 if not UTF-8, to keep bodies distinct. */
	readonly body: string;
	/** Length after decompression. */
	readonly bytes: number;
	/** Length as received. */
	readonly wireBytes?: number;
	/** Lower-case names of headers on several lines. */
	readonly repeated?: readonly string[];
	readonly cookies?: readonly string[];
}

/** Deeper documents are compared as text: walking them could exhaust the stack. */
const MAX_DEPTH = 500;
const SHOWN_CHARACTERS = 200;

/** Only such numbers can exceed the precision of a number. */
const MAY_BE_BIG = /\d{16}/;
/** Longer integers take too long to parse exactly. */
const MOST_DIGITS = 1_000;

/** Returns parsed JSON as `{ value }`, with big integers as bigints; null if it is invalid or too deep. */
export function parseDocument(text: string): { value: unknown } | null {
	if (isTooDeep(text)) return null;
	try {
		return { value: MAY_BE_BIG.test(text) ? JSON.parse(text, keepBig) : JSON.parse(text) };
	} catch {
		return null;
	}
}

function keepBig(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	const source = context?.source;
	if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
	if (!/^-?\d+$/.test(source) || source.length > MOST_DIGITS || isExactNumber(source)) return value;
	return BigInt(source);
}

/** Brackets in strings count too. Such documents are compared as text. */
function isTooDeep(text: string): boolean {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
		if (depth > MAX_DEPTH) return true;
	}
	return false;
}

/** Returns `value` as JSON, cut at 200 characters; `nothing` if undefined. */
export function show(value: unknown): string {
	return cut(value === undefined ? 'nothing' : writeJson(value));
}

export function writeJson(value: unknown): string {
	return JSON.stringify(value, writeBig);
}

function writeBig(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? rawJson(String(value)) : value;
}

export function cut(text: string): string {
	return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`;
}

/** Returns the JSON path of a child: `$.name`, `$["odd name"]`, `$[0]`. */
export function childPath(path: string, key: string | number): string {
	if (typeof key === 'number') return `${path}[${key}]`;
	return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
