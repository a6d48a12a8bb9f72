/** Steps of a selftest: prepare the pinned servers → check them → trials → summary. */

import { withoutCounts } from '../../config/margins.ts';
import { injectHead } from '../../inject/inject-sides.ts';
import { decide } from '../../judge/decide.ts';
import { readTrial, summariseSelftest } from '../../judge/selftest/summarise-selftest.ts';
import { type Bench, openBench } from '../../measure/bench.ts';
import { type Laboratory, verifyCells } from '../../measure/laboratory.ts';
import type { FoundLanes } from '../../measure/lanes/find-lanes.ts';
import { findInstructionCounters } from '../../measure/machine.ts';
import { runRounds } from '../../measure/run-rounds.ts';
import { leftOutWarnings } from '../../plan/plan-cells.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import { DROPS, planTrial, planTrialCells, type Schedule, type Trial } from '../../plan/plan-trials.ts';
import { timingFor } from '../../plan/timing.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { formatDuration, formatPercent, formatSignedPercent } from '../../text/numbers.ts';
import type { Config } from '../../types/config.ts';
import { METRICS, type MetricName } from '../../types/metric.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { RefusedCell } from '../../types/result.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import type { SelftestResult, SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import { toolVersion } from '../../version.ts';
import { describeRefusals } from '../describe-progress.ts';
import { type Calibrator, createCalibrator } from './calibrator.ts';
import { checkLanesOf, findLanesToCheck } from './lane-check.ts';

export interface SelftestOptions {
	readonly config: Config;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly reproduce: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	readonly lanes?: FoundLanes;
}

/**
 * Runs trials until the budget is spent or the signal aborts, and returns a summary. Throws UserError when a server
 * cannot be prepared, and the signal's reason before the first trial.
 */
export async function runSelftest(asked: SelftestOptions): Promise<SelftestResult> {
	const options = { ...asked, config: withoutCounts(asked.config) };
	const { config, progress } = options;
	const { found, noLanes } = await findLanesToCheck(options);
	const prepared = await preparePinned(config, { ...options, toolRoot: TOOL_ROOT });
	const createdAt = new Date().toISOString();
	const began = monotonicSeconds();
	const bench = await openBench(options);
	const environment = bench.environment();
	/** Head uses more CPU time, as a fraction of each request's own. Base carries the injection without effect. */
	const laboratoryOf =
		({ laboratory }: Pick<Bench, 'laboratory'>) =>
		(amount: Fraction) =>
			laboratory({
				config,
				prepared: injectHead(prepared, { kind: 'cpu', amount, every: 1 }),
				timing: (design) => timingFor({ ...config, design }),
				startedAt: bench.startedAt,
			});
	const laboratory = laboratoryOf(bench);

	const { cells, leftOut } = planTrialCells(config);
	progress.step(`Checking the answers of ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`);
	const refused = await verifyCells(planRun(config, cells, []), laboratory(0));
	for (const line of describeRefusals(refused)) progress.step(line);

	const leftOf = (budget: Seconds) => () => budget - (monotonicSeconds() - began);
	const secondsLeft = leftOf(config.budgetSeconds);
	const onProbe = (server: string) => progress.step(`Learning how much to inject into ${server}`);
	const calibrator = createCalibrator({ laboratory, signal: options.signal, onProbe });
	const usable = withoutRefused(cells, refused);
	// With lanes, trials in a single lane get half of the budget.
	const ofTrials = found === null ? secondsLeft : leftOf(config.budgetSeconds / 2);
	const { trials, ended } = await runAll(laboratory, calibrator, usable, ofTrials, options);
	const lanes =
		found === null || ended === 'hopeless'
			? undefined
			: await checkLanesOf(found, {
					...options,
					cells: usable,
					calibrator,
					laboratoryOf,
					alone: laboratory,
					left: secondsLeft,
				});
	await bench.close();
	const faults = refused.map(({ fault: { code, message } }) => ({ code, message }));
	return summariseSelftest(
		{
			config,
			drops: DROPS,
			tool: { name: 'benchgate', version: toolVersion() },
			createdAt,
			environment,
			pinning: { available: bench.affinity.pinned, note: bench.affinity.note },
			instructionCounters: findInstructionCounters(),
			warnings: [...leftOutWarnings(leftOut), ...faults, ...noLanes, ...bench.warnings()],
			...(lanes && { lanes }),
			reproduce: options.reproduce,
			measuringSeconds: monotonicSeconds() - began,
		},
		trials,
		ended,
	);
}

async function runAll(
	laboratory: (amount: Fraction) => Laboratory,
	calibrator: Calibrator,
	cells: readonly Cell[],
	secondsLeft: () => Seconds,
	{ config, progress, signal }: SelftestOptions,
): Promise<{ readonly trials: readonly SelftestTrial[]; readonly ended: SelftestResult['ended'] }> {
	if (cells.length === 0) return { trials: [], ended: 'hopeless' };
	return runTrials({
		schedule: { cells: cells.map(({ id }) => id), drops: DROPS, seed: config.seed },
		budgetSeconds: secondsLeft(),
		clock: monotonicSeconds,
		signal,
		roundsBefore: ({ cell, drop }) => calibrator.roundsNeeded(serverOf(cell), drop),
		run: (trial, most) =>
			runTrial(trial, most, {
				config,
				cells,
				laboratory,
				calibrator,
				clock: monotonicSeconds,
				signal,
				onDecision: (rounds, decision) => progress.status(describeRunning(trial, rounds, decision, secondsLeft())),
			}),
		onTrial: (trial) => progress.step(describeDone(trial)),
	});
}

function serverOf(cell: string): string {
	return cell.slice(0, cell.indexOf('/'));
}

function withoutRefused(cells: readonly Cell[], refused: readonly RefusedCell[]): Cell[] {
	const names = new Set(refused.map(({ cell }) => cell));
	return cells.filter(({ id }) => !names.has(id));
}

export function describeRunning(trial: Trial, rounds: number, decision: Decision, secondsLeft: Seconds): string {
	const [row] = decision.rows;
	const changeText =
		row?.estimate && row.estimate.rounds > 1 ? `, ${describeChange(row.judgedBy, row.estimate.change)} so far` : '';
	return `Trial ${trial.number}: ${trial.cell}, ${describeDrop(trial.drop)}, round ${rounds + 1}${changeText}; at most ${formatDuration(Math.max(0, secondsLeft))} left`;
}

export function describeDone(trial: SelftestTrial): string {
	const what = `Trial ${trial.trial}: ${trial.server}/${trial.scenario}, ${describeDrop(trial.drop)}`;
	const change = trial.change === null ? '' : `, ${describeChange(trial.judgedBy, trial.change)}`;
	const cut = trial.ended === 'budget' || trial.ended === 'interrupted' ? ', cut short' : '';
	return `${what}: ${trial.verdict}${change} after ${trial.rounds} rounds, ${formatDuration(trial.seconds)}${cut}`;
}

/** For other metrics, a rise may be worse, so they are named. */
function describeChange(metric: MetricName, change: Fraction): string {
	return `${metric === 'throughput' ? '' : `${METRICS[metric].label} `}${formatSignedPercent(change)}`;
}

function describeDrop(drop: Fraction): string {
	return drop === 0 ? 'against itself' : `with head slowed by ${formatPercent(drop, 1)}`;
}

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

interface TrialsContext {
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
