/** What most answers begin with, or have for a body: read once, then only compared. */

/** Bytes that were understood, and what they mean. The same bytes mean the same. */
export class Usual<Meaning> {
	#bytes = Buffer.alloc(0);
	#meaning: Meaning | undefined;
	#missed = 0;

	/** Returns what the `length` bytes from `start` mean when they are the usual ones. */
	of(bytes: Buffer, start: number, length: number): Meaning | undefined {
		return length === this.#bytes.length ? this.startOf(bytes, start, start + length) : undefined;
	}

	/** Returns what the usual bytes mean when `bytes` from `start` on begin with them. */
	startOf(bytes: Buffer, start: number, end: number): Meaning | undefined {
		const { length } = this.#bytes;
		if (length === 0 || end - start < length) return undefined;
		if (this.#bytes.compare(bytes, start, start + length) !== 0) return undefined;
		this.#missed = 0;
		return this.#meaning;
	}

	/** Length in bytes. */
	get length(): number {
		return this.#bytes.length;
	}

	/**
	 * Told of each that was not usual. Where that is each time, copying them all would cost more than reading them: the 1st, 2nd,
	 * 4th, 8th … in a row is taken for usual, and every 1,024th.
	 */
	learn(bytes: Buffer, start: number, end: number, meaning: Meaning): void {
		const missed = ++this.#missed;
		if ((missed & (missed - 1)) !== 0 && missed % 1024 !== 0) return;
		this.#bytes = Buffer.from(bytes.subarray(start, end));
		this.#meaning = meaning;
	}
}
