import { Usual } from './usual.ts';

/** The server's bytes are not a valid HTTP/1.1 answer. The message contains nothing of them. */
export class AnswerFault extends Error {
	constructor(what: string) {
		super(`the server sent what is not HTTP/1.1: ${what}`);
	}
}

/** Wanted headers that differ from those before load. Bit n is the n-th header. */
export interface Unlike {
	readonly missing: number;
	/** Present, but with another value. */
	readonly changed: number;
}

export interface Wanted {
	/** In lower case. */
	readonly name: Buffer;
	/** Null allows any value. */
	readonly value: Buffer | null;
}

export interface WantedHeaders {
	readonly wanted?: readonly Wanted[];
	/** Replaces `wanted` for answers with this status. */
	readonly wantedOf?: ReadonlyMap<number, readonly Wanted[]>;
}

export interface Head extends Unlike {
	readonly status: number;
	readonly isChunked: boolean;
	/** Body length; null if the body ends with the connection. Meaningless if chunked. */
	readonly length: number | null;
	readonly closes: boolean;
	/** Announced keep-alive timeout (s); infinite if not announced. */
	readonly keptSeconds: number;
}

/** Most wanted headers, because each is a bit of one number. */
export const MOST_NAMES = 30;
const NOTHING_WANTED: readonly Wanted[] = [];

const CR = 0x0d;
const COLON = 0x3a;
const TAB = 0x09;
const SPACE = 0x20;
const ZERO = 0x30;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const CASE_BIT = 0x20;
const START = Buffer.from('HTTP/1.');
/** Length of `HTTP/1.1 200`. */
const SHORTEST_START = 12;
const CONNECTION = Buffer.from('connection');
const KEEP_ALIVE = Buffer.from('keep-alive');
const PROXY_CONNECTION = Buffer.from('proxy-connection');
const CONTENT_LENGTH = Buffer.from('content-length');
const TRANSFER_ENCODING = Buffer.from('transfer-encoding');
export const NO_STATUS_LINE = 'no status line';

