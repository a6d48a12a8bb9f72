/** Keeps latency histograms of raw data in a twentieth of the memory. */
import type { Raw } from '../../types/result.ts';
import type { Round, Window, WindowSide } from '../../types/round.ts';
import { type PackedHistogram, packHistogram, unpackHistogram } from './packed-histogram.ts';

/** Returns the packed histogram of a side. */
type PackSide = (side: WindowSide) => PackedHistogram;

/**
 * Returns the same raw data in a twentieth of the memory: each histogram lies in some bytes, and is made again each time somebody
 * reads `latency`. Histograms are nearly all of a raw file, and a list of pairs takes 72 bytes an entry; from one entry to the next
 * values grow little, and most counts are small, so that three bytes do.
 */
export function packLatency(raw: Raw): Raw {
	return { ...raw, rounds: raw.rounds.map((round) => packRound(round)) };
}

/** Returns the same of one round; `pack` takes what a side has for its histogram. */
export function packRound(round: Round, pack: PackSide = ({ latency }) => packHistogram(latency)): Round {
	const ofWindow = (window: Window) => ({
		...window,
		base: packSide(window.base, pack),
		head: packSide(window.head, pack),
	});
	return { ...round, cells: round.cells.map((turn) => ({ ...turn, windows: turn.windows.map(ofWindow) })) };
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
