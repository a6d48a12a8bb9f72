/** Assembles the body of the current answer. */
import { isAscii } from 'node:buffer';
import type { Usual } from './usual.ts';

/** Longest text kept, in UTF-16 units. */
export const MAX_BODY = 262_144;
/** Most bytes kept, because UTF-8 needs at most three per UTF-16 unit. */
export const MAX_BYTES = 3 * MAX_BODY;
const FIRST_BYTES = 4_096;
/** Most bytes a connection holds between bodies. */
const HELD_BYTES = 262_144;

/** Valid until the next body. */
export interface Body {
	/** Characters of the whole text. */
	readonly length: number;
	/** Decoded from UTF-8; cut off after 786,432 bytes. */
	readonly text: string;
	readonly bytes: number;
	/** The bytes of `text`. */
	readonly latin1: string;
}

const NOTHING: Buffer = Buffer.alloc(0);

export class BodyKeeper implements Body {
	#own = NOTHING;
	/** Kept bytes, in `#own` or borrowed from the read buffer. */
	#bytes = NOTHING;
	#start = 0;
	#end = 0;
	/** Characters and bytes beyond those kept. */
	#beyond = 0;
	#bytesBeyond = 0;
	#usual: Usual<string> | undefined;
	#text: string | undefined = '';

	/** `usual` caches the likely body. */
	begin(usual: Usual<string> | undefined): void {
		this.#bytes = NOTHING;
		this.#start = this.#end = this.#beyond = this.#bytesBeyond = 0;
		this.#usual = usual;
		this.#text = '';
	}

	/** Adds bytes, which stay borrowed until `settle`. */
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

	/** Copies borrowed bytes before they are overwritten. */
	settle(): void {
		if (this.#end > this.#start && this.#bytes !== this.#own) this.#append(NOTHING, 0, 0);
	}

	/** Drops the body, and a large buffer. */
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
		const usualText = this.#usual?.of(bytes, start, end - start);
		if (usualText !== undefined) return usualText;
		const text = bytes.toString('utf8', start, end);
		this.#usual?.learn(bytes, start, end, text);
		return text;
	}

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

/** Counts the UTF-16 units of UTF-8, cut anywhere: continuation bytes count 0, four-byte characters 2. */
function countCharacters(bytes: Buffer): number {
	if (isAscii(bytes)) return bytes.length;
	let count = 0;
	for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
	return count;
}
