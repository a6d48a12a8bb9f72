import { decide } from '../judge/decide.ts';
import type { Laboratory } from '../measure/laboratory.ts';
import { runRounds } from '../measure/run-rounds.ts';
import { planRound } from '../plan/plan-round.ts';
import { planRun } from '../plan/plan-run.ts';
import type { SelftestTrial } from '../report/selftest-result.ts';
import type { Config } from '../types/config.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { Seconds } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import type { Trial } from './plan-trials.ts';
import { readTrial } from './read-trial.ts';

export interface TrialContext {
	readonly config: Config;
	readonly cells: readonly Cell[];
	readonly laboratory: Laboratory;
	/** Monotonic seconds. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each round with how many there were and what is known, never under load. */
	readonly onDecision: (rounds: number, decision: Decision) => void;
}

/** Runs one trial to its verdict, or for at most `left` seconds, and returns what it says. */
export async function runTrial(trial: Trial, left: Seconds, context: TrialContext): Promise<SelftestTrial> {
	const { clock } = context;
	const plan = planTrialRun(context.config, context.cells, trial, left);
	const began = clock();
	const { rounds, ended } = await runRounds(plan, {
		laboratory: context.laboratory,
		cells: [trial.cell],
		decide: (sofar, reason) => decide(plan, sofar, reason),
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock,
		signal: context.signal,
		onDecision: async (sofar, decision) => context.onDecision(sofar.length, decision),
	});
	return readTrial(trial, plan, rounds, ended, clock() - began);
}

/** Returns the plan of a comparison of one cell, without solo windows: they decide nothing. */
function planTrialRun(config: Config, cells: readonly Cell[], trial: Trial, left: Seconds): Plan {
	const cell = cells.filter(({ id }) => id === trial.cell);
	const plan = planRun({ ...config, seed: trial.seed, budgetSeconds: left }, cell, []);
	return { ...plan, timing: { ...plan.timing, soloRounds: 0 } };
}
