import { countRows, type Plan } from '../../types/plan.ts';
import type { Raw } from '../../types/result.ts';
import type { Part } from '../decide.ts';

/** Returns what each machine measured, by number of shard: one part with everything where nothing was gathered. */
export function partsOf({ plan, rounds, ended, shards }: Pick<Raw, 'plan' | 'rounds' | 'ended' | 'shards'>): Part[] {
	if (shards === undefined) return [{ plan, rounds, ended }];
	const byShard = Map.groupBy(rounds, (round) => round.shard);
	return shards
		.filter((run) => run.state === 'complete')
		.toSorted((a, b) => a.shard - b.shard)
		.map((run) => ({
			plan: ofShard(plan, run.cells),
			rounds: byShard.get(run.shard) ?? [],
			ended: run.ended ?? 'interrupted',
			shard: run.shard,
		}));
}

/** Returns the plan of a shard: the whole one with these cells alone, and the family of all. */
export function ofShard(whole: Plan, ids: readonly string[]): Plan {
	const own = new Set(ids);
	return {
		...whole,
		cells: whole.cells.filter(({ id }) => own.has(id)),
		oneSided: whole.oneSided.filter(({ id }) => own.has(id)),
		family: whole.family ?? countRows(whole),
	};
}
