import { PUBLICATION_LIMITS } from './publication/publication-schema.ts';

/** Character codes and string ends, for scanning hostile JSON before parsing. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPENING_LIST = 0x5b;
export const CLOSING_LIST = 0x5d;
export const OPENING_OBJECT = 0x7b;
export const CLOSING_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

/** Returns the index of the quote that closes the string at `start`; the text's length if none. */
export function endOfText(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === BACKSLASH) at++;
		else if (code === QUOTE) return at;
	}
	return text.length;
}

interface TextLimits {
	readonly bytes: number;
	readonly depth: number;
	readonly values: number;
}

/**
 * Returns why a text is unsafe to parse (too long, too deep, too many values), or null. One scan in constant memory: a
 * small file can make a JSON parser allocate gigabytes.
 */
export function findExcess(text: string, limits: TextLimits = PUBLICATION_LIMITS): string | null {
	const { bytes, depth: mostDepth, values: mostValues } = limits;
	if (isLonger(text, bytes)) return `it has more than ${bytes} bytes`;
	let depth = 0;
	let values = 1;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfText(text, at);
		else if (code === COMMA) values++;
		else if (code === OPENING_LIST || code === OPENING_OBJECT) depth++;
		else if (code === CLOSING_LIST || code === CLOSING_OBJECT) depth--;
		if (depth > mostDepth) return `it nests more than ${mostDepth} lists and objects`;
		if (values > mostValues) return `it has more than ${mostValues} values`;
	}
	return null;
}

/** Counts UTF-8 without encoding: a character has up to three bytes, a surrogate pair four. */
function isLonger(text: string, limit: number): boolean {
	if (text.length > limit || 3 * text.length <= limit) return text.length > limit;
	let bytes = text.length;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const isSurrogate = code >= 0xd800 && code <= 0xdfff;
		if (code > 0x7f) bytes += code > 0x7ff && !isSurrogate ? 2 : 1;
	}
	return bytes > limit;
}

/** A part of a value that no publication contains. */
interface Oddity {
	readonly path: string;
	readonly what: string;
}

/**
 * Returns the first number larger than any benchmark's (JSON has no NaN, but `1e999` parses to infinity) or key
 * `__proto__`; null without any. It recurses, so the depth must be limited.
 */
export function findOddity(value: unknown, path = ''): Oddity | null {
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) return { path, what: 'is not a finite number' };
		if (Math.abs(value) > PUBLICATION_LIMITS.magnitude) return { path, what: 'is a number no benchmark measures' };
	}
	if (typeof value !== 'object' || value === null) return null;
	for (const [key, part] of Object.entries(value)) {
		if (key === '__proto__') return { path, what: 'has a key that benchgate never writes' };
		const oddity = findOddity(part, `${path}/${key}`);
		if (oddity) return oddity;
	}
	return null;
}
