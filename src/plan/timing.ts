import type { Design } from '../types/config.ts';
import type { Cell, Timing } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';

/** Starting, waiting for and stopping the two processes of one server. */
const PAIR_OVERHEAD_SECONDS = 0.7;

const DUET: Timing = {
	firstWarmupSeconds: 1,
	warmupSeconds: 0.5,
	settleSeconds: 0.1,
	windowSeconds: 0.5,
	windows: 3,
	soloSeconds: 0.5,
	soloRounds: 4,
};

/**
 * Returns how long each part of a round of `design` lasts. Windows that load one side alone are longer, because neighbours
 * in time share less noise than windows that are the same time; they are solo windows themselves and need no others.
 */
export function timingFor(design: Design): Timing {
	return design === 'duet' ? DUET : { ...DUET, windowSeconds: 1, soloRounds: 0 };
}

/** Returns the wall time that `rounds` rounds of all `cells` take, start-up included. */
export function estimateSeconds(cells: readonly Cell[], rounds: number, design: Design, timing: Timing): Seconds {
	const servers = new Set(cells.map((cell) => cell.server)).size;
	const pairs = servers * (PAIR_OVERHEAD_SECONDS + timing.firstWarmupSeconds - timing.warmupSeconds);
	const turns = cells.length * (timing.warmupSeconds + windowsSeconds(design, timing));
	const solos = cells.length * 2 * (timing.settleSeconds + timing.soloSeconds);
	return rounds * (pairs + turns) + Math.min(rounds, timing.soloRounds) * solos;
}

/** A duet counts both sides at once and changes no hands; the other designs count each side alone after settling. */
function windowsSeconds(design: Design, { windows, windowSeconds, settleSeconds }: Timing): Seconds {
	return design === 'duet' ? windows * windowSeconds : 2 * windows * (settleSeconds + windowSeconds);
}
