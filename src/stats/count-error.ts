/** Error of d common to all rounds. */
import { sampleStandardDeviation } from 'simple-statistics';
import { isLatency, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, WindowSide } from '../types/round.ts';
import { SIDES } from '../types/units.ts';
import { fewestAnswers } from './guards.ts';
import { countedWindows, FEWEST_RESPONSES, poolLatency, poolTotals, sideOf } from './windows.ts';

const MICROSECONDS = 1e6;
/** Last digit of a reported change. Timers of 1 ms in windows of two seconds cause half of it. */
const FINEST = 0.001;
/** HdrHistogram has 128 steps per power of two. */
const FINEST_LATENCY = 1 / 128;

/**
 * Returns the error of d common to all rounds (log units, ≥ 0): the larger of rounding and `largestCountError`.
 * Rounding counts only if rounds agree better than the resolution; otherwise it is ordinary noise (Widrow, Kollár and
 * Liu 1996). Source: docs/statistics.md 6.10.
 */
export function commonErrorOf(metric: MetricName, d: readonly number[], cellRounds: readonly CellRound[]): number {
	const finest = isLatency(metric) ? FINEST_LATENCY : FINEST;
	const isRoundedAlike = d.length > 1 && sampleStandardDeviation(d as number[]) < finest;
	const counted = METRICS[metric].source.per === 'window' ? largestCountError(cellRounds) : 0;
	return Math.max(isRoundedAlike ? finest : 0, counted);
}

/**
 * Returns the largest error of a round's d of throughput from counting whole answers (log units, ≥ 0), as the mean over
 * `cellRounds`. It is 0 for many answers in a round, and for answers weighted by time. Source: docs/statistics.md 6.10.
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
	// At a fixed rate requests come one by one, and so do answers.
	const isExact = isCountedByTime(parts) || parts.every(({ due }) => due !== undefined);
	return completed === 0 || isExact ? 0 : onTheirWay(parts) / completed;
}

/** Whether answers are weighted by time, so few are as exact as many. */
export function isCountedByTime(parts: readonly WindowSide[]): boolean {
	return parts.every(({ answers }) => answers !== undefined);
}

/** Mean number of requests under way, at least 1: total time of answers over counted time (Little 1961). */
function onTheirWay(parts: readonly WindowSide[]): number {
	const waited = poolLatency(parts).reduce((sum, [value, count]) => sum + value * count, 0) / MICROSECONDS;
	const { seconds } = poolTotals(parts);
	return seconds === 0 ? 1 : Math.max(1, waited / seconds);
}
