/** Error of d common to all rounds, from counting whole answers and from rounding. */
import { sampleStandardDeviation } from 'simple-statistics';
import { isLatency, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, WindowSide } from '../types/round.ts';
import { SIDES } from '../types/units.ts';
import { fewestAnswers } from './guards.ts';
import { countedWindows, FEWEST_RESPONSES, poolLatency, poolTotals, sideOf } from './windows.ts';

const MICROSECONDS = 1e6;
/** Last digit of a change in a report: timers of 1 ms in windows of two seconds cause half of it. */
const FINEST = 0.001;
/** Latencies keep two digits: HdrHistogram splits each power of two into 128 steps, so a step is at most this share of a value. */
const FINEST_LATENCY = 1 / 128;

/**
 * Returns the error of d common to all rounds, log units, 0 or more: more rounds neither show nor reduce it. Takes the larger of two
 * causes. Rounds that agree better than the resolution are all rounded the same way; with more spread, rounding is ordinary noise (Widrow,
 * Kollár and Liu 1996). And few answers, counted whole, are off by `largestCountError`. Source: docs/statistics.md 6.10.
 */
export function commonErrorOf(metric: MetricName, d: readonly number[], cellRounds: readonly CellRound[]): number {
	const finest = isLatency(metric) ? FINEST_LATENCY : FINEST;
	const isRoundedAlike = d.length > 1 && sampleStandardDeviation(d as number[]) < finest;
	const counted = METRICS[metric].source.per === 'window' ? largestCountError(cellRounds) : 0;
	return Math.max(isRoundedAlike ? finest : 0, counted);
}

/**
 * Returns the largest error of a round's d of throughput from counting whole answers, log units, 0 or more, on average over `cellRounds`; 0
 * without rounds, with many answers a round, and for answers counted by the time they took. A side with c requests under way answers in
 * bursts of up to c, and chance decides whether the last burst falls into the counted time: its count n is off by less than c. So d is off
 * by less than the sum of c/n over both sides. Source: docs/statistics.md 6.10.
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
	// At a fixed rate requests, and so answers, come one by one.
	const isExact = isCountedByTime(parts) || parts.every(({ due }) => due !== undefined);
	return completed === 0 || isExact ? 0 : onTheirWay(parts) / completed;
}

/** Returns whether answers were counted by the time they took; a few are then as exact as many. */
export function isCountedByTime(parts: readonly WindowSide[]): boolean {
	return parts.every(({ answers }) => answers !== undefined);
}

/** Requests under way at a time, at least 1: the time all answers took over the time that was counted (Little 1961). */
function onTheirWay(parts: readonly WindowSide[]): number {
	const waited = poolLatency(parts).reduce((sum, [value, count]) => sum + value * count, 0) / MICROSECONDS;
	const { seconds } = poolTotals(parts);
	return seconds === 0 ? 1 : Math.max(1, waited / seconds);
}
