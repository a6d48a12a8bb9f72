import type { Raw } from '../../types/result.ts';
import type { Round, Window, WindowSide } from '../../types/round.ts';
import { type PackedHistogram, packHistogram, unpackHistogram } from './packed-histogram.ts';

type PackSide = (side: WindowSide) => PackedHistogram;

/**
 * Returns raw data in a twentieth of the memory: each `latency` is a getter that unpacks its histogram from bytes. A
 * pair in a list takes 72 bytes; small differences and counts fit in three.
 */
export function packLatency(raw: Raw): Raw {
	return { ...raw, rounds: raw.rounds.map((round) => packRound(round)) };
}

/** Packs one round; `pack` returns a side's packed histogram. */
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
