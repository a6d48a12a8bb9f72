import { type Differences, roundDifferences } from '../stats/differences.ts';
import { totalsFigure } from '../stats/figures.ts';
import { countedWindows, poolTotals, sideOf } from '../stats/windows.ts';
import type { CellRound, Round } from '../types/round.ts';
import type { Sides } from '../types/units.ts';

/** What one cell's turn of one round says. */
export interface Sample {
	readonly round: number;
	/** Place of the round in the run, from 0. */
	readonly position: number;
	readonly cellRound: CellRound;
	readonly d: Differences;
	/** Answers per second of each side over the counted windows; null when a side has no window. */
	readonly rates: Readonly<Sides<number | null>>;
}

/** Samples of every cell, in the order they were measured. */
export interface Evidence {
	readonly rounds: readonly Round[];
	readonly main: ReadonlyMap<string, readonly Sample[]>;
	readonly confirm: ReadonlyMap<string, readonly Sample[]>;
}

/** Returns the samples of every cell of `rounds`, main and confirm apart. */
export function collectEvidence(rounds: readonly Round[]): Evidence {
	const samples = rounds.flatMap((round, position) =>
		round.cells.map((cellRound) => ({ purpose: round.purpose, sample: sampleOf(cellRound, round.round, position) })),
	);
	const byCell = (purpose: Round['purpose']) =>
		Map.groupBy(
			samples.filter((entry) => entry.purpose === purpose).map((entry) => entry.sample),
			(sample) => sample.cellRound.cell,
		);
	return { rounds, main: byCell('main'), confirm: byCell('confirm') };
}

function sampleOf(cellRound: CellRound, round: number, position: number): Sample {
	const windows = countedWindows(cellRound);
	const rates = {
		base: totalsFigure('throughput', poolTotals(sideOf(windows, 'base'))),
		head: totalsFigure('throughput', poolTotals(sideOf(windows, 'head'))),
	};
	return { round, position, cellRound, d: roundDifferences(cellRound), rates };
}
