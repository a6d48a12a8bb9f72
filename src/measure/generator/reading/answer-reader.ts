/**
 * Incremental parser of a connection's answers (RFC 9112). It refuses the same input as Node's, to read answers alike
 * before and under load. It buffers at most one line.
 */

import type { HeadersOfStatus } from '../messages.ts';
import {
	AnswerFault,
	checkTrailer,
	type Head,
	HeadLines,
	mayStart,
	NO_STATUS_LINE,
	type Wanted,
	type WantedHeaders,
} from './answer-head.ts';
import { LineKeeper } from './line-keeper.ts';
import { Usual } from './usual.ts';

/** The usual answer to a request. All connections of a client learn it together. */
export class UsualAnswer implements Expected {
	readonly method: string;
	readonly usualHead = new Usual<Head>();
	readonly usualBody = new Usual<string>();
	readonly wanted: readonly Wanted[];
	readonly wantedOf: ReadonlyMap<number, readonly Wanted[]>;
	/** `names` and `values` are as in `Target`, `headersOf` as in `TurnOrder`. */
	constructor(
		method: string,
		names: readonly string[] = [],
		values: Readonly<Record<string, string>> = {},
		headersOf: HeadersOfStatus = {},
	) {
		this.method = method;
		this.wanted = names.map((name) => wantedOf(name, Object.hasOwn(values, name) ? values[name] : null));
		this.wantedOf = new Map(
			Object.entries(headersOf).map(([status, headers]) => [
				Number(status),
				Object.entries(headers).map(([name, value]) => wantedOf(name, value)),
			]),
		);
	}
}

const OF_HEX = Int8Array.from({ length: 256 }, (_, byte) => {
	const digit = Number.parseInt(String.fromCharCode(byte), 16);
	return Number.isNaN(digit) ? -1 : digit;
});

/** Chunk extensions without white space (RFC 9112, section 7.1.1). */
const EXTENSIONS =
	/^(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]*|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/;

export interface Expected extends WantedHeaders {
	readonly method: string;
	readonly usualHead: Usual<Head>;
}

export interface AnswerSink {
	/** Returns the request whose answer begins, or undefined if the answer is unsolicited. */
	expected(): Expected | undefined;
	/** `bytes` are valid until `read` returns. */
	onPiece(bytes: Buffer, start: number, end: number): void;
	/** `bytes` is the answer's size on the wire. */
	onAnswer(status: number, bytes: number, closes: boolean, head: Head): void;
}

const CR = 0x0d;
const LF = 0x0a;
const WITHOUT_BODY = [204, 304];
const SWITCHING = 101;

type State =
	| 'status-line'
	| 'header'
	| 'body'
	| 'until-close'
	| 'chunk-size'
	| 'chunk'
	| 'chunk-cr'
	| 'chunk-lf'
	| 'trailer'
	| 'closed';

const NOTHING: Buffer = Buffer.alloc(0);

export class AnswerReader {
	readonly #sink: AnswerSink;
	readonly #lines = new HeadLines();
	readonly #line = new LineKeeper();
	#state: State = 'status-line';
	#chunk = NOTHING;
	#at = 0;
	#end = 0;
	/** Start of the answer in `#chunk`. */
	#from = 0;
	/** Bytes of the answer that came before `#chunk`. */
	#earlier = 0;
	/** Start of the head if all of it is in `#chunk`, else −1. */
	#headFrom = -1;
	#expected: Expected | undefined;
	#head: Head | undefined;
	/** Bytes that remain of the body or chunk. */
	#left = 0;

	constructor(sink: AnswerSink) {
		this.#sink = sink;
	}

