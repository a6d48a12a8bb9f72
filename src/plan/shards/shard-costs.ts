/** The expected time of each cell. */
import { median } from 'simple-statistics';
import type { Config } from '../../types/config.ts';
import type { Cell } from '../../types/plan.ts';
import type { Raw } from '../../types/result.ts';
import type { KnownCosts, ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';
import { cellSeconds, countingSeconds, pairSeconds, timingFor } from '../timing.ts';

/** Average rounds until a cell is decided (docs/statistics.md, "Shards"). */
const USUAL_ROUNDS = 10;
/** Installing and building two sides, if unknown. */
export const USUAL_SETUP: Seconds = 90;

type Asked = Pick<Config, 'design' | 'warmupSeconds'> & Partial<Pick<Config, 'gate'>>;

/**
 * Returns the expected costs of `cells`. Unknown costs are the median of the known ones or, if all are unknown, follow
 * from the timing.
 */
export function costsOf(cells: readonly Cell[], config: Asked, knownCosts: KnownCosts | null): ShardCosts {
	const timing = timingFor(config);
	const measured = cells.flatMap(({ id }) => knownCosts?.cells.get(id)?.seconds ?? []);
	const usual = measured.length > 0 ? median(measured) : cellSeconds(USUAL_ROUNDS, config.design, timing);
	const counting = (cell: Cell) => countingSeconds([cell], config.gate?.metrics ?? []);
	const servers = [...new Set(cells.map(({ server }) => server))];
	const pair = (server: string) => {
		const rounds = cells.flatMap(({ id, server: cellServer }) =>
			cellServer === server ? (knownCosts?.cells.get(id)?.rounds ?? []) : [],
		);
		return pairSeconds(rounds.length > 0 ? Math.max(...rounds) : USUAL_ROUNDS, timing);
	};
	return {
		source: knownCosts && measured.length > 0 ? knownCosts.source : 'timing',
		cells: Object.fromEntries(
			cells.map((cell) => [cell.id, (knownCosts?.cells.get(cell.id)?.seconds ?? usual) + counting(cell)]),
		),
		servers: Object.fromEntries(servers.map((server) => [server, pair(server)])),
		setup: knownCosts?.setup ?? USUAL_SETUP,
	};
}

/** Returns a run's costs by cell, without counts. The time of a round without its starts is divided evenly. */
export function earlierCosts({
	rounds,
	plan,
	timing,
	shards,
}: Pick<Raw, 'rounds' | 'plan' | 'timing' | 'shards'>): KnownCosts {
	const cells = new Map<string, { readonly seconds: Seconds; readonly rounds: number }>();
	const start = pairSeconds(1, plan.timing);
	for (const round of rounds.filter(({ purpose }) => purpose !== 'count')) {
		const servers = new Set(round.cells.map(({ cell }) => cell.slice(0, cell.indexOf('/')))).size;
		const each = Math.max(0, round.seconds - servers * start) / Math.max(1, round.cells.length);
		for (const { cell } of round.cells) {
			const sofar = cells.get(cell) ?? { seconds: 0, rounds: 0 };
			cells.set(cell, { seconds: sofar.seconds + each, rounds: sofar.rounds + 1 });
		}
	}
	const setups = (shards ? shards.flatMap((run) => run.timing ?? []) : [timing]).map(
		({ totalSeconds, measuringSeconds }) => totalSeconds - measuringSeconds,
	);
	return { source: 'measured', cells, setup: setups.length > 0 ? Math.max(0, median(setups)) : null };
}
