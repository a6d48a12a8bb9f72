/** Measures whether several lanes are worth it on this machine. */

import { checkLanes, type LaneSample } from '../../judge/selftest/check-lanes.ts';
import { type Bench, type BenchOptions, openBench } from '../../measure/bench.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { describeLanes, type FoundLanes, findLanes, holdOrchestrator } from '../../measure/lanes/find-lanes.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { roundDifferences } from '../../stats/differences.ts';
import type { Config } from '../../types/config.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { Round } from '../../types/round.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import type { LaneCheck } from '../../types/selftest.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Calibrator } from './calibrator.ts';

export const PLANTED: Fraction = 0.05;

export interface LanesContext {
	readonly config: Config;
	readonly cells: readonly Cell[];
	/** Measures alone, with the amount injected into head. */
	readonly alone: (amount: Fraction) => Laboratory;
	/** Does the same in each lane, from 0. */
	readonly lanes: readonly ((amount: Fraction) => Laboratory)[];
	readonly amountFor: (cell: Cell, drop: Fraction, plan: Plan) => Promise<Fraction>;
	readonly left: () => Seconds;
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	readonly onVisit: (cell: string, drop: Fraction) => void;
}

export interface LanesToCheck {
	/** Null for a single lane. */
	readonly found: FoundLanes | null;
	/** Why only one lane is possible. */
	readonly noLanes: readonly Warning[];
}

export interface CheckOptions extends BenchOptions {
	readonly config: Config;
	readonly progress: Progress;
	readonly cells: readonly Cell[];
	readonly calibrator: Calibrator;
	/** Returns a bench's laboratory by injected amount. */
	readonly laboratoryOf: (bench: Pick<Bench, 'laboratory'>) => (amount: Fraction) => Laboratory;
	readonly alone: (amount: Fraction) => Laboratory;
	readonly left: () => Seconds;
}

export async function findLanesToCheck({
	config,
	janitor,
	lanes,
}: {
	readonly config: Pick<Config, 'lanes'>;
	readonly janitor: Janitor;
	readonly lanes?: FoundLanes;
}): Promise<LanesToCheck> {
	const wish = config.lanes ?? 1;
	if (lanes === undefined && wish === 1) return { found: null, noLanes: [] };
	const machineLanes = lanes ?? (await findLanes({ wish, janitor }));
	if (machineLanes.lanes.length > 1) return { found: machineLanes, noLanes: machineLanes.warnings };
	const only: Warning = {
		code: 'one-lane',
		message: 'This machine has room for one lane, so a second one could not be tested.',
	};
	return { found: null, noLanes: machineLanes.warnings.length > 0 ? machineLanes.warnings : [only] };
}

export async function checkLanesOf(machineLanes: FoundLanes, options: CheckOptions): Promise<LaneCheck> {
	const { config, cells, calibrator, laboratoryOf, alone, left, progress, signal } = options;
	const pinning = describeLanes(machineLanes.lanes);
	progress.step(`Measuring alone and in ${machineLanes.lanes.length} lanes at once`);
	const benches: Bench[] = [];
	const letGo = machineLanes.orchestrator === null ? () => {} : holdOrchestrator(machineLanes.orchestrator);
	try {
		for (const affinity of machineLanes.lanes) benches.push(await openBench({ ...options, affinity }));
		const samples = await measureLanes({
			config,
			cells,
			alone,
			lanes: benches.map(laboratoryOf),
			amountFor: (cell, drop, plan) => calibrator.amountFor(cell.server, drop, plan),
			left,
			clock: monotonicSeconds,
			signal,
			onVisit: (cell, drop) =>
				progress.status(`Lanes: ${cell}, ${drop === 0 ? 'against itself' : 'with head slowed down'}`),
		});
		return checkLanes(samples, machineLanes.lanes.length, PLANTED, pinning);
	} finally {
		letGo();
		await Promise.all(benches.map((bench) => bench.close()));
	}
}

/**
 * Visits cells in turn while time is left: one round alone and one in all lanes. An interrupt keeps finished samples.
 */
export async function measureLanes(context: LanesContext): Promise<LaneSample[]> {
	const { cells, clock, signal, left } = context;
	const samples: LaneSample[] = [];
	let longest = 0;
	for (let visit = 0; cells.length > 0 && !signal.aborted; visit++) {
		if (visit > 0 && left() < longest) break;
		const began = clock();
		const cell = cells[Math.floor(visit / 2) % cells.length] as Cell;
		try {
			samples.push(...(await visitCell(cell, visit, context)));
		} catch (error) {
			if (!signal.aborted) throw error;
		}
		longest = Math.max(longest, clock() - began);
	}
	return samples;
}

async function visitCell(cell: Cell, visit: number, context: LanesContext): Promise<LaneSample[]> {
	const { config, alone, lanes, amountFor, onVisit } = context;
	const drop = visit % 2 === 0 ? 0 : PLANTED;
	onVisit(cell.id, drop);
	const round = Math.floor(visit / (2 * context.cells.length)) + 1;
	const plan = { ...planRun(config, [cell], []), timing: { ...planRun(config, [cell], []).timing, soloRounds: 0 } };
	const amount = await amountFor(cell, drop, plan);
	// Visits cells in turn while time is left: one round alone, one in all lanes. An interrupt keeps finished samples.
	const run = (laboratory: Laboratory, lane: number) =>
		laboratory.runRound(planRound({ ...plan, seed: plan.seed + lane }, round, [cell.id], 'main'));
	const sampleOf = (together: boolean) => (done: Round) => ({
		server: cell.server,
		drop,
		together,
		d: done.cells.map((turn) => roundDifferences(turn).throughput)[0] ?? null,
		seconds: done.seconds,
	});
	const byItself = async () => [await run(alone(amount), 0)].map(sampleOf(false));
	const allAtOnce = async () => {
		const outcomes = await Promise.allSettled(lanes.map((lane, index) => run(lane(amount), index + 1)));
		return outcomes.map((outcome) => {
			if (outcome.status === 'rejected') throw outcome.reason;
			return sampleOf(true)(outcome.value);
		});
	};
	const order = Math.floor(visit / 2) % 2 === 0 ? [byItself, allAtOnce] : [allAtOnce, byItself];
	const samples: LaneSample[] = [];
	for (const measure of order) samples.push(...(await measure()));
	return samples;
}
