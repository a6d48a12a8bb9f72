/** How many shards are worth it. */
import type { Cell } from '../../types/plan.ts';
import type { PlannedShard, ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';
import { balanceShards, shardSeconds } from './balance.ts';

/** Most shards that are chosen for somebody: as many jobs as a free account may run at once. */
const MOST_CHOSEN = 20;

/** What is divided: cells, or whole servers. */
type Divided = Pick<Cell, 'id' | 'server'>;

/** What a number of shards would cost. */
export interface ShardPrice {
	readonly count: number;
	/** From the start of the shards to the end of the slowest, preparing included. */
	readonly waitSeconds: Seconds;
	/** Of all machines together. */
	readonly machineSeconds: Seconds;
}

/**
 * Returns how many shards `cells` are worth: as many as it takes that each measures no longer than `budget`, but none that would
 * prepare longer than it measures, and no more than 20.
 */
export function chooseCount(cells: readonly Divided[], costs: ShardCosts, budget: Seconds): number {
	const total = shardSeconds(cells, costs);
	const wanted = Math.ceil(total / budget);
	const worth = costs.setup > 0 ? Math.floor(total / costs.setup) : MOST_CHOSEN;
	return Math.max(1, Math.min(wanted, worth, MOST_CHOSEN, cells.length));
}

/** Returns what these shards cost; each measures for the budget at most. */
function priceOf(shards: readonly PlannedShard[], { setup }: ShardCosts, budget: Seconds): ShardPrice {
	const each = shards.map(({ expectedSeconds }) => setup + Math.min(expectedSeconds, budget));
	return {
		count: shards.length,
		waitSeconds: Math.max(...each),
		machineSeconds: each.reduce((sum, seconds) => sum + seconds, 0),
	};
}

/** Returns what one shard fewer, as many, and one more would cost, where there can be that many. */
export function pricesAround(
	cells: readonly Divided[],
	costs: ShardCosts,
	budget: Seconds,
	count: number,
): readonly ShardPrice[] {
	const possible = [count - 1, count, count + 1].filter((some) => some >= 1 && some <= cells.length);
	return possible.map((some) => priceOf(balanceShards(cells, costs, some), costs, budget));
}
