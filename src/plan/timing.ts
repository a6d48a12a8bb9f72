/** Wall time of rounds and their parts. */
import type { Config, Design } from '../types/config.ts';
import { isCounted, type MetricName } from '../types/metric.ts';
import type { Cell, Timing, Warmup } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';

/** Start, wait and stop of a pair. */
const PAIR_OVERHEAD_SECONDS = 0.7;
/** 100,000 answers per side on a shared CPU take 20 s with express, 6 s with node:http. */
const FOOTPRINT_SECONDS = 10;
/** Three reloads per side, each with the 0.2 s wait of `node --watch`. */
const HOT_RELOAD_SECONDS = 3;

/** Three counts of a cell on both sides. */
const COUNTING_SECONDS: Seconds = 5;
/** Of the budget. */
const MOST_COUNTING = 0.5;

const DUET: Timing = {
	// The rate rises until 30,000 to 40,000 requests per side, at different times if the sides differ (docs/measuring.md).
	firstWarmup: { requests: 40_000, leastSeconds: 1, mostSeconds: 4 },
	warmup: { requests: 5_000, leastSeconds: 0.5, mostSeconds: 1.5 },
	settleSeconds: 0.1,
	windowSeconds: 0.5,
	windows: 4,
	soloSeconds: 0.5,
	// Solo windows decide nothing. One round costs 1.2 s per cell. Two would spread by 5 % instead of 7 % (robust SD,
	// 720 levels), which is not worth half a minute for 24 cells.
	soloRounds: 1,
};

/**
 * Returns the timing of a round of `design`. Windows of one side are longer, because neighbours in time share less
 * noise than simultaneous windows. They need no solo windows. `warmupSeconds` is the exact warm-up of a fresh pair, and
 * the limit of later ones.
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

/** Returns the wall time of `rounds` rounds of all `cells`, with starts. */
export function estimateSeconds(
	cells: readonly Pick<Cell, 'server' | 'metrics'>[],
	rounds: number,
	design: Design,
	timing: Timing,
): Seconds {
	const loaded = cells.filter(({ metrics }) => metrics === undefined);
	const servers = new Set(loaded.map((cell) => cell.server)).size;
	const bare = cells.reduce((sum, { metrics }) => sum + (metrics === undefined ? 0 : rounds * bareSeconds(metrics)), 0);
	return servers * pairSeconds(rounds, timing) + loaded.length * cellSeconds(rounds, design, timing) + bare;
}

export function countsOf({ metrics }: Pick<Cell, 'metrics'>, gated: readonly MetricName[]): readonly MetricName[] {
	return (metrics ?? gated).filter(isCounted);
}

/** Returns the part of a budget for gated counts. */
export function countingSeconds(
	cells: readonly Pick<Cell, 'metrics'>[],
	gated: readonly MetricName[],
	budgetSeconds: Seconds = Number.POSITIVE_INFINITY,
): Seconds {
	const counted = cells.filter((cell) => countsOf(cell, gated).length > 0).length;
	return counted === 0 ? 0 : Math.min(counted * COUNTING_SECONDS, MOST_COUNTING * budgetSeconds);
}

function bareSeconds(metrics: readonly MetricName[]): Seconds {
	const footprint = metrics.includes('memory-after-100k') ? FOOTPRINT_SECONDS : 0;
	const watched = metrics.includes('hot-reload') ? HOT_RELOAD_SECONDS : 0;
	return PAIR_OVERHEAD_SECONDS * (metrics.includes('reload') ? 2 : 1) + footprint + watched;
}

/** Returns the wall time that a pair's starts and first warm-ups add to that of its cells, over `rounds` rounds. */
export function pairSeconds(rounds: number, { firstWarmup, warmup }: Timing): Seconds {
	return rounds * (PAIR_OVERHEAD_SECONDS + middleOf(firstWarmup) - middleOf(warmup));
}

export function cellSeconds(rounds: number, design: Design, timing: Timing): Seconds {
	const turn = middleOf(timing.warmup) + windowsSeconds(design, timing);
	const solo = 2 * (timing.settleSeconds + timing.soloSeconds);
	return rounds * turn + Math.min(rounds, timing.soloRounds) * solo;
}

/** Requests per second of a medium-fast server that is loaded alone and still warming up. */
const MIDDLING_RATE = 30_000;

function middleOf({ requests, leastSeconds, mostSeconds, inTurn }: Warmup): Seconds {
	if (!inTurn) return (leastSeconds + mostSeconds) / 2;
	return 2 * Math.min(mostSeconds, Math.max(leastSeconds, requests / MIDDLING_RATE));
}

/** Only a duet counts both sides at once. */
function windowsSeconds(design: Design, { windows, windowSeconds, settleSeconds }: Timing): Seconds {
	return design === 'duet' ? windows * windowSeconds : 2 * windows * (settleSeconds + windowSeconds);
}
