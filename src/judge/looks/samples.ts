import { type Differences, roundDifferences } from '../../stats/differences.ts';
import { totalsFigure } from '../../stats/figures.ts';
import { afterworkShare, countedWindows, poolTotals, sideOf } from '../../stats/windows.ts';
import type { CellRound, Round } from '../../types/round.ts';
import type { Fraction, Sides } from '../../types/units.ts';

export interface Sample {
	readonly round: number;
	/** Index of the round in the run. */
	readonly position: number;
	readonly cellRound: CellRound;
	readonly d: Differences;
	/** Answers per second over counted windows. */
	readonly rates: Readonly<Sides<number | null>>;
	/** CPU time after the load, as a share of the cost under load. */
	readonly afterwork: Readonly<Sides<Fraction | null>>;
}

export function samplesByCell(
	rounds: readonly Round[],
	purpose: Round['purpose'],
): ReadonlyMap<string, readonly Sample[]> {
	const samples = rounds.flatMap((round, position) =>
		round.purpose === purpose ? round.cells.map((cellRound) => sampleOf(cellRound, round.round, position)) : [],
	);
	return Map.groupBy(samples, (sample) => sample.cellRound.cell);
}

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

/** Only a restarted process has all start figures. */
function isRestarted({ cellRound: { start } }: Sample): boolean {
	return start !== undefined && start.base.reload !== undefined;
}

/** Each decision reads all rounds again, and a turn's latencies are long. */
const readTurns = new WeakMap<CellRound, Pick<Sample, 'd' | 'rates' | 'afterwork'>>();

function sampleOf(cellRound: CellRound, round: number, position: number): Sample {
	const figures = readTurns.get(cellRound) ?? readTurn(cellRound);
	readTurns.set(cellRound, figures);
	return { round, position, cellRound, ...figures };
}

function readTurn(cellRound: CellRound): Pick<Sample, 'd' | 'rates' | 'afterwork'> {
	const windows = countedWindows(cellRound);
	const rateOf = (side: keyof Sides<number>) => totalsFigure('throughput', poolTotals(sideOf(windows, side)));
	const rates = { base: rateOf('base'), head: rateOf('head') };
	const afterwork = { base: afterworkShare(cellRound, 'base'), head: afterworkShare(cellRound, 'head') };
	return { d: roundDifferences(cellRound), rates, afterwork };
}
