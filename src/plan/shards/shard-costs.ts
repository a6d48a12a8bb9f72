/** How long each cell is expected to take. */
import { median } from 'simple-statistics';
import type { Config } from '../../types/config.ts';
import type { Cell } from '../../types/plan.ts';
import type { Raw } from '../../types/result.ts';
import type { ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';
import { cellSeconds, pairSeconds, timingFor } from '../timing.ts';

/** Rounds that a cell takes on average until it is decided (docs/statistics.md, "Shards"). */
const USUAL_ROUNDS = 10;
/** Installing and building two sides, where no earlier run tells. */
export const USUAL_SETUP: Seconds = 90;

/**
 * Returns what measuring `cells` is expected to take: by the rounds of `earlier` raw data, a whole run or a gathered one, where there
 * are any; cells it does not have get the median of the others. Else by the lengths of warm-ups and windows.
 */
export function costsOf(
	cells: readonly Cell[],
	config: Pick<Config, 'design' | 'warmupSeconds'>,
	earlier: Raw | null,
): ShardCosts {
	const timing = timingFor(config);
	const known = earlier && measuredCosts(earlier);
	const measured = cells.flatMap(({ id }) => known?.cells.get(id) ?? []);
	const usual = measured.length > 0 ? median(measured) : cellSeconds(USUAL_ROUNDS, config.design, timing);
	const servers = [...new Set(cells.map(({ server }) => server))];
	const pair = (server: string) => {
		const rounds = cells.flatMap((cell) => (cell.server === server ? (known?.rounds.get(cell.id) ?? []) : []));
		return pairSeconds(rounds.length > 0 ? Math.max(...rounds) : USUAL_ROUNDS, timing);
	};
	return {
		source: measured.length > 0 ? 'measured' : 'timing',
		cells: Object.fromEntries(cells.map(({ id }) => [id, known?.cells.get(id) ?? usual])),
		servers: Object.fromEntries(servers.map((server) => [server, pair(server)])),
		setup: known?.setup ?? USUAL_SETUP,
	};
}

/** Seconds and rounds of each cell: a round's time, less what its pairs' starts take, is shared by its cells. */
function measuredCosts({ rounds, plan, timing, shards }: Raw) {
	const cells = new Map<string, Seconds>();
	const counts = new Map<string, number>();
	const start = pairSeconds(1, plan.timing);
	for (const round of rounds) {
		const servers = new Set(round.cells.map(({ cell }) => cell.slice(0, cell.indexOf('/')))).size;
		const each = Math.max(0, round.seconds - servers * start) / Math.max(1, round.cells.length);
		for (const { cell } of round.cells) {
			cells.set(cell, (cells.get(cell) ?? 0) + each);
			counts.set(cell, (counts.get(cell) ?? 0) + 1);
		}
	}
	const setups = (shards ? shards.flatMap((run) => run.timing ?? []) : [timing]).map(
		({ totalSeconds, measuringSeconds }) => totalSeconds - measuringSeconds,
	);
	return { cells, rounds: counts, setup: setups.length > 0 ? Math.max(0, median(setups)) : USUAL_SETUP };
}
