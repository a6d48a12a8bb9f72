import { type Differences, roundDifferences } from '../../stats/differences.ts';
import { totalsFigure } from '../../stats/figures.ts';
import { afterworkShare, countedWindows, poolTotals, sideOf } from '../../stats/windows.ts';
import type { CellRound, Round } from '../../types/round.ts';
import type { Fraction, Sides } from '../../types/units.ts';

/** What one cell's turn of one round says: one d per metric. */
export interface Sample {
	readonly round: number;
	/** Place of the round in the run, from 0. */
	readonly position: number;
	readonly cellRound: CellRound;
	readonly d: Differences;
	/** Answers per second of each side over the counted windows; null when a side has no window. */
	readonly rates: Readonly<Sides<number | null>>;
	/** CPU time of each side's work after the load, as a share of its cost under load; null where unknown. */
	readonly afterwork: Readonly<Sides<Fraction | null>>;
}

/** Returns the samples of `rounds` with this purpose, by cell, in the order they were measured. */
export function samplesByCell(
	rounds: readonly Round[],
	purpose: Round['purpose'],
): ReadonlyMap<string, readonly Sample[]> {
	const samples = rounds.flatMap((round, position) =>
		round.purpose === purpose ? round.cells.map((cellRound) => sampleOf(cellRound, round.round, position)) : [],
	);
	return Map.groupBy(samples, (sample) => sample.cellRound.cell);
}

/** Returns of each server the samples whose turn loaded fresh processes first: the first of every round, in the order of rounds. */
export function startsByServer(cells: ReadonlyMap<string, readonly Sample[]>): ReadonlyMap<string, readonly Sample[]> {
	const fresh = [...cells.values()].flat().filter(({ cellRound }) => cellRound.start !== undefined);
	const servers = Map.groupBy(fresh, ({ cellRound }) => cellRound.cell.slice(0, cellRound.cell.indexOf('/')));
	return new Map(
		[...servers].map(([server, samples]) => {
			const rounds = Map.groupBy(samples, ({ position }) => position);
			const first = [...rounds.values()].flatMap((each) => each.find(isRestarted) ?? each.slice(0, 1));
			return [server, first.toSorted((a, b) => a.position - b.position)];
		}),
	);
}

/** A process that was started again tells most of its start. */
function isRestarted({ cellRound: { start } }: Sample): boolean {
	return start !== undefined && start.base.reload !== undefined;
}

function sampleOf(cellRound: CellRound, round: number, position: number): Sample {
	const windows = countedWindows(cellRound);
	const rateOf = (side: keyof Sides<number>) => totalsFigure('throughput', poolTotals(sideOf(windows, side)));
	const rates = { base: rateOf('base'), head: rateOf('head') };
	const afterwork = { base: afterworkShare(cellRound, 'base'), head: afterworkShare(cellRound, 'head') };
	return { round, position, cellRound, d: roundDifferences(cellRound), rates, afterwork };
}
