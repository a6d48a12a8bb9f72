import { decide } from '../../judge/decide.ts';
import { readTrial } from '../../judge/selftest/read-trial.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { runRounds } from '../../measure/run-rounds.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import type { Trial } from '../../plan/plan-trials.ts';
import type { Config } from '../../types/config.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import type { Calibrator } from './calibrator.ts';

export interface TrialContext {
	readonly config: Config;
	readonly cells: readonly Cell[];
	/** A laboratory whose head is injected with this amount of CPU time. */
	readonly laboratory: (amount: Fraction) => Laboratory;
	readonly calibrator: Calibrator;
	/** Monotonic seconds. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each round until it is decided, with how many there were and what is known; never under load. */
	readonly onDecision: (rounds: number, decision: Decision) => void;
}

/** Runs one trial to its verdict, or for at most `left` seconds, and returns what it says. */
export async function runTrial(trial: Trial, left: Seconds, context: TrialContext): Promise<SelftestTrial> {
	const { clock, calibrator } = context;
	const due = clock() + left;
	const cell = context.cells.find(({ id }) => id === trial.cell) as Cell;
	const amount = await calibrator.amountFor(cell.server, trial.drop, planTrialRun(context.config, cell, trial, left));
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

/** Returns the plan of a comparison of one cell, without solo windows: they decide nothing. */
function planTrialRun(config: Config, cell: Cell, trial: Trial, left: Seconds): Plan {
	const plan = planRun({ ...config, seed: trial.seed, budgetSeconds: left }, [cell], []);
	return { ...plan, timing: { ...plan.timing, soloRounds: 0 } };
}