/** Bytes allowed in a header's name (RFC 9110, section 5.6.2) and value (section 5.5). */
const IN_NAME = tableOf((byte) => /[!#$%&'*+\-.^_`|~\w]/.test(String.fromCharCode(byte)) && byte < 0x80);
const IN_VALUE = tableOf((byte) => byte === TAB || (byte >= SPACE && byte !== 0x7f));

function tableOf(has: (byte: number) => boolean): Uint8Array {
	return Uint8Array.from({ length: 256 }, (_, byte) => (has(byte) ? 1 : 0));
}

export function mayStart(bytes: Buffer, start: number, end: number): boolean {
	for (let at = 0; at < START.length && start + at < end; at++) if (bytes[start + at] !== START[at]) return false;
	return true;
}

function checkHeader(bytes: Buffer, start: number, end: number): number {
	let at = start;
	while (at < end && IN_NAME[bytes[at] as number] === 1) at++;
	if (at === start || bytes[at] !== COLON || at === end) throw new AnswerFault('a line that is not a header');
	const colon = at;
	for (at++; at < end; at++) {
		if (IN_VALUE[bytes[at] as number] !== 1) throw new AnswerFault('a header with a control character');
	}
	return colon;
}

/** Throws AnswerFault if the line is not a valid trailer. Like Node, it refuses a second content-length. */
export function checkTrailer(bytes: Buffer, start: number, end: number): void {
	const length = checkHeader(bytes, start, end) - start;
	if (length === CONTENT_LENGTH.length && isName(bytes, start, CONTENT_LENGTH)) {
		throw new AnswerFault('a content-length after a chunked body');
	}
}

/** Parses a head line by line, as strictly as Node, where lenient parsers guess. */
export class HeadLines {
	#status = 0;
	#isOld = false;
	#length: number | null = null;
	#isEncoded = false;
	#isChunked = false;
	#saysClose = false;
	#saysKeepAlive = false;
	#keptSeconds = Number.POSITIVE_INFINITY;
	#wanted = NOTHING_WANTED;
	#missing = 0;
	#changed = 0;
	readonly #options = new Usual<{ readonly close: boolean; readonly keepAlive: boolean }>();

	/** Looks for at most `MOST_NAMES` wanted headers. Throws AnswerFault. */
	start(bytes: Buffer, start: number, end: number, { wanted = NOTHING_WANTED, wantedOf }: WantedHeaders = {}): void {
		const digit = (at: number) => (bytes[start + at] as number) - ZERO;
		const isSpace = (at: number) => bytes[start + at] === SPACE;
		const isRight =
			end - start >= SHORTEST_START &&
			mayStart(bytes, start, end) &&
			(digit(7) === 0 || digit(7) === 1) &&
			isSpace(8) &&
			isDigit(digit(9)) &&
			isDigit(digit(10)) &&
			isDigit(digit(11)) &&
			(end - start === SHORTEST_START || isSpace(SHORTEST_START));
		if (!isRight) throw new AnswerFault(NO_STATUS_LINE);
		for (let at = start + SHORTEST_START; at < end; at++) {
			if (bytes[at] === CR) throw new AnswerFault(NO_STATUS_LINE);
		}
		this.#status = 100 * digit(9) + 10 * digit(10) + digit(11);
		this.#isOld = digit(7) === 0;
		this.#length = null;
		this.#isEncoded = this.#isChunked = this.#saysClose = this.#saysKeepAlive = false;
		this.#keptSeconds = Number.POSITIVE_INFINITY;
		this.#wanted = wantedOf?.get(this.#status) ?? wanted;
		this.#missing = 2 ** this.#wanted.length - 1;
		this.#changed = 0;
	}

	add(bytes: Buffer, start: number, end: number): void {
		const colon = checkHeader(bytes, start, end);
		if (this.#missing !== 0) this.#tick(bytes, start, colon, end);
		// Only these headers matter, and few other names have these lengths.
		switch (colon - start) {
			case CONNECTION.length:
				if (isName(bytes, start, CONNECTION)) this.#takeOptions(bytes, colon + 1, end);
				else if (isName(bytes, start, KEEP_ALIVE)) this.#takeKept(bytes, colon + 1, end);
				return;
			case PROXY_CONNECTION.length:
				if (isName(bytes, start, PROXY_CONNECTION)) this.#takeOptions(bytes, colon + 1, end);
				return;
			case CONTENT_LENGTH.length:
				if (isName(bytes, start, CONTENT_LENGTH)) this.#takeLength(bytes, colon + 1, end);
				return;
			case TRANSFER_ENCODING.length:
				if (isName(bytes, start, TRANSFER_ENCODING)) this.#takeCodings(bytes, colon + 1, end);
		}
	}

	/** Throws AnswerFault if the head is ambiguous. */
	finish(): Head {
		if (this.#isEncoded && this.#length !== null) {
			throw new AnswerFault('an answer with both content-length and transfer-encoding');
		}
		return {
			status: this.#status,
			isChunked: this.#isChunked,
			length: this.#length,
			closes: this.#isOld ? !this.#saysKeepAlive : this.#saysClose,
			keptSeconds: this.#keptSeconds,
			missing: this.#missing,
			changed: this.#changed,
		};
	}

	#tick(bytes: Buffer, start: number, colon: number, end: number): void {
		for (let at = 0; at < this.#wanted.length; at++) {
			const { name, value } = this.#wanted[at] as Wanted;
			const bit = 1 << at;
			if (name.length !== colon - start || (this.#missing & bit) === 0 || !isName(bytes, start, name)) continue;
			this.#missing &= ~bit;
			if (value !== null && !isValue(bytes, colon + 1, end, value)) this.#changed |= bit;
		}
	}

	#takeOptions(bytes: Buffer, start: number, end: number): void {
		let says = this.#options.of(bytes, start, end - start);
		if (says === undefined) {
			const options = listOf(bytes, start, end);
			says = { close: options.includes('close'), keepAlive: options.includes('keep-alive') };
			this.#options.learn(bytes, start, end, says);
		}
		this.#saysClose ||= says.close;
		this.#saysKeepAlive ||= says.keepAlive;
	}

	/** Reads `timeout=5, max=100`. Only `timeout` is specified (RFC 2068, section 19.7.1.1). */
	#takeKept(bytes: Buffer, start: number, end: number): void {
		const [, seconds] = /(?:^|[\s,])timeout=(\d{1,9})\b/i.exec(bytes.toString('latin1', start, end)) ?? [];
		if (seconds !== undefined) this.#keptSeconds = Number(seconds);
	}

	#takeLength(bytes: Buffer, start: number, end: number): void {
		if (this.#length !== null) throw new AnswerFault('an answer with two headers content-length');
		let at = start;
		while (at < end && isBlank(bytes[at])) at++;
		const first = at;
		let length = 0;
		for (; at < end && isDigit((bytes[at] as number) - ZERO); at++) length = 10 * length + (bytes[at] as number) - ZERO;
		const hasDigits = at > first;
		while (at < end && isBlank(bytes[at])) at++;
		if (!hasDigits || at < end || length > Number.MAX_SAFE_INTEGER) {
			throw new AnswerFault('a content-length that is not a number of bytes');
		}
		this.#length = length;
	}

	#takeCodings(bytes: Buffer, start: number, end: number): void {
		const codings = listOf(bytes, start, end);
		if (codings.includes('')) throw new AnswerFault('an empty transfer-encoding');
		this.#isEncoded = true;
		this.#isChunked = codings.at(-1) === 'chunked';
	}
}

function isDigit(value: number): boolean {
	return value >= 0 && value <= 9;
}

function isBlank(byte: number | undefined): boolean {
	return byte === SPACE || byte === TAB;
}

/**
 * Compares with a lower-case name. Ignores the case of letters only, because `_` and `^` are legal in names (RFC 9110,
 * 5.6.2).
 */
function isName(bytes: Buffer, start: number, name: Buffer): boolean {
	for (let at = 0; at < name.length; at++) {
		const byte = bytes[start + at] as number;
		const isUpperCase = byte >= UPPER_A && byte <= UPPER_Z;
		if ((isUpperCase ? byte | CASE_BIT : byte) !== name[at]) return false;
	}
	return true;
}

function isValue(bytes: Buffer, start: number, end: number, value: Buffer): boolean {
	let [first, last] = [start, end];
	while (first < last && isBlank(bytes[first])) first++;
	while (last > first && isBlank(bytes[last - 1])) last--;
	if (last - first !== value.length) return false;
	// Faster than Buffer.compare for short values.
	for (let at = 0; at < value.length; at++) if (bytes[first + at] !== value[at]) return false;
	return true;
}

/** Trims HTTP white space only, because `String.trim` removes more. */
function listOf(bytes: Buffer, start: number, end: number): string[] {
	const trim = (value: string) => value.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
	return bytes.toString('latin1', start, end).toLowerCase().split(',').map(trim);
}
