import type { Raw } from '../../types/result.ts';
import type { Round, WindowSide } from '../../types/round.ts';
import {
	CLOSING_LIST,
	CLOSING_OBJECT,
	COMMA,
	endOfText,
	findExcess,
	OPENING_LIST,
	OPENING_OBJECT,
	QUOTE,
} from '../json-scan.ts';
import { packLatency, packPlain, packRound } from './packed-histogram.ts';
import { parseRaw } from './raw-file.ts';
import { findCountExcess, findTurnExcess, RAW_LIMITS } from './raw-limits.ts';
import { validate as isRaw } from './raw-validator.ts';
import { validate as isRound } from './round-validator.ts';

/**
 * Like `parseRaw`, but with packed latencies and one round in memory at a time: a 5 MB file takes 40 MB. Irregular text
 * is parsed whole, for identical error messages.
 */
export function parsePackedRaw(text: string, where: string, version: string): Raw {
	return tryRounds(text) ?? packLatency(parseRaw(text, where, version));
}

function tryRounds(text: string): Raw | null {
	if (findExcess(text, RAW_LIMITS) !== null) return null;
	const split = splitRounds(text);
	if (split === null || split.rounds.length > RAW_LIMITS.rounds) return null;
	try {
		const rawFrame: unknown = JSON.parse(split.rest);
		if (!isRaw(rawFrame) || rawFrame.rounds.length > 0) return null;
		const rounds: Round[] = [];
		for (const part of split.rounds) {
			const round = readRound(part);
			if (round === null) return null;
			rounds.push(round);
		}
		const raw = { ...rawFrame, rounds };
		return findCountExcess(raw) === null ? raw : null;
	} catch {
		return null;
	}
}

/** Null for a round that is invalid or exceeds the limits. Throws for invalid JSON. */
function readRound(text: string): Round | null {
	const lifted = liftLatency(text);
	const round: unknown = JSON.parse(lifted?.rest ?? text);
	// Counting entries would unpack the histograms; `liftLatency` has already checked their limit.
	if (!isRound(round) || findTurnExcess(round.cells) !== null) return null;
	return lifted === null ? packRound(round) : packRound(round, (side) => placeOf(side, lifted));
}

function placeOf({ latency: [entry] }: WindowSide, { latencies }: LiftedText): Uint8Array {
	return latencies[entry?.[0] ?? -1] ?? new Uint8Array();
}

const BLANK: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

const AGAIN = /"rounds"|\\u/;

/** The parts are valid JSON if the text is. */
interface SplitText {
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

/** The index of the bracket that opens `rounds` of the outermost object. */
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

/** The index after the object at `start`; null if missing or unclosed. */
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

const NAME = 'latency';
const KEY = `"${NAME}":`;
const [ZERO, NINE] = [0x30, 0x39];

interface LiftedText {
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

/** The index after a number's digits; null without digits, or with a leading zero. */
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
