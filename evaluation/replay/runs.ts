/** Runs of one cell cut out of series in which the designs took turns. */
import type { Design } from '../../src/types/config.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round, Window } from '../../src/types/round.ts';
import type { Side } from '../../src/types/units.ts';
import type { ProcessRun, RunPairs } from '../rules/rule.ts';
import { roundsOf, type Series } from '../series.ts';
import { keepCells, renumber, rotate } from './rounds.ts';

/** One cell against itself: all its rounds, in the order they were measured. */
export interface CellRecord {
	readonly cell: string;
	/** Designs it was measured in, each with the plan for this cell alone. */
	readonly designs: readonly { readonly plan: Plan; readonly rounds: readonly Round[] }[];
}

/** Returns the records of all `designs` series of equal sides; several series of a cell are one record, joined in time order. */
export function recordsOf(series: readonly Series[]): readonly CellRecord[] {
	const meant = series
		.filter(({ experiment, effect }) => experiment === 'designs' && effect.kind === 'same')
		.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
	const cells = new Set(meant.flatMap(({ plans }) => plans.flatMap((plan) => plan.cells.map(({ id }) => id))));
	return [...cells].map((cell) => {
		const plans = meant.flatMap((one) => one.plans).filter((plan) => plan.cells.some(({ id }) => id === cell));
		const byDesign = new Map(plans.reverse().map((plan) => [plan.design, plan]));
		const designs = [...byDesign.values()].map((plan) => ({
			plan: { ...plan, cells: plan.cells.filter(({ id }) => id === cell) },
			rounds: meant.flatMap((one) => roundsOf(one, plan.design)).flatMap((round) => onlyCell(round, cell)),
		}));
		return { cell, designs: designs.filter(({ rounds }) => rounds.length > 0) };
	});
}

/** Returns the part of a record in one design; undefined if it lacks the design. */
export function designOf({ designs }: CellRecord, design: Design): CellRecord['designs'][number] | undefined {
	return designs.find(({ plan }) => plan.design === design);
}

/**
 * Returns one run for each round, which begins with it and goes on in time order, at most `length` rounds without
 * repetition; after the last round comes the first. Rounds are numbered from 1. Time order keeps the drift between
 * separate runs of real tools, and makes these runs overlap: they are not independent, and count as `independentRuns`.
 */
export function cutRuns(rounds: readonly Round[], length: number): readonly (readonly Round[])[] {
	return rounds.map((_, start) => renumber(rotate(rounds, start).slice(0, length)));
}

/** Returns how many runs of `used` rounds fit into `rounds` without overlap, as a fraction, at most one per round. */
export function independentRuns(rounds: number, used: number): number {
	return rounds / Math.max(used, 1);
}

/** Returns the runs of single processes in sequential `rounds` of one cell: each side's windows, and half of the wall time. */
export function processRuns(rounds: readonly Round[]): RunPairs {
	return {
		base: rounds.map((round) => processRun(round, 'base')),
		head: rounds.map((round) => processRun(round, 'head')),
	};
}

function processRun({ cells, seconds }: Round, side: Side): ProcessRun {
	const windows: readonly Window[] = cells.flatMap((cell) => cell.windows.filter(({ kind }) => kind === cell.design));
	const sides = windows.flatMap((window) => window[side] ?? []);
	return { rates: sides.map((one) => one.completed / one.seconds), seconds: seconds / 2 };
}

function onlyCell(round: Round, cell: string): readonly Round[] {
	const kept = keepCells(round, [cell]);
	return kept.cells.length === 0 ? [] : [kept];
}
