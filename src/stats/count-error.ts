import type { CellRound, WindowSide } from '../types/round.ts';
import { SIDES } from '../types/units.ts';
import { countedWindows, poolLatency, poolTotals, sideOf } from './windows.ts';

const MICROSECONDS = 1e6;

/**
 * Returns the most that counting whole answers can put into a round's d of throughput, log units, 0 or more, on average over
 * `cellRounds`; 0 for none. A side with c requests on their way answers in bursts of up to c, and whether the last burst falls into
 * the counted time is chance: its count n is off by less than c. So d is off by less than c/n of both sides together. Source:
 * docs/statistics.md 6.10.
 */
export function largestCountError(cellRounds: readonly CellRound[]): number {
	const errors = cellRounds.map((cellRound) => {
		const windows = countedWindows(cellRound);
		return SIDES.reduce((sum, side) => sum + errorOf(sideOf(windows, side)), 0);
	});
	return errors.length === 0 ? 0 : errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

function errorOf(parts: readonly WindowSide[]): number {
	const { completed } = poolTotals(parts);
	return completed === 0 ? 0 : onTheirWay(parts) / completed;
}

/** Requests under way at a time, at least 1: the time all answers took over the time that was counted (Little 1961). */
function onTheirWay(parts: readonly WindowSide[]): number {
	const waited = poolLatency(parts).reduce((sum, [value, count]) => sum + value * count, 0) / MICROSECONDS;
	const { seconds } = poolTotals(parts);
	return seconds === 0 ? 1 : Math.max(1, waited / seconds);
}
