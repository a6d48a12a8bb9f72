/** Input of every answer: the turns of a round with its random choices, and series by experiment. */
import { planRound } from '../../src/plan/plan-round.ts';
import { type Differences, roundDifferences } from '../../src/stats/differences.ts';
import { countedWindows } from '../../src/stats/windows.ts';
import type { Design } from '../../src/types/config.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { CellRound, Round } from '../../src/types/round.ts';
import type { Side } from '../../src/types/units.ts';
import { type Experiment, roundsOf, type Series } from '../series.ts';

/** One cell's part of one round. */
export interface MeasuredTurn {
	readonly server: string;
	/** 1 for the first turn of its process pair. */
	readonly place: number;
	readonly startFirst: Side;
	/** Side that took slot 0. */
	readonly firstSlot: Side;
	readonly clientFirst: Side;
	readonly cellRound: CellRound;
	readonly d: Differences;
}

/**
 * Returns the turns of `round` in the order they were measured, without those that have a fault. Recomputes the random
 * choices, a pure function of `plan`. Throws a RangeError when the plan lacks a cell of the round.
 */
export function turnsOf(plan: Plan, round: Round): readonly MeasuredTurn[] {
	if (round.purpose === 'count') return [];
	const ids = round.cells.map(({ cell }) => cell);
	const drawn = planRound(plan, round.round, ids, round.purpose).pairs.flatMap((pair) =>
		pair.turns.map((turn) => ({ ...turn, ...pair })),
	);
	const places = new Map<string, number>();
	return round.cells.flatMap((cellRound) => {
		const turn = drawn.find(({ cell }) => cell === cellRound.cell);
		if (!turn) return [];
		const { server, startFirst, clientFirst } = turn;
		const place = (places.get(server) ?? 0) + 1;
		places.set(server, place);
		if (cellRound.faults.length > 0) return [];
		const firstSlot: Side = turn.slot.base === 0 ? 'base' : 'head';
		return [{ server, place, startFirst, firstSlot, clientFirst, cellRound, d: roundDifferences(cellRound) }];
	});
}

/** Returns the series of `experiments` without a planted change, in the order they were measured. */
export function sameSeries(series: readonly Series[], ...experiments: readonly Experiment[]): readonly Series[] {
	return series
		.filter(({ effect, experiment }) => effect.kind === 'same' && experiments.includes(experiment))
		.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

/** A round and its plan. */
export interface PlannedRound {
	readonly plan: Plan;
	readonly round: Round;
	readonly turns: readonly MeasuredTurn[];
}

/** Returns the rounds of one design of a series with their turns, in order; empty if the series lacks the design. */
export function plannedRounds(series: Series, design: Design): readonly PlannedRound[] {
	const plan = planOf(series, design);
	return plan ? roundsOf(series, design).map((round) => ({ plan, round, turns: turnsOf(plan, round) })) : [];
}

/** Returns the plan of one design, or null if the series lacks the design. */
export function planOf({ plans }: Series, design: Design): Plan | null {
	return plans.find((plan) => plan.design === design) ?? null;
}

/** Returns `cellRound` with `count` of its counted windows, from position `from` on; null when it has fewer. */
export function cutWindows(cellRound: CellRound, from: number, count: number): CellRound | null {
	const windows = countedWindows(cellRound).slice(from, from + count);
	return windows.length < count ? null : { ...cellRound, windows };
}
