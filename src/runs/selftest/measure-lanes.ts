/** Rounds alone and in all lanes at once, in turn, so that both see the same machine. */
import type { LaneSample } from '../../judge/selftest/check-lanes.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { planRound } from '../../plan/plan-round.ts';
import { planRun } from '../../plan/plan-run.ts';
import { roundDifferences } from '../../stats/differences.ts';
import type { Config } from '../../types/config.ts';
import type { Cell, Plan } from '../../types/plan.ts';
import type { Round } from '../../types/round.ts';
import type { Fraction, Seconds } from '../../types/units.ts';

/** The drop that is planted. */
export const PLANTED: Fraction = 0.05;

export interface LanesContext {
	readonly config: Config;
	readonly cells: readonly Cell[];
	/** One that measures alone, whose head is injected with this amount of CPU time. */
	readonly alone: (amount: Fraction) => Laboratory;
	/** The same for each lane, from 0. */
	readonly lanes: readonly ((amount: Fraction) => Laboratory)[];
	/** Returns how much to inject for a drop. */
	readonly amountFor: (cell: Cell, drop: Fraction, plan: Plan) => Promise<Fraction>;
	readonly left: () => Seconds;
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each visit of a cell. */
	readonly onVisit: (cell: string, drop: Fraction) => void;
}

/**
 * Visits one cell after the other, against itself and with a planted drop, until no visit fits into the time that is left; at least once.
 * A visit is a round alone and one in all lanes at the same time, in an order that swaps. An interrupt keeps what there is.
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
	// Each lane flips coins of its own.
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
	const found: LaneSample[] = [];
	for (const measure of order) found.push(...(await measure()));
	return found;
}
