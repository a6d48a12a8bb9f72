/** The selftest as a table of contents: prepare the pinned servers → check them → trials → what they say. */

import { injectHead } from '../../inject/inject-sides.ts';
import { summariseSelftest } from '../../judge/selftest/summarise-selftest.ts';
import { type Bench, openBench } from '../../measure/bench.ts';
import { findInstructionCounters } from '../../measure/find-counters.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import type { FoundLanes } from '../../measure/lanes/find-lanes.ts';
import { verifyCells } from '../../measure/verify-cells.ts';
import { leftOutWarnings } from '../../plan/left-out.ts';
import { planRun } from '../../plan/plan-run.ts';
import { DROPS, planTrialCells } from '../../plan/plan-trials.ts';
import { timingFor } from '../../plan/timing.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import { monotonicSeconds } from '../../process/clock.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { Config } from '../../types/config.ts';
import type { Cell } from '../../types/plan.ts';
import type { RefusedCell } from '../../types/result.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import type { SelftestResult, SelftestTrial } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { describeRefusals } from '../describe-progress.ts';
import { type Calibrator, createCalibrator } from './calibrator.ts';
import { checkLanesOf, findLanesToCheck } from './check-lanes-of.ts';
import { describeDone, describeRunning } from './describe-trial.ts';
import { runTrial } from './run-trial.ts';
import { runTrials } from './run-trials.ts';

export interface SelftestOptions {
	/** From `readSelftestConfig`. */
	readonly config: Config;
	readonly cwd: string;
	readonly cacheFolder: string;
	/** Node binary that runs the servers. */
	readonly node: string;
	/** Command that repeats it. */
	readonly reproduce: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** Lanes that it is asked about; those that the config and the machine come to when absent. */
	readonly lanes?: FoundLanes;
}

/**
 * Runs trials until the budget is spent or the signal aborts, and returns what they say; `ended` tells which. Trials are measured
 * and decided by the same code as a comparison. Throws a UserError when a server cannot be prepared, and the signal's reason when
 * it aborts before the first trial.
 */
export async function runSelftest(options: SelftestOptions): Promise<SelftestResult> {
	const { config, progress } = options;
	const { found, noLanes } = await findLanesToCheck(options);
	const prepared = await preparePinned(config, { ...options, toolRoot: TOOL_ROOT });
	const createdAt = new Date().toISOString();
	const began = monotonicSeconds();
	const bench = await openBench(options);
	const environment = bench.environment();
	/** One whose head uses more CPU time, a fraction of each request's own; base carries the same without effect. */
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
	const left = leftOf(config.budgetSeconds);
	const onProbe = (server: string) => progress.step(`Learning how much to inject into ${server}`);
	const calibrator = createCalibrator({ laboratory, signal: options.signal, onProbe });
	const usable = withoutRefused(cells, refused);
	// The gate in one lane is tested in any case.
	const ofTrials = found === null ? left : leftOf(config.budgetSeconds / 2);
	const { trials, ended } = await runAll(laboratory, calibrator, usable, ofTrials, options);
	const lanes =
		found === null || ended === 'hopeless'
			? undefined
			: await checkLanesOf(found, { ...options, cells: usable, calibrator, laboratoryOf, alone: laboratory, left });
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
	left: () => Seconds,
	{ config, progress, signal }: SelftestOptions,
): Promise<{ readonly trials: readonly SelftestTrial[]; readonly ended: SelftestResult['ended'] }> {
	if (cells.length === 0) return { trials: [], ended: 'hopeless' };
	return runTrials({
		schedule: { cells: cells.map(({ id }) => id), drops: DROPS, seed: config.seed },
		budgetSeconds: left(),
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
				onDecision: (rounds, decision) => progress.status(describeRunning(trial, rounds, decision, left())),
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
