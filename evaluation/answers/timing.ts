/** Question 1: which warm-up and how much counted load make the best use of a round's time. */
import { median } from 'simple-statistics';
import { roundDifferences } from '../../src/stats/differences.ts';
import type { Seconds } from '../../src/types/units.ts';
import { overheadOf } from '../replay/overhead.ts';
import type { TimingCost } from '../results.ts';
import type { Series } from '../series.ts';
import { placeCosts } from './places.ts';
import { certaintyOf } from './spread.ts';
import { cutWindows, type PlannedRound, plannedRounds, sameSeries } from './turns.ts';

/** Seconds of a turn's windows that are discarded as warm-up. */
export const WARMUPS: readonly Seconds[] = [0.25, 0.5, 1, 1.5, 2, 3];
/** Seconds of the following windows that count. */
export const COUNTED: readonly Seconds[] = [0.5, 1, 1.5, 2, 2.5];

interface Choice {
	readonly place: number;
	readonly warmupSeconds: Seconds;
	readonly countedSeconds: Seconds;
}

/**
 * Returns the cost of certainty of every way to spend a round that the series allow; `bias` in percent, SDs in log
 * units.
 *
 * From `timing` series, whose turns have almost no warm-up and many short windows, for each server and all of WARMUPS ×
 * COUNTED that fit into the windows: as one scenario per process (`scenariosPerProcess` 1) the first turns of the
 * rounds, and as one of n the n-th turns, whose processes have by then served the turns before for as long as those
 * took. The 0.1 s before a turn's first window counts as overhead, not as warm-up. A cell takes its share of the
 * measured overhead, the warm-up and the counted load. From `live` and `matrix` series the lines of all places together
 * of `placeCosts`.
 */
export function timingCosts(series: readonly Series[]): readonly TimingCost[] {
	const planned = sameSeries(series, 'timing').flatMap((one) => plannedRounds(one, 'duet'));
	const servers = Map.groupBy(planned, ({ plan }) => plan.cells[0]?.server ?? '');
	const cut = [...servers].flatMap(([server, rounds]) =>
		choicesOf(rounds).flatMap((choice) => costAt(server, rounds, choice) ?? []),
	);
	return [...cut, ...placeCosts(series).flatMap(({ place, ...cost }) => (place === null ? [cost] : []))];
}

function choicesOf(rounds: readonly PlannedRound[]): readonly Choice[] {
	const most = Math.max(...rounds.map(({ round }) => round.cells.length));
	return Array.from({ length: most }, (_, index) => index + 1).flatMap((place) =>
		WARMUPS.flatMap((warmupSeconds) => COUNTED.map((countedSeconds) => ({ place, warmupSeconds, countedSeconds }))),
	);
}

function costAt(server: string, rounds: readonly PlannedRound[], choice: Choice): TimingCost | null {
	const { place, warmupSeconds, countedSeconds } = choice;
	const d = rounds.flatMap((round) => differenceAt(round, choice) ?? []);
	const overheads = rounds.flatMap(({ plan, round }) => overheadOf(plan, round, place) ?? []);
	if (d.length < 2 || overheads.length === 0) return null;
	const secondsPerCell = median(overheads) / place + warmupSeconds + countedSeconds;
	return {
		server,
		warmupSeconds,
		countedSeconds,
		scenariosPerProcess: place,
		...certaintyOf(d, secondsPerCell),
	};
}

/** d of throughput in the windows of one turn that a choice keeps; null if there are too few. */
function differenceAt({ plan, turns }: PlannedRound, choice: Choice): number | null {
	const turn = turns.find(({ place }) => place === choice.place);
	if (!turn) return null;
	const [from, count] = [choice.warmupSeconds, choice.countedSeconds].map(
		(seconds) => seconds / plan.timing.windowSeconds,
	);
	if (!Number.isInteger(from) || !Number.isInteger(count)) return null;
	const cut = cutWindows(turn.cellRound, from as number, count as number);
	return cut ? roundDifferences(cut).throughput : null;
}
