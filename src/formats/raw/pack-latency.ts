/** Keeps latency histograms of raw data in a twentieth of the memory. */
import type { Raw } from '../../types/result.ts';
import type { LatencyHistogram, Round, Window, WindowSide } from '../../types/round.ts';

/** One more than the largest number that an entry of 32 bits holds. */
const END_OF_32_BITS = 2 ** 32;

/**
 * Returns the same raw data in a twentieth of the memory: each histogram lies in some bytes, and is made again each time somebody
 * reads `latency`. Histograms are nearly all of a raw file, and a list of pairs takes 72 bytes an entry; from one entry to the next
 * values grow little, and most counts are small, so that three bytes do.
 */
export function packLatency(raw: Raw): Raw {
	return { ...raw, rounds: raw.rounds.map(packRound) };
}

/** Returns the same of one round. */
export function packRound(round: Round): Round {
	return { ...round, cells: round.cells.map((turn) => ({ ...turn, windows: turn.windows.map(packWindow) })) };
}

function packWindow(window: Window): Window {
	return { ...window, base: packSide(window.base), head: packSide(window.head) };
}

function packSide(side: WindowSide | null): WindowSide | null {
	if (side === null) return null;
	const packed = pack(side.latency);
	return {
		...side,
		get latency() {
			return unpack(packed);
		},
	};
}

/** Returns the entries as bytes where they are whole, ascending and of 32 bits; counts of a scripted laboratory need not be whole. */
function pack(histogram: LatencyHistogram): Uint8Array | Float64Array {
	if (!isPlain(histogram)) return Float64Array.from(histogram.flat());
	const packed = new Uint8Array(histogram.length * MOST_BYTES);
	let length = 0;
	const write = (number: number) => {
		let left = number;
		// Seven bits a byte, lowest first; the eighth says that more follow.
		for (; left > LOW; left >>>= 7) packed[length++] = (left & LOW) | MORE;
		packed[length++] = left;
	};
	let before = 0;
	for (const [value, count] of histogram) {
		write(value - before);
		write(count);
		before = value;
	}
	return packed.slice(0, length);
}

const LOW = 0x7f;
const MORE = 0x80;
/** Of one entry: two numbers of 32 bits. */
const MOST_BYTES = 10;

function isPlain(histogram: LatencyHistogram): boolean {
	const isSmall = (number: number) => Number.isInteger(number) && number >= 0 && number < END_OF_32_BITS;
	let before = 0;
	for (const [value, count] of histogram) {
		if (!isSmall(value) || !isSmall(count) || value < before) return false;
		before = value;
	}
	return true;
}

function unpack(packed: Uint8Array | Float64Array): LatencyHistogram {
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
	let value = 0;
	while (at < packed.length) {
		value += read();
		histogram.push([value, read()]);
	}
	return histogram;
}
