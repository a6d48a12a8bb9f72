/** Question 1, for many scenarios per process: what the place of a turn in its process and the number of windows change. */
import { median } from 'simple-statistics';
import { roundDifferences } from '../../src/stats/differences.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import { meanOf } from '../replay/share.ts';
import type { PlaceCost } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { gapsOf, overheadOf } from './overhead.ts';
import { costOf, spreadWithin } from './spread.ts';
import { cutWindows, type MeasuredTurn, planOf, sameSeries, turnsOf } from './turns.ts';

interface FullRound {
	readonly plan: Plan;
	readonly round: Round;
	readonly turns: readonly MeasuredTurn[];
}

/**
 * Returns the cost of certainty in `live` and `matrix` series, whose processes are warmed up as in a comparison and serve every scenario of the
 * matrix: for each server and number of scenarios, with the first 1, 2, ... windows of each turn counted, for all places together and
 * for each place. The spread is over rounds and cells together, and `rounds` is how many turns these are. Only duet rounds in
 * which no cell has been decided yet enter, of plans with one server. `warmupSeconds` is what lay between the windows of one turn
 * and the next, as measured, so it does not hold for place 1; every cell has an equal share of the overhead, first warm-up included.
 */
export function placeCosts(series: readonly Series[]): readonly PlaceCost[] {
	const rounds = sameSeries(series, 'live', 'matrix').flatMap(fullRounds);
	const layouts = Map.groupBy(rounds, ({ plan: { cells, timing } }) =>
		JSON.stringify([cells[0]?.server, cells.length, timing.windows, timing.windowSeconds]),
	);
	return [...layouts.values()].flatMap((alike) => {
		const { plan } = alike[0] as FullRound;
		const places = [null, ...plan.cells.map((_, index) => index + 1)];
		const counts = Array.from({ length: plan.timing.windows }, (_, index) => index + 1);
		return places.flatMap((place) => counts.flatMap((count) => costAt(alike, plan, place, count) ?? []));
	});
}

function fullRounds(series: Series): readonly FullRound[] {
	const plan = planOf(series, 'duet');
	if (!plan || new Set(plan.cells.map(({ server }) => server)).size !== 1) return [];
	return roundsOf(series, 'duet')
		.filter((round) => round.cells.length === plan.cells.length)
		.map((round) => ({ plan, round, turns: turnsOf(plan, round) }));
}

function costAt(rounds: readonly FullRound[], plan: Plan, place: number | null, count: number): PlaceCost | null {
	const turns = rounds.flatMap((full) => full.turns).filter((turn) => place === null || turn.place === place);
	const d = turns.flatMap(({ cellRound }) => {
		const cut = cutWindows(cellRound, 0, count);
		return cut ? (roundDifferences(cut).throughput ?? []) : [];
	});
	const cells = plan.cells.length;
	const overheads = rounds.flatMap(({ round }) => overheadOf(plan, round, cells) ?? []);
	const gaps = rounds.flatMap(({ round }) => gapsOf(round));
	if (d.length < 2 || overheads.length === 0) return null;
	const countedSeconds = count * plan.timing.windowSeconds;
	const secondsPerCell = median(overheads) / cells + countedSeconds;
	const { sd, robustSd } = spreadWithin([d]);
	return {
		place,
		server: plan.cells[0]?.server ?? '',
		warmupSeconds: gaps.length === 0 ? 0 : median(gaps),
		countedSeconds,
		scenariosPerProcess: cells,
		rounds: d.length,
		sd,
		robustSd,
		bias: meanOf(d.map((value) => 100 * value)),
		secondsPerCell,
		cost: costOf(sd, secondsPerCell),
	};
}
