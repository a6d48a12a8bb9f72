import { idleShare, runningShare } from '../stats/guards/guards.ts';
import type { CellRound } from '../types/round.ts';
import type { Fraction } from '../types/units.ts';

/**
 * Returns the largest share of the time in which two sides that share a CPU may both want it, when it is idle for `idle` of it
 * and neither knows of the other: (1 − √idle)². Source: docs/statistics.md 6.8.
 */
export function largestContention(idle: Fraction): Fraction {
	return (1 - Math.sqrt(idle)) ** 2;
}

/** Servers in step want the CPU at once more often than if neither knew of the other; twice the bound held in every simulation. */
const SAFETY = 2;

/**
 * Returns the most that competition for the CPU can have lowered d of throughput, log units, 0 or more: without it, d would be at most the
 * duet's d plus this. Base delays head only while it runs, so its share of the time is a bound too, the smaller one if other processes keep
 * the CPU busy. Null where the idle time is unknown. Source: docs/statistics.md 6.8.
 */
export function largestLoss(cellRounds: readonly CellRound[]): number | null {
	const idle = idleShare(cellRounds);
	if (idle === null) return null;
	const running = runningShare(cellRounds, 'base') ?? 1;
	return -SAFETY * Math.log1p(-Math.min(largestContention(idle), running));
}
