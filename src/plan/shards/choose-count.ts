/** The number of shards that pays off. */
import type { Cell } from '../../types/plan.ts';
import type { PlannedShard, ShardCosts } from '../../types/shards.ts';
import type { Seconds } from '../../types/units.ts';
import { balanceShards, shardSeconds } from './balance.ts';

/** Concurrent jobs of a free GitHub account. */
const MOST_CHOSEN = 20;

type Divided = Pick<Cell, 'id' | 'server'>;

export interface ShardPrice {
	readonly count: number;
	/** From start to the slowest end, with preparation. */
	readonly waitSeconds: Seconds;
	readonly machineSeconds: Seconds;
}

/**
 * Returns how many shards are needed if each measures within `budget`: at most 20, and so few that no shard prepares
 * longer than it measures.
 */
export function chooseCount(cells: readonly Divided[], costs: ShardCosts, budget: Seconds): number {
	const total = shardSeconds(cells, costs);
	const wanted = Math.ceil(total / budget);
	const worth = costs.setup > 0 ? Math.floor(total / costs.setup) : MOST_CHOSEN;
	return Math.max(1, Math.min(wanted, worth, MOST_CHOSEN, cells.length));
}

function priceOf(shards: readonly PlannedShard[], { setup }: ShardCosts, budget: Seconds): ShardPrice {
	const each = shards.map(({ expectedSeconds }) => setup + Math.min(expectedSeconds, budget));
	return {
		count: shards.length,
		waitSeconds: Math.max(...each),
		machineSeconds: each.reduce((sum, seconds) => sum + seconds, 0),
	};
}

export function pricesAround(
	cells: readonly Divided[],
	costs: ShardCosts,
	budget: Seconds,
	count: number,
): readonly ShardPrice[] {
	const possible = [count - 1, count, count + 1].filter((some) => some >= 1 && some <= cells.length);
	return possible.map((some) => priceOf(balanceShards(cells, costs, some), costs, budget));
}
