/** By how much whole answers, and few digits, may put the d of all rounds wrong alike. */
import { sampleStandardDeviation } from 'simple-statistics';
import { isLatency, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, WindowSide } from '../types/round.ts';
import { SIDES } from '../types/units.ts';
import { fewestAnswers } from './guards/guards.ts';
import { countedWindows, FEWEST_RESPONSES, poolLatency, poolTotals, sideOf } from './windows.ts';

const MICROSECONDS = 1e6;
/** The last digit of a change in a report: timers of a millisecond in windows of two seconds come to half of it. */
const FINEST = 0.001;
/** Latencies are kept with two digits: HdrHistogram halves each power of two 128 times, so a step is at most so much of a value. */
const FINEST_LATENCY = 1 / 128;

/**
 * Returns by how much the d of all rounds may be wrong alike, log units, 0 or more: no number of rounds shows it or makes it smaller. Two
 * causes, of which the larger one counts. Rounds that differ by less than can be told apart are rounded alike; where they differ by more,
 * rounding is noise like any other (Widrow, Kollár and Liu 1996). And where few answers are counted whole, `largestCountError`. Source:
 * docs/statistics.md 6.10.
 */
export function commonErrorOf(metric: MetricName, d: readonly number[], cellRounds: readonly CellRound[]): number {
	const finest = isLatency(metric) ? FINEST_LATENCY : FINEST;
	const isRoundedAlike = d.length > 1 && sampleStandardDeviation(d as number[]) < finest;
	const counted = METRICS[metric].source.per === 'window' ? largestCountError(cellRounds) : 0;
	return Math.max(isRoundedAlike ? finest : 0, counted);
}

/**
 * Returns the most that counting whole answers can put into a round's d of throughput, log units, 0 or more, on average over
 * `cellRounds`; 0 for none, where a round has many answers, and where answers are counted by the time they took. A side with c requests on
 * their way answers in bursts of up to c, and whether the last burst falls into the counted time is chance: its count n is off by less than
 * c. So d is off by less than c/n of both sides together. Source: docs/statistics.md 6.10.
 */
export function largestCountError(cellRounds: readonly CellRound[]): number {
	if (cellRounds.length === 0 || (fewestAnswers(cellRounds) ?? FEWEST_RESPONSES) >= FEWEST_RESPONSES) return 0;
	const errors = cellRounds.map((cellRound) => {
		const windows = countedWindows(cellRound);
		return SIDES.reduce((sum, side) => sum + errorOf(sideOf(windows, side)), 0);
	});
	return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

function errorOf(parts: readonly WindowSide[]): number {
	const { completed } = poolTotals(parts);
	// At a fixed rate answers come as requests do, which is one by one.
	const isExact = isCountedByTime(parts) || parts.every(({ due }) => due !== undefined);
	return completed === 0 || isExact ? 0 : onTheirWay(parts) / completed;
}

/** Returns whether answers were counted by the time they took: a few are then as good as many. */
export function isCountedByTime(parts: readonly WindowSide[]): boolean {
	return parts.every(({ answers }) => answers !== undefined);
}

/** Requests under way at a time, at least 1: the time all answers took over the time that was counted (Little 1961). */
function onTheirWay(parts: readonly WindowSide[]): number {
	const waited = poolLatency(parts).reduce((sum, [value, count]) => sum + value * count, 0) / MICROSECONDS;
	const { seconds } = poolTotals(parts);
	return seconds === 0 ? 1 : Math.max(1, waited / seconds);
}
