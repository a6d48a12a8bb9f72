/** What the baselines of the main branch say about how long cells take. */
import { median } from 'simple-statistics';
import { planLooks } from '../../plan/looks.ts';
import { cellSeconds, timingFor } from '../../plan/timing.ts';
import type { BaselineCell, BaselineRecord } from '../../types/baseline.ts';
import type { Config } from '../../types/config.ts';
import type { KnownCosts } from '../../types/shards.ts';
import { roundsToDecide } from '../looks/spread.ts';

/** Latest records that count: what a row was like a year ago says little. */
const LATEST = 20;
/** Rounds at which a run of usual length looks. */
const LOOKS = planLooks(20).map(({ rounds }) => rounds);

type Noted = BaselineCell & { readonly roundSd: number };

/**
 * Returns what cells are expected to take by the baselines of the main branch: each is measured until the first look at which rounds
 * that differ as its did, in the median of the latest records, can decide its threshold; of several gated metrics the slowest counts.
 * No value of a record makes that less than the first look or more than the last. Null where no baseline tells.
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
	const costs = [...byCell].map(([id, own]) => {
		const needed = [...Map.groupBy(own, ({ metric }) => metric).values()].map(lookOf);
		const rounds = Math.max(...needed);
		return [id, { rounds, seconds: cellSeconds(rounds, design, timing) }] as const;
	});
	return costs.length === 0 ? null : { source: 'baselines', cells: new Map(costs), setup: null };
}

function isNoted(cell: BaselineCell): cell is Noted {
	return cell.roundSd !== null;
}

/** Rounds of the look at which a row is decided. `cells` are of one row, the latest first. */
function lookOf(cells: readonly Noted[]): number {
	const { threshold = 0 } = cells[0] ?? {};
	const needed = roundsToDecide(median(cells.map(({ roundSd }) => roundSd)), threshold);
	return LOOKS.find((rounds) => rounds >= needed) ?? (LOOKS.at(-1) as number);
}
