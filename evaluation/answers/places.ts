/**
 * Question 1, for many scenarios per process: effects of the place of a turn in its process, and of the number of
 * windows.
 */
import { mean, median } from 'simple-statistics';
import { roundDifferences } from '../../src/stats/differences.ts';
import type { Plan } from '../../src/types/plan.ts';
import { gapsOf, overheadOf } from '../replay/overhead.ts';
import { meanOf } from '../replay/share.ts';
import type { PlaceCost } from '../results.ts';
import type { Series } from '../series.ts';
import { certaintyOf } from './spread.ts';
import { cutWindows, type PlannedRound, plannedRounds, sameSeries } from './turns.ts';

/**
 * Returns the cost of certainty in `live` and `matrix` series, whose processes are warmed up as in a comparison and
 * serve every scenario of the matrix: for each server and number of scenarios, with the first 1, 2, ... windows of each
 * turn counted, for all places together and for each place. The spread is over rounds and cells together, and `rounds`
 * counts these turns; the mean is over process pairs. Uses only duet rounds before the first decision, of plans with
 * one server. `warmupSeconds` is the measured time between the windows of one turn and the next, so it does not hold
 * for place 1; every cell has an equal share of the overhead, first warm-up included.
 */
export function placeCosts(series: readonly Series[]): readonly PlaceCost[] {
	const rounds = sameSeries(series, 'live', 'matrix').flatMap(fullRounds);
	const layouts = Map.groupBy(rounds, ({ plan: { cells, timing } }) =>
		JSON.stringify([cells[0]?.server, cells.length, timing.windows, timing.windowSeconds]),
	);
	return [...layouts.values()].flatMap((alike) => {
		const { plan } = alike[0] as PlannedRound;
		const places = [null, ...plan.cells.map((_, index) => index + 1)];
		const counts = Array.from({ length: plan.timing.windows }, (_, index) => index + 1);
		return places.flatMap((place) => counts.flatMap((count) => costAt(alike, plan, place, count) ?? []));
	});
}

function fullRounds(series: Series): readonly PlannedRound[] {
	const hasOneServer = ({ cells }: Plan) => new Set(cells.map(({ server }) => server)).size === 1;
	return plannedRounds(series, 'duet').filter(
		({ plan, round }) => hasOneServer(plan) && round.cells.length === plan.cells.length,
	);
}

function costAt(rounds: readonly PlannedRound[], plan: Plan, place: number | null, count: number): PlaceCost | null {
	const pairs = rounds
		.map(({ turns }) =>
			turns
				.filter((turn) => place === null || turn.place === place)
				.flatMap(({ cellRound }) => {
					const cut = cutWindows(cellRound, 0, count);
					return cut ? (roundDifferences(cut).throughput ?? []) : [];
				}),
		)
		.filter((d) => d.length > 0);
	const d = pairs.flat();
	const cells = plan.cells.length;
	const overheads = rounds.flatMap(({ round }) => overheadOf(plan, round, cells) ?? []);
	const gaps = rounds.flatMap(({ round }) => gapsOf(round));
	if (d.length < 2 || overheads.length === 0) return null;
	const countedSeconds = count * plan.timing.windowSeconds;
	const secondsPerCell = median(overheads) / cells + countedSeconds;
	return {
		place,
		server: plan.cells[0]?.server ?? '',
		warmupSeconds: gaps.length === 0 ? 0 : median(gaps),
		countedSeconds,
		scenariosPerProcess: cells,
		...certaintyOf(d, secondsPerCell),
		// Turns of one pair share its processes, so their mean is one value.
		bias: meanOf(pairs.map((values) => 100 * mean(values))),
	};
}
