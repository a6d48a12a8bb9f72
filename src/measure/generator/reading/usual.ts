/** Caches the meaning of usual bytes, because comparing is cheaper than parsing. */
export class Usual<Meaning> {
	#bytes = Buffer.alloc(0);
	#meaning: Meaning | undefined;
	#missed = 0;

	/** Returns the meaning of exactly the usual bytes. */
	of(bytes: Buffer, start: number, length: number): Meaning | undefined {
		return length === this.#bytes.length ? this.startOf(bytes, start, start + length) : undefined;
	}

	/** Returns the meaning if the bytes begin with the usual ones. */
	startOf(bytes: Buffer, start: number, end: number): Meaning | undefined {
		const { length } = this.#bytes;
		if (length === 0 || end - start < length) return undefined;
		if (this.#bytes.compare(bytes, start, start + length) !== 0) return undefined;
		this.#missed = 0;
		return this.#meaning;
	}

	get length(): number {
		return this.#bytes.length;
	}

	/**
	 * Learns from bytes that were not usual: the 1st, 2nd, 4th, 8th … in a row, and every 1,024th. Copying bytes that
	 * never repeat would cost more than parsing.
	 */
	learn(bytes: Buffer, start: number, end: number, meaning: Meaning): void {
		const missed = ++this.#missed;
		if ((missed & (missed - 1)) !== 0 && missed % 1024 !== 0) return;
		this.#bytes = Buffer.from(bytes.subarray(start, end));
		this.#meaning = meaning;
	}
}
