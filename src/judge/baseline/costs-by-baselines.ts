import { median } from 'simple-statistics';
import { planLooks } from '../../plan/looks.ts';
import { cellSeconds, timingFor } from '../../plan/timing.ts';
import type { BaselineCell, BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import type { KnownCosts } from '../../types/shards.ts';
import { roundsToDecide } from '../looks/spread.ts';

const LATEST = 20;
const LOOKS = planLooks(20).map(({ rounds }) => rounds);

type Noted = BaselineCell & { readonly roundSd: number };

/**
 * Returns each cell's expected cost: the time until the look that decides its slowest gated metric, the first with
 * enough rounds to decide the threshold at the median spread of the latest records. Null without a usable baseline.
 */
export function costsByBaselines(
	records: readonly BaselineRecord[],
	config: Pick<Config, 'design' | 'warmupSeconds' | 'gate'>,
): KnownCosts | null {
	const { design, gate } = config;
	const timing = timingFor(config);
	const latest = records.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, LATEST);
	const rows = latest
		.flatMap(({ cells }) => cells.filter(isNoted))
		.filter(({ metric }) => gate.metrics.includes(metric));
	const byCell = Map.groupBy(rows, ({ server, scenario }) => `${server}/${scenario}`);
	const costs = [...byCell].map(([id, cellRows]) => {
		const needed = [...Map.groupBy(cellRows, ({ metric }) => metric).values()].map(lookOf);
		const rounds = Math.max(...needed);
		return [id, { rounds, seconds: cellSeconds(rounds, design, timing) }] as const;
	});
	return costs.length === 0 ? null : { source: 'baselines', cells: new Map(costs), setup: null };
}

function isNoted(cell: BaselineCell): cell is Noted {
	return cell.roundSd !== null;
}

/** The rounds of the look that decides the row of `cells` (latest first). */
function lookOf(cells: readonly Noted[]): number {
	const { threshold = 0 } = cells[0] ?? {};
	const needed = roundsToDecide(median(cells.map(({ roundSd }) => roundSd)), threshold);
	return LOOKS.find((rounds) => rounds >= needed) ?? (LOOKS.at(-1) as number);
}
