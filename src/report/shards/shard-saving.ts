/** What one more shard would have saved. */
import { median } from 'simple-statistics';
import { balanceShards } from '../../plan/shards/balance.ts';
import { formatDuration } from '../../text/numbers.ts';
import type { ShardRun } from '../../types/result.ts';
import type { Seconds } from '../../types/units.ts';

/** Less is worth no machine. */
const WORTH: Seconds = 10;

/**
 * Returns what one more shard would have saved of the slowest one's time, by what these took; null where some did not come to their end,
 * and where every cell has a machine already. Cells of a shard count as equally long, because the result does not say more.
 */
export function describeSaving(shards: readonly ShardRun[]): string | null {
	const timed = shards.flatMap(({ cells, timing }) => (timing ? [{ cells, timing }] : []));
	const cells = timed.flatMap(({ cells: own }) => own.map((id) => ({ id, server: id.slice(0, id.indexOf('/')) })));
	if (timed.length === 0 || timed.length < shards.length || cells.length <= shards.length) return null;
	const setups = timed.map(({ timing }) => timing.totalSeconds - timing.measuringSeconds);
	const each = timed.flatMap(({ cells: own, timing }) =>
		own.map((id) => [id, timing.measuringSeconds / own.length] as const),
	);
	const costs = { source: 'measured', cells: Object.fromEntries(each), servers: {}, setup: median(setups) } as const;
	const next = balanceShards(cells, costs, shards.length + 1);
	const slowest = Math.max(...timed.map(({ timing }) => timing.measuringSeconds));
	const saved = slowest - Math.max(...next.map(({ expectedSeconds }) => expectedSeconds));
	return saved < WORTH
		? 'one more shard would have saved next to nothing'
		: `one more shard would have saved about ${formatDuration(saved)}`;
}
