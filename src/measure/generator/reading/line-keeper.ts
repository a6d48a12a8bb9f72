/** Assembles the current line from its pieces. */
import { AnswerFault } from './answer-head.ts';

/** Most bytes of a head with its informational heads, of trailers, or of a chunk's line. */
export const MAX_HEAD = 80 * 1024;

const CR = 0x0d;
const LF = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

export class LineKeeper {
	/** The line so far, without its end. */
	bytes = NOTHING;
	start = 0;
	end = 0;
	#unended = NOTHING;
	#size = 0;

	get isUnended(): boolean {
		return this.#unended.length > 0;
	}

	reset(): void {
		this.#size = 0;
	}

	/**
	 * Takes the line's bytes from `at` up to `limit`; returns their end. Throws AnswerFault after `MAX_HEAD` bytes
	 * since `reset`.
	 */
	take(chunk: Buffer, at: number, limit: number): number {
		let lineEnd = at;
		while (lineEnd < limit && chunk[lineEnd] !== LF) lineEnd++;
		const ended = lineEnd < limit;
		const next = ended ? lineEnd + 1 : lineEnd;
		this.count(next - at);
		if (ended && this.#unended.length === 0) {
			this.bytes = chunk;
			this.start = at;
			this.end = lineEnd;
			return next;
		}
		this.#unended = Buffer.concat([this.#unended, chunk.subarray(at, next)]);
		this.bytes = this.#unended;
		this.start = 0;
		this.end = this.#unended.length - (ended ? 1 : 0);
		if (ended) this.#unended = NOTHING;
		return next;
	}

	/** Counts ignored bytes. Throws like `take`. */
	count(bytes: number): void {
		this.#size += bytes;
		if (this.#size > MAX_HEAD) throw new AnswerFault(`a head, or a line, of more than ${MAX_HEAD / 1024} KiB`);
	}

	trimEnd(): void {
		if (this.end === this.start || this.bytes[this.end - 1] !== CR) {
			throw new AnswerFault('a line that ends without a carriage return');
		}
		this.end--;
	}
}
