/** A latency histogram in a few bytes per entry. */

import type { Raw } from '../../types/result.ts';
import type { CellRound, LatencyHistogram, Round, Window, WindowSide } from '../../types/round.ts';

const END_OF_32_BITS = 2 ** 32;
const LOW = 0x7f;
const MORE = 0x80;
/** Most bytes of an entry: it has two 32-bit numbers. */
const MOST_BYTES = 10;

/**
 * Bytes for ascending values and 32-bit integers: each value's difference from the previous one, then its count, as
 * varints (seven bits a byte, lowest first). Else plain numbers: a scripted laboratory may count fractions.
 */
export type PackedHistogram = Uint8Array | Float64Array;

function packHistogram(histogram: LatencyHistogram): PackedHistogram {
	const numbers = histogram.flat();
	return packPlain(numbers) ?? Float64Array.from(numbers);
}

/** Packs alternating values and counts into bytes; returns null if they do not fit. */
export function packPlain(numbers: readonly number[]): Uint8Array | null {
	const packed = new Uint8Array((numbers.length / 2) * MOST_BYTES);
	let length = 0;
	const write = (number: number) => {
		let bits = number;
		// The eighth bit marks a continuation.
		for (; bits > LOW; bits >>>= 7) packed[length++] = (bits & LOW) | MORE;
		packed[length++] = bits;
	};
	let before = 0;
	for (let at = 0; at < numbers.length; at += 2) {
		const [value, count] = [numbers[at] as number, numbers[at + 1] as number];
		if (!isSmall(value) || !isSmall(count) || value < before) return null;
		write(value - before);
		write(count);
		before = value;
	}
	return packed.slice(0, length);
}

function isSmall(number: number): boolean {
	return Number.isInteger(number) && number >= 0 && number < END_OF_32_BITS;
}

function unpackHistogram(packed: PackedHistogram): LatencyHistogram {
	const histogram: (readonly [number, number])[] = [];
	if (packed instanceof Float64Array) {
		for (let at = 0; at < packed.length; at += 2) histogram.push([packed[at] as number, packed[at + 1] as number]);
		return histogram;
	}
	let at = 0;
	const read = () => {
		let number = 0;
		let shift = 0;
		for (; (packed[at] as number) & MORE; shift += 7) number |= ((packed[at++] as number) & LOW) << shift;
		return (number | ((packed[at++] as number) << shift)) >>> 0;
	};
	for (let value = 0; at < packed.length; ) {
		value += read();
		histogram.push([value, read()]);
	}
	return histogram;
}

type PackSide = (side: WindowSide) => PackedHistogram;

/**
 * Returns raw data in a twentieth of the memory: each `latency` is a getter that unpacks its histogram from bytes. A
 * pair in a list takes 72 bytes; small differences and counts fit in three.
 */
export function packLatency(raw: Raw): Raw {
	return { ...raw, rounds: raw.rounds.map((round) => packRound(round)) };
}

/** Packs one round; `pack` returns a side's packed histogram. */
export function packRound(round: Round, pack?: PackSide): Round {
	return { ...round, cells: round.cells.map((turn) => packTurn(turn, pack)) };
}

export function packTurn(turn: CellRound, pack: PackSide = ({ latency }) => packHistogram(latency)): CellRound {
	const ofWindow = (window: Window) => ({
		...window,
		base: packSide(window.base, pack),
		head: packSide(window.head, pack),
	});
	return { ...turn, windows: turn.windows.map(ofWindow) };
}

function packSide(side: WindowSide | null, pack: PackSide): WindowSide | null {
	if (side === null) return null;
	const packed = pack(side);
	return {
		...side,
		get latency() {
			return unpackHistogram(packed);
		},
	};
}
