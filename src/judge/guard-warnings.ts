import { median } from 'simple-statistics';
import {
	BUSY_CPU,
	BUSY_WINDOWS,
	busyShare,
	driftWithinRounds,
	fewestAnswers,
	summariseGuards,
} from '../stats/guards.ts';
import { RANKS_FROM } from '../stats/location.ts';
import { robustSdOf } from '../stats/moments.ts';
import { FEWEST_RESPONSES } from '../stats/windows.ts';
import { type CellRound, MOST_UNEXPECTED } from '../types/round.ts';
import { type Fraction, SIDES, type Warning } from '../types/units.ts';
import type { Estimate } from '../types/verdict.ts';
import type { Sample } from './looks/samples.ts';
import { warn } from './warnings.ts';

/** Robust standard deviations beyond which the spread, or a round, lies far out. */
const FAR_OUT = 3;

/**
 * Returns why the numbers of a cell mean nothing, or null when they do mean something: its first fault in any round, a side that
 * answered nothing, or too many unexpected or failed answers on either side over all rounds.
 */
export function invalidityOf(samples: readonly Sample[]): Warning | null {
	const fault = samples.flatMap((sample) => sample.cellRound.faults)[0];
	if (fault) return { code: fault.code, message: fault.message };
	for (const { rates, round } of samples) {
		const side = SIDES.find((one) => rates[one] === 0);
		if (side) return warn('no-answers', { side, round });
	}
	const cellRounds = samples.map((sample) => sample.cellRound);
	const { nonExpected } = summariseGuards(cellRounds, []);
	return nonExpected > MOST_UNEXPECTED ? warn('unexpected-answers', { share: nonExpected }) : null;
}

/** Returns the warnings one cell's rounds give: `few-responses`, `still-warming`. `tolerance` is D0. */
export function cellWarnings(cellRounds: readonly CellRound[], tolerance: Fraction): readonly Warning[] {
	const fewest = fewestAnswers(cellRounds);
	const drift = driftWithinRounds(cellRounds);
	const isFew = fewest !== null && fewest < FEWEST_RESPONSES;
	const isWarming = drift !== null && Math.abs(drift) > -Math.log1p(-tolerance);
	return [
		...(isFew ? [warn('few-responses', { fewest, wanted: FEWEST_RESPONSES })] : []),
		...(isWarming ? [warn('still-warming', { drift: Math.abs(Math.expm1(drift)) })] : []),
	];
}

/** Returns the warning `split-rounds` where ranks take part and the sample spread is more than three times the robust one. */
export function spreadWarnings({ metric, sd, rounds, d }: Estimate): readonly Warning[] {
	const robust = robustSdOf(d);
	if (rounds < RANKS_FROM || !(sd > FAR_OUT * robust)) return [];
	const middle = median(d as number[]);
	const farOut = d.filter((value) => Math.abs(value - middle) > FAR_OUT * robust).length;
	return [warn('split-rounds', { metric, farOut, rounds })];
}

/** Returns the warnings about the machine, over all cells: `busy-machine`, `not-pinned`. */
export function machineWarnings(cellRounds: readonly CellRound[]): readonly Warning[] {
	const windows = busyShare(cellRounds);
	const isBusy = windows !== null && windows > BUSY_WINDOWS;
	return [
		...(isBusy ? [warn('busy-machine', { limit: BUSY_CPU, windows })] : []),
		...(cellRounds.some((cellRound) => !cellRound.pinned) ? [warn('not-pinned', undefined)] : []),
	];
}
