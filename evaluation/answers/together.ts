/** Question 6: are two pairs at the same time on the same CPUs cheaper than one after the other? */
import type { Together } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { costOf, spreadWithin } from './spread.ts';
import { planOf, sameSeries, turnsOf } from './turns.ts';

const NAME = /^together-(\d+)-/;

/**
 * Returns one line for each server of each series of the experiment `together`, whose name `together-N-…` has the
 * number of pairs measured at once; with several servers `id` ends in the line's own, after a colon. SDs are of d of
 * throughput over duet rounds (log units, around each cell's own mean). A cell's wall time is the mean length of a
 * round, which holds all pairs measured at once, divided by the cells in it. Lines of fewer than two rounds are left
 * out. Throws an Error for a name without that number.
 */
export function together(series: readonly Series[]): readonly Together[] {
	return sameSeries(series, 'together').flatMap(describe);
}

function describe(series: Series): readonly Together[] {
	const pairsAtOnce = Number(NAME.exec(series.id)?.[1]);
	if (!(pairsAtOnce >= 1)) throw new Error(`the name ${series.id} does not say how many pairs were measured at once`);
	const plan = planOf(series, 'duet');
	const rounds = roundsOf(series, 'duet');
	if (!plan || rounds.length < 2) return [];
	const measured = rounds.reduce((sum, round) => sum + round.cells.length, 0);
	const secondsPerCell = rounds.reduce((sum, round) => sum + round.seconds, 0) / measured;
	const servers = Map.groupBy(
		rounds.flatMap((round) => turnsOf(plan, round)),
		({ server }) => server,
	);
	return [...servers].flatMap(([server, turns]) => {
		const cells = [...Map.groupBy(turns, ({ cellRound }) => cellRound.cell).values()];
		const groups = cells.map((some) => some.flatMap(({ d }) => d.throughput ?? []));
		const rounds = Math.max(...groups.map((group) => group.length));
		if (rounds < 2) return [];
		const { sd, robustSd } = spreadWithin(groups);
		const id = servers.size === 1 ? series.id : `${series.id}: ${server}`;
		return [{ id, pairsAtOnce, rounds, sd, robustSd, secondsPerCell, cost: costOf(sd, secondsPerCell) }];
	});
}
