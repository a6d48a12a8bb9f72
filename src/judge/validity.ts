import { MOST_UNEXPECTED, summariseGuards } from '../stats/guards.ts';
import { SIDES, type Warning } from '../types/units.ts';
import type { Sample } from './evidence.ts';
import { noAnswers, unexpectedAnswers } from './warnings.ts';

/**
 * Returns why the numbers of a cell mean nothing, or null when they do: its first fault in any round, a side that answered
 * nothing, or more than 0.1 % unexpected or failed answers on either side over all rounds.
 */
export function invalidityOf(samples: readonly Sample[]): Warning | null {
	const fault = samples.flatMap((sample) => sample.cellRound.faults)[0];
	if (fault) return { code: fault.code, message: fault.message };
	for (const { rates, round } of samples) {
		const silent = SIDES.find((side) => rates[side] === 0);
		if (silent) return noAnswers(silent, round);
	}
	const cellRounds = samples.map((sample) => sample.cellRound);
	const { nonExpected } = summariseGuards(cellRounds, []);
	return nonExpected > MOST_UNEXPECTED ? unexpectedAnswers(nonExpected) : null;
}
