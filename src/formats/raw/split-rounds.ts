/** Splits a raw file's text into rounds, to parse them one by one. */
import { CLOSING_LIST, CLOSING_OBJECT, COMMA, endOfText, OPENING_LIST, OPENING_OBJECT, QUOTE } from '../json-scan.ts';

/** Space, tab, line feed, carriage return. */
const BLANK: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

const AGAIN = /"rounds"|\\u/;

/** The parts are valid JSON if the text is. */
export interface SplitText {
	/** The text with an empty list of rounds. */
	readonly rest: string;
	readonly rounds: readonly string[];
}

/**
 * Returns a raw file's text without its rounds, and the text of each round. Null for irregular text, which the caller
 * parses as a whole to report errors.
 */
export function splitRounds(text: string): SplitText | null {
	const start = findRounds(text);
	if (start === null) return null;
	const rounds: string[] = [];
	let at = skipBlank(text, start + 1);
	if (text.charCodeAt(at) === CLOSING_LIST) return null;
	for (;;) {
		const end = endOfObject(text, at);
		if (end === null) return null;
		rounds.push(text.slice(at, end));
		at = skipBlank(text, end);
		if (text.charCodeAt(at) === CLOSING_LIST) break;
		if (text.charCodeAt(at) !== COMMA) return null;
		at = skipBlank(text, at + 1);
	}
	const tail = text.slice(at);
	// A second `rounds` key, possibly escaped, would override the first.
	return AGAIN.test(tail) ? null : { rest: `${text.slice(0, start + 1)}${tail}`, rounds };
}

/** Returns the index of the bracket that opens `rounds` of the outermost object. */
function findRounds(text: string): number | null {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			const end = endOfText(text, at);
			if (depth === 1 && text.startsWith('"rounds"', at)) {
				const [, gap = null] = /^(\s*:\s*)\[/.exec(text.slice(end + 1, end + 21)) ?? [];
				return gap === null ? null : end + 1 + gap.length;
			}
			at = end;
		} else if (code === OPENING_LIST || code === OPENING_OBJECT) depth++;
		else if (code === CLOSING_LIST || code === CLOSING_OBJECT) depth--;
	}
	return null;
}

/** Returns the index after the object at `start`; null if missing or unclosed. */
function endOfObject(text: string, start: number): number | null {
	if (text.charCodeAt(start) !== OPENING_OBJECT) return null;
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfText(text, at);
		else if (code === OPENING_LIST || code === OPENING_OBJECT) depth++;
		else if (code === CLOSING_LIST || code === CLOSING_OBJECT) {
			depth--;
			if (depth === 0) return at + 1;
		}
	}
	return null;
}

function skipBlank(text: string, start: number): number {
	let at = start;
	while (BLANK.includes(text.charCodeAt(at))) at++;
	return at;
}
