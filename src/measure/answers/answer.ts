import { isExactNumber, rawJson } from '../../text/numbers.ts';

/** What came back for one request. */
export interface Answer {
	readonly status: number;
	/** Lower-case name to value; repeated headers joined with `, `. */
	readonly headers: Readonly<Record<string, string>>;
	/** Body after decompression. Bytes that are not UTF-8 stand as Latin-1, so that different bodies stay different. */
	readonly body: string;
	/** Length of the body after decompression. */
	readonly bytes: number;
	/** Length of the body as it came. */
	readonly wireBytes?: number;
	/** Names of headers that came on several lines, in lower case. */
	readonly repeated?: readonly string[];
	/** Values of `set-cookie`, one per line of the header; absent without any. */
	readonly cookies?: readonly string[];
}

/** Deeper documents are compared as text: walking them could exhaust the stack. */
const MAX_DEPTH = 500;
const SHOWN_CHARACTERS = 200;

/** Only texts with this many digits in a row can hold an integer beyond the precision of a number. */
const MAY_BE_BIG = /\d{16}/;
/** Longest integer parsed exactly; longer ones would take too long. */
const MOST_DIGITS = 1_000;

/**
 * Returns the document `text` holds as `{ value }`, or null when it is not JSON (or nested absurdly deep). An integer beyond the precision
 * of a number becomes a bigint.
 */
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

/** Brackets inside strings count too: an honest document with that many of them is merely compared as text. */
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

/** Returns `value` as JSON for a message, cut at 200 characters; `nothing` when undefined. */
export function show(value: unknown): string {
	return cut(value === undefined ? 'nothing' : writeJson(value));
}

/** Returns a value of `parseDocument` as JSON, a bigint by its digits. */
export function writeJson(value: unknown): string {
	return JSON.stringify(value, writeBig);
}

function writeBig(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? rawJson(String(value)) : value;
}

/** Returns `text`, its end replaced by `…` when it is longer than 200 characters. */
export function cut(text: string): string {
	return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`;
}

/** Returns the JSON path of a child: `$.name`, `$["odd name"]`, `$[0]`. */
export function childPath(path: string, key: string | number): string {
	if (typeof key === 'number') return `${path}[${key}]`;
	return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** Whether `value` is a JSON object, not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
