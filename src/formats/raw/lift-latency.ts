/** Extracts histograms from a round's text before it is parsed, because they are most of it. */
import { CLOSING_LIST, COMMA, OPENING_LIST } from '../json-scan.ts';
import { packPlain } from './packed-histogram.ts';
import { RAW_LIMITS } from './raw-limits.ts';

const NAME = 'latency';
const KEY = `"${NAME}":`;
const [ZERO, NINE] = [0x30, 0x39];

export interface LiftedText {
	/** JSON in which a single-entry histogram replaces each one. Its value is the index into `latencies`. */
	readonly rest: string;
	readonly latencies: readonly Uint8Array[];
}

/**
 * Returns a round's text, and its histograms separately and packed; null for irregular text, which must be parsed
 * directly. Parsing the pairs would take megabytes per round.
 */
export function liftLatency(text: string): LiftedText | null {
	// benchgate never escapes the key.
	if (text.includes('\\')) return null;
	const parts: string[] = [];
	const latencies: Uint8Array[] = [];
	let from = 0;
	for (let key = text.indexOf(KEY); key >= 0; key = text.indexOf(KEY, from)) {
		const opening = key + KEY.length;
		const numbers: number[] = [];
		const end = readEntries(text, opening, numbers);
		const packed = end === null ? null : packPlain(numbers);
		if (end === null || packed === null) return null;
		parts.push(text.slice(from, opening), `[[${latencies.length},0]]`);
		latencies.push(packed);
		from = end;
	}
	const bareText = parts.join('') + text.slice(from);
	// A histogram left in place would be mistaken for an index.
	return bareText.split(NAME).length - 1 === latencies.length ? { rest: bareText, latencies } : null;
}

/**
 * Appends a list's pairs of integers to `numbers`. Returns the index after the list; null unless it is in benchgate's
 * own notation.
 */
function readEntries(text: string, opening: number, numbers: number[]): number | null {
	if (text.charCodeAt(opening) !== OPENING_LIST) return null;
	if (text.charCodeAt(opening + 1) === CLOSING_LIST) return opening + 2;
	let at = opening + 1;
	while (numbers.length < 2 * RAW_LIMITS.latency) {
		if (text.charCodeAt(at) !== OPENING_LIST) return null;
		const comma = readNumber(text, at + 1, numbers);
		if (comma === null || text.charCodeAt(comma) !== COMMA) return null;
		const closing = readNumber(text, comma + 1, numbers);
		if (closing === null || text.charCodeAt(closing) !== CLOSING_LIST) return null;
		const next = text.charCodeAt(closing + 1);
		at = closing + 2;
		if (next === CLOSING_LIST) return at;
		if (next !== COMMA) return null;
	}
	return null;
}

/** Returns the index after a number's digits; null without digits, or with a leading zero. */
function readNumber(text: string, start: number, numbers: number[]): number | null {
	let at = start;
	let number = 0;
	for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(++at)) {
		number = 10 * number + (code - ZERO);
	}
	if (at === start || (text.charCodeAt(start) === ZERO && at > start + 1)) return null;
	numbers.push(number);
	return at;
}
