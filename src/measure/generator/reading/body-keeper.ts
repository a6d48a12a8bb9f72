/** The body of the answer that is being read: put together from its pieces, never more of it than is looked at. */
import { isAscii } from 'node:buffer';
import type { Usual } from './usual.ts';

/** Longest text of a body that is kept, in characters (UTF-16 units). */
export const MAX_BODY = 262_144;
/** Bytes of a body that are kept: UTF-8 takes three at most for a UTF-16 unit. */
export const MAX_BYTES = 3 * MAX_BODY;
const FIRST_BYTES = 4_096;
/** Most bytes a connection holds on to between bodies. */
const HELD_BYTES = 262_144;

/** A body that was read; good until the next one. */
export interface Body {
	/** Characters of its text, all of them. */
	readonly length: number;
	/** Its text, from UTF-8; of one of more than 786,432 bytes the beginning. */
	readonly text: string;
	/** Its bytes, all of them. */
	readonly bytes: number;
	/** Its bytes as text, as far as `text` goes. */
	readonly latin1: string;
}

const NOTHING: Buffer = Buffer.alloc(0);

export class BodyKeeper implements Body {
	/** Bytes of ours, for a body that comes in pieces. */
	#own = NOTHING;
	/** Where the bytes are that are kept: in `#own`, or in what has just been read. */
	#bytes = NOTHING;
	#start = 0;
	#end = 0;
	/** Characters, and bytes, of what was not kept. */
	#beyond = 0;
	#bytesBeyond = 0;
	#usual: Usual<string> | undefined;
	#text: string | undefined = '';

	/** Begins a new body; `usual` knows what it is likely to be. */
	begin(usual: Usual<string> | undefined): void {
		this.#bytes = NOTHING;
		this.#start = this.#end = this.#beyond = this.#bytesBeyond = 0;
		this.#usual = usual;
		this.#text = '';
	}

	/** Adds the bytes of `chunk` from `start` to `end`. They may be borrowed until `settle`. */
	add(chunk: Buffer, start: number, end: number): void {
		this.#text = undefined;
		const fits = Math.min(end - start, MAX_BYTES - (this.#end - this.#start));
		if (this.#end === this.#start) {
			this.#bytes = chunk;
			this.#start = start;
			this.#end = start + fits;
		} else if (fits > 0) {
			this.#append(chunk, start, start + fits);
		}
		if (start + fits >= end) return;
		this.#beyond += countCharacters(chunk.subarray(start + fits, end));
		this.#bytesBeyond += end - start - fits;
	}

	/** What was borrowed is going to be overwritten. */
	settle(): void {
		if (this.#end > this.#start && this.#bytes !== this.#own) this.#append(NOTHING, 0, 0);
	}

	/** What was read is done with. */
	release(): void {
		this.begin(undefined);
		if (this.#own.length > HELD_BYTES) this.#own = NOTHING;
	}

	get text(): string {
		this.#text ??= this.#read();
		return this.#text;
	}

	get length(): number {
		return this.text.length + this.#beyond;
	}

	get bytes(): number {
		return this.#end - this.#start + this.#bytesBeyond;
	}

	get latin1(): string {
		return this.#bytes.toString('latin1', this.#start, this.#end);
	}

	#read(): string {
		const [bytes, start, end] = [this.#bytes, this.#start, this.#end];
		const known = this.#usual?.of(bytes, start, end - start);
		if (known !== undefined) return known;
		const text = bytes.toString('utf8', start, end);
		this.#usual?.learn(bytes, start, end, text);
		return text;
	}

	/** Moves what is borrowed to bytes of ours, and adds to it. */
	#append(chunk: Buffer, start: number, end: number): void {
		const kept = this.#end - this.#start;
		const needed = kept + end - start;
		const isBorrowed = this.#bytes !== this.#own;
		if (isBorrowed || needed > this.#own.length) {
			const room = Math.min(MAX_BYTES, Math.max(FIRST_BYTES, 2 * needed));
			const into = this.#own.length >= needed ? this.#own : Buffer.allocUnsafe(room);
			this.#bytes.copy(into, 0, this.#start, this.#end);
			this.#own = into;
			this.#bytes = into;
			this.#start = 0;
		}
		chunk.copy(this.#own, kept, start, end);
		this.#end = needed;
	}
}

/** UTF-16 units of text in UTF-8, wherever it was cut: continuation bytes count for nothing, four bytes for two. */
function countCharacters(bytes: Buffer): number {
	if (isAscii(bytes)) return bytes.length;
	let count = 0;
	for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
	return count;
}