	/** Throws AnswerFault; the reader is then unusable. */
	read(chunk: Buffer, length: number): void {
		this.#chunk = chunk;
		this.#at = this.#from = 0;
		this.#end = length;
		this.#headFrom = -1;
		while (this.#at < length) this.#step();
		this.#earlier += length - this.#from;
	}

	/** Completes an answer whose body ends when the connection ends. */
	end(): void {
		if (this.#state !== 'until-close') return;
		this.#at = this.#from = 0;
		this.#finish();
	}

	#step(): void {
		switch (this.#state) {
			case 'status-line':
				this.#begin();
				break;
			case 'header':
				if (this.#takeLine()) this.#takeHeader();
				break;
			case 'body':
				if (this.#takePiece()) this.#finish();
				break;
			case 'until-close':
				this.#left = this.#end;
				this.#takePiece();
				break;
			case 'chunk-size':
				if (this.#takeLine()) this.#takeChunkSize();
				break;
			case 'chunk':
				if (this.#takePiece()) this.#state = 'chunk-cr';
				break;
			case 'chunk-cr':
				this.#takeByte(CR);
				this.#state = 'chunk-lf';
				break;
			case 'chunk-lf':
				this.#takeByte(LF);
				this.#line.reset();
				this.#state = 'chunk-size';
				break;
			case 'trailer':
				if (this.#takeLine()) this.#takeTrailer();
				break;
			case 'closed':
				if (!this.#skipLineEnd()) throw new AnswerFault('more data after its header "connection: close"');
		}
	}

	#begin(): void {
		if (!this.#line.isUnended) {
			if (this.#skipLineEnd()) return;
			this.#expected = this.#sink.expected();
			if (this.#expected === undefined) throw new AnswerFault('an answer without a request');
			const { usualHead } = this.#expected;
			const head = usualHead.startOf(this.#chunk, this.#at, this.#end);
			if (head !== undefined) {
				this.#at += usualHead.length;
				this.#enterBody(head);
				return;
			}
			this.#headFrom = this.#at;
		}
		if (!this.#takeLine()) return;
		this.#lines.start(this.#line.bytes, this.#line.start, this.#line.end, this.#expected);
		this.#state = 'header';
	}

	#takeHeader(): void {
		if (this.#line.end > this.#line.start) {
			this.#lines.add(this.#line.bytes, this.#line.start, this.#line.end);
			return;
		}
		const head = this.#lines.finish();
		if (head.status === SWITCHING) throw new AnswerFault('a switch of protocols (status 101)');
		if (head.status >= 100 && head.status < 200) {
			// After an informational head the answer follows, unless this head closes the connection.
			this.#state = head.closes ? 'closed' : 'status-line';
			return;
		}
		if (this.#headFrom >= 0) this.#expected?.usualHead.learn(this.#chunk, this.#headFrom, this.#at, head);
		this.#enterBody(head);
	}

	/** Some answers have no body, whatever their headers (RFC 9110, section 6.4.1). */
	#enterBody(head: Head): void {
		this.#head = head;
		this.#line.reset();
		if (this.#expected?.method === 'HEAD' || WITHOUT_BODY.includes(head.status)) this.#finish();
		else if (head.isChunked) this.#state = 'chunk-size';
		else if (head.length === null) this.#state = 'until-close';
		else if (head.length === 0) this.#finish();
		else {
			this.#left = head.length;
			this.#state = 'body';
		}
	}

	#takeChunkSize(): void {
		this.#left = readChunkSize(this.#line.bytes, this.#line.start, this.#line.end);
		this.#line.reset();
		this.#state = this.#left === 0 ? 'trailer' : 'chunk';
	}

	#takeTrailer(): void {
		if (this.#line.end > this.#line.start) checkTrailer(this.#line.bytes, this.#line.start, this.#line.end);
		else this.#finish();
	}

	#finish(): void {
		const head = this.#head as Head;
		const { status, closes } = head;
		const isLast = closes || this.#state === 'until-close';
		const bytes = this.#earlier + this.#at - this.#from;
		this.#earlier = 0;
		this.#from = this.#at;
		this.#line.reset();
		this.#state = isLast ? 'closed' : 'status-line';
		this.#sink.onAnswer(status, bytes, isLast, head);
	}

	#takePiece(): boolean {
		const start = this.#at;
		this.#at = Math.min(this.#end, start + this.#left);
		this.#left -= this.#at - start;
		this.#sink.onPiece(this.#chunk, start, this.#at);
		return this.#left === 0;
	}

	/** Returns false if the line is incomplete. Throws AnswerFault. */
	#takeLine(): boolean {
		const line = this.#line;
		this.#at = line.take(this.#chunk, this.#at, this.#end);
		// A server that does not speak HTTP may never end this line.
		if (this.#state === 'status-line' && !mayStart(line.bytes, line.start, line.end)) {
			throw new AnswerFault(NO_STATUS_LINE);
		}
		if (line.isUnended) return false;
		line.trimEnd();
		return true;
	}

	#takeByte(byte: number): void {
		if (this.#chunk[this.#at++] !== byte) throw new AnswerFault('a chunk that is longer than its size');
	}

	#skipLineEnd(): boolean {
		const byte = this.#chunk[this.#at];
		if (byte !== CR && byte !== LF) return false;
		this.#at++;
		this.#line.count(1);
		return true;
	}
}

function readChunkSize(bytes: Buffer, start: number, end: number): number {
	let size = 0;
	let at = start;
	for (; at < end; at++) {
		const digit = OF_HEX[bytes[at] as number] as number;
		if (digit < 0) break;
		size = 16 * size + digit;
		if (size > Number.MAX_SAFE_INTEGER) throw new AnswerFault('a chunk of more bytes than can be');
	}
	if (at === start) throw new AnswerFault('a chunk without a size');
	if (at < end && !EXTENSIONS.test(bytes.toString('latin1', at, end)))
		throw new AnswerFault('a chunk with a broken extension');
	return size;
}

function wantedOf(name: string, value: string | null = null): Wanted {
	return { name: Buffer.from(name), value: value === null ? null : Buffer.from(value, 'latin1') };
}
