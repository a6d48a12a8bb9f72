/** How long the parts of a round are, and how long rounds take. */
import type { Config, Design } from '../types/config.ts';
import type { MetricName } from '../types/metric.ts';
import type { Cell, Timing, Warmup } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';

/** Starting, waiting for and stopping the two processes of one server. */
const PAIR_OVERHEAD_SECONDS = 0.7;
/** 100,000 answers of each side of a pair that shares a CPU; express takes 20 s, node:http 6. */
const FOOTPRINT_SECONDS = 10;
/** Three reloads of each side, of which 0.2 s each is the wait of `node --watch`. */
const HOT_RELOAD_SECONDS = 3;

const DUET: Timing = {
	// Measured with five servers on Node 24: after 12,000 to 13,000 requests a side the rate jumps up, and on a fast machine it
	// goes on rising until 30,000 to 40,000. Sides that differ get there at different times: with 15,000, express 4 to 5 came out
	// as +4.6 % instead of +1 (docs/measuring.md).
	firstWarmup: { requests: 40_000, leastSeconds: 1, mostSeconds: 4 },
	warmup: { requests: 5_000, leastSeconds: 0.5, mostSeconds: 1.5 },
	settleSeconds: 0.1,
	windowSeconds: 0.5,
	windows: 4,
	soloSeconds: 0.5,
	// They show levels and decide nothing. Each round of them costs 1.2 s a cell, and levels of one round spread by 7 % instead of
	// the 5 % of two (robust SD, 720 levels): too little a gain for half a minute of a matrix of 24 cells.
	soloRounds: 1,
};

/**
 * Returns how long each part of a round of `design` lasts. Windows that load one side alone are longer, because neighbours
 * in time share less noise than windows that are the same time; they are solo windows themselves and need no others.
 * `warmupSeconds` is exactly how long a fresh pair is warmed up, whatever it answers; its later cells never take longer.
 */
export function timingFor({ design, warmupSeconds }: Pick<Config, 'design' | 'warmupSeconds'>): Timing {
	const timing = design === 'duet' ? DUET : { ...DUET, windowSeconds: 1, windows: 3, soloRounds: 0 };
	if (warmupSeconds === undefined) return timing;
	const { requests, leastSeconds, mostSeconds } = timing.warmup;
	const atMost = (seconds: Seconds) => Math.min(seconds, warmupSeconds);
	return {
		...timing,
		firstWarmup: { ...timing.firstWarmup, leastSeconds: warmupSeconds, mostSeconds: warmupSeconds },
		warmup: { requests, leastSeconds: atMost(leastSeconds), mostSeconds: atMost(mostSeconds) },
	};
}

/** Returns the wall time that `rounds` rounds of all `cells` take, start-up included. */
export function estimateSeconds(cells: readonly Cell[], rounds: number, design: Design, timing: Timing): Seconds {
	const loaded = cells.filter(({ metrics }) => metrics === undefined);
	const servers = new Set(loaded.map((cell) => cell.server)).size;
	const bare = cells.reduce((sum, { metrics }) => sum + (metrics === undefined ? 0 : rounds * bareSeconds(metrics)), 0);
	return servers * pairSeconds(rounds, timing) + loaded.length * cellSeconds(rounds, design, timing) + bare;
}

/** Returns the wall time of one round of a cell that measures a fresh pair and no windows. */
function bareSeconds(metrics: readonly MetricName[]): Seconds {
	const footprint = metrics.includes('memory-after-100k') ? FOOTPRINT_SECONDS : 0;
	const watched = metrics.includes('hot-reload') ? HOT_RELOAD_SECONDS : 0;
	return PAIR_OVERHEAD_SECONDS * (metrics.includes('reload') ? 2 : 1) + footprint + watched;
}

/** Returns the wall time that starting one server's pair and warming it up first takes over `rounds` rounds, beyond what its cells do. */
export function pairSeconds(rounds: number, { firstWarmup, warmup }: Timing): Seconds {
	return rounds * (PAIR_OVERHEAD_SECONDS + middleOf(firstWarmup) - middleOf(warmup));
}

/** Returns the wall time that the turns of one cell take over `rounds` rounds. */
export function cellSeconds(rounds: number, design: Design, timing: Timing): Seconds {
	const turn = middleOf(timing.warmup) + windowsSeconds(design, timing);
	const solo = 2 * (timing.settleSeconds + timing.soloSeconds);
	return rounds * turn + Math.min(rounds, timing.soloRounds) * solo;
}

/** Requests per second of a server of middling speed that has the CPU to itself and is still warming up. */
const MIDDLING_RATE = 30_000;

/** What a server of middling speed needs; beside another one about as long as half-way between least and most. */
function middleOf({ requests, leastSeconds, mostSeconds, inTurn }: Warmup): Seconds {
	if (!inTurn) return (leastSeconds + mostSeconds) / 2;
	return 2 * Math.min(mostSeconds, Math.max(leastSeconds, requests / MIDDLING_RATE));
}

/** A duet counts both sides at once and changes no hands; the other designs count each side alone after settling. */
function windowsSeconds(design: Design, { windows, windowSeconds, settleSeconds }: Timing): Seconds {
	return design === 'duet' ? windows * windowSeconds : 2 * windows * (settleSeconds + windowSeconds);
}
