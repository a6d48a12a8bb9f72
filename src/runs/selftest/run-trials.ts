/** Trials until the budget is spent. */

import { planTrial, type Schedule, type Trial } from '../../plan/plan-trials.ts';
import type { SelftestResult, SelftestTrial } from '../../types/selftest.ts';
import type { Seconds } from '../../types/units.ts';

/** No verdict comes from fewer rounds. */
const FEWEST_ROUNDS = 4;
/** After this many trials without a single number in any of them there will be none. */
const HOPELESS_TRIALS = 5;

export interface TrialsContext {
	readonly schedule: Schedule;
	readonly budgetSeconds: Seconds;
	/** Monotonic seconds. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Rounds that are measured before the trial itself. */
	readonly roundsBefore: (trial: Trial) => number;
	/** Runs one trial, for at most `left` seconds. */
	readonly run: (trial: Trial, left: Seconds) => Promise<SelftestTrial>;
	readonly onTrial: (trial: SelftestTrial) => void;
}

/**
 * Runs one trial after the other and returns them with the reason for the end. A trial that cannot come to a verdict in the
 * time that is left is passed over, and a later one that can, which needs less learnt beforehand, is run; the first always is.
 */
export async function runTrials(
	context: TrialsContext,
): Promise<{ readonly trials: SelftestTrial[]; readonly ended: SelftestResult['ended'] }> {
	const trials: SelftestTrial[] = [];
	const began = context.clock();
	for (let number = 1; ; number++) {
		if (context.signal.aborted) return { trials, ended: 'interrupted' };
		const left = context.budgetSeconds - (context.clock() - began);
		const trial = planTrial(context.schedule, number);
		const fewest = context.roundsBefore(trial) + FEWEST_ROUNDS;
		if (number > 1 && left < fewest * secondsPerRound(trials)) {
			// Every other trial is a server against itself, and nothing needs fewer rounds.
			if (trial.drop === 0) return { trials, ended: 'budget' };
			continue;
		}
		const done = await context.run(trial, left);
		trials.push(done);
		context.onTrial(done);
		if (done.ended === 'interrupted') return { trials, ended: 'interrupted' };
		if (trials.length >= HOPELESS_TRIALS && trials.every((trial) => trial.d.length === 0)) {
			return { trials, ended: 'hopeless' };
		}
	}
}

function secondsPerRound(trials: readonly SelftestTrial[]): Seconds {
	const rounds = trials.reduce((sum, trial) => sum + trial.rounds, 0);
	const seconds = trials.reduce((sum, trial) => sum + trial.seconds, 0);
	return seconds / Math.max(1, rounds);
}
