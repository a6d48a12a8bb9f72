/** The line that is being read, put together from its pieces. */
import { AnswerFault } from './answer-head.ts';

/** Most bytes of a head, with the informational ones before it, of trailers, and of the line of a chunk. */
export const MAX_HEAD = 80 * 1024;

const CR = 0x0d;
const LF = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

export class LineKeeper {
	/** The line as far as it has come, without its end: `bytes` from `start` to `end`. */
	bytes = NOTHING;
	start = 0;
	end = 0;
	/** A line whose end has not come. */
	#unended = NOTHING;
	/** Bytes since `reset`. */
	#size = 0;

	/** Whether there is a piece of a line. */
	get isUnended(): boolean {
		return this.#unended.length > 0;
	}

	/** Begins to count bytes anew. */
	reset(): void {
		this.#size = 0;
	}

	/**
	 * Takes from `chunk` what there is of the line from `at` on, at most up to `limit`, and returns where that ends. Throws
	 * AnswerFault when there have been too many bytes since `reset`.
	 */
	take(chunk: Buffer, at: number, limit: number): number {
		let found = at;
		while (found < limit && chunk[found] !== LF) found++;
		const ended = found < limit;
		const next = ended ? found + 1 : found;
		this.count(next - at);
		if (ended && this.#unended.length === 0) {
			this.bytes = chunk;
			this.start = at;
			this.end = found;
			return next;
		}
		this.#unended = Buffer.concat([this.#unended, chunk.subarray(at, next)]);
		this.bytes = this.#unended;
		this.start = 0;
		this.end = this.#unended.length - (ended ? 1 : 0);
		if (ended) this.#unended = NOTHING;
		return next;
	}

	/** Counts bytes that mean nothing. Throws AnswerFault as `take` does. */
	count(bytes: number): void {
		this.#size += bytes;
		if (this.#size > MAX_HEAD) throw new AnswerFault(`a head, or a line, of more than ${MAX_HEAD / 1024} KiB`);
	}

	/** Leaves the end of the line away; it was taken whole. Throws AnswerFault when it is not that of HTTP. */
	trimEnd(): void {
		if (this.end === this.start || this.bytes[this.end - 1] !== CR) {
			throw new AnswerFault('a line that ends without a carriage return');
		}
		this.end--;
	}
}
