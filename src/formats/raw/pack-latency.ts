/** Keeps latency histograms of raw data in an eighth of the memory. */
import type { Raw } from '../../types/result.ts';
import type { LatencyHistogram, Round, Window, WindowSide } from '../../types/round.ts';

/** One more than the largest number that an entry of 32 bits holds. */
const END_OF_32_BITS = 2 ** 32;

/**
 * Returns the same raw data in an eighth of the memory: each histogram lies in a typed array, and is made again each time somebody
 * reads `latency`. Histograms are nearly all of a raw file, and a list of pairs takes 72 bytes an entry.
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

/** Value and count in turn. Counts of a scripted laboratory need not be whole. */
function pack(histogram: LatencyHistogram): Uint32Array | Float64Array {
	const isSmall = (number: number) => Number.isInteger(number) && number >= 0 && number < END_OF_32_BITS;
	const fits = histogram.every(([value, count]) => isSmall(value) && isSmall(count));
	const packed = fits ? new Uint32Array(2 * histogram.length) : new Float64Array(2 * histogram.length);
	for (const [index, [value, count]] of histogram.entries()) {
		packed[2 * index] = value;
		packed[2 * index + 1] = count;
	}
	return packed;
}

function unpack(packed: Uint32Array | Float64Array): LatencyHistogram {
	const histogram: (readonly [number, number])[] = [];
	for (let at = 0; at < packed.length; at += 2) histogram.push([packed[at] as number, packed[at + 1] as number]);
	return histogram;
}
