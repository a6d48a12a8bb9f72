import { decide } from '../../judge/decide.ts';
import { readTrial } from '../../judge/selftest/read-trial.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { runRounds } from '../../measure/run-rounds.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import { planTrial, type Schedule, type Trial } from '../../plan/plan-trials.ts';
import type { Config } from '../../types/config.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { SelftestResult, SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import type { Calibrator } from './calibrator.ts';

export interface TrialContext {
	readonly config: Config;
	readonly cells: readonly Cell[];
	readonly laboratory: (amount: Fraction) => Laboratory;
	readonly calibrator: Calibrator;
	/** Monotonic. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each round until the decision, never under load. */
	readonly onDecision: (rounds: number, decision: Decision) => void;
}

/** Fewest rounds for a verdict. */
const FEWEST_ROUNDS = 4;
/** Trials without a number after which to give up. */
const HOPELESS_TRIALS = 5;

export interface TrialsContext {
	readonly schedule: Schedule;
	readonly budgetSeconds: Seconds;
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Rounds measured before the trial itself. */
	readonly roundsBefore: (trial: Trial) => number;
	readonly run: (trial: Trial, secondsLeft: Seconds) => Promise<SelftestTrial>;
	readonly onTrial: (trial: SelftestTrial) => void;
}

/**
 * Runs trials in order, and returns them with the reason for the end. Skips a trial that cannot reach a verdict in
 * time, except the first.
 */
export async function runTrials(
	context: TrialsContext,
): Promise<{ readonly trials: SelftestTrial[]; readonly ended: SelftestResult['ended'] }> {
	const trials: SelftestTrial[] = [];
	const began = context.clock();
	for (let number = 1; ; number++) {
		if (context.signal.aborted) return { trials, ended: 'interrupted' };
		const secondsLeft = context.budgetSeconds - (context.clock() - began);
		const trial = planTrial(context.schedule, number);
		const fewest = context.roundsBefore(trial) + FEWEST_ROUNDS;
		if (number > 1 && secondsLeft < fewest * secondsPerRound(trials)) {
			// A server against itself, which is every other trial, needs the fewest rounds.
			if (trial.drop === 0) return { trials, ended: 'budget' };
			continue;
		}
		const done = await context.run(trial, secondsLeft);
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

export async function runTrial(trial: Trial, secondsLeft: Seconds, context: TrialContext): Promise<SelftestTrial> {
	const { clock, calibrator } = context;
	const due = clock() + secondsLeft;
	const cell = context.cells.find(({ id }) => id === trial.cell) as Cell;
	const amount = await calibrator.amountFor(
		cell.server,
		trial.drop,
		planTrialRun(context.config, cell, trial, secondsLeft),
	);
	const began = clock();
	const plan = planTrialRun(context.config, cell, trial, due - began);
	const { rounds, ended } = await runRounds(plan, {
		laboratory: context.laboratory(amount),
		cells: [trial.cell],
		decide: (sofar, reason) => decide(plan, sofar, reason),
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock,
		signal: context.signal,
		onDecision: async (sofar, decision) => {
			const open = decision.undecided.length + decision.confirm.length > 0;
			if (open) context.onDecision(sofar.length, decision);
		},
	});
	const done = readTrial(trial, plan, { rounds, ended, amount, seconds: clock() - began });
	calibrator.learn(done);
	return done;
}

/** Leaves out solo windows, because they decide nothing. */
function planTrialRun(config: Config, cell: Cell, trial: Trial, secondsLeft: Seconds): Plan {
	const plan = planRun({ ...config, seed: trial.seed, budgetSeconds: secondsLeft }, [cell], []);
	return { ...plan, timing: { ...plan.timing, soloRounds: 0 } };
}
