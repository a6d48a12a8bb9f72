import { countRows, type Plan } from '../types/plan.ts';
import type { Raw } from '../types/result.ts';
import type { LaneRun } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import { decide, decideParts, type Part } from './decide.ts';
import { warn } from './warnings.ts';

export type Divided = Pick<Raw, 'plan' | 'rounds' | 'ended' | 'shards' | 'lanes'>;

/** Returns the parts of a run. Lanes divide a machine's run as shards divide a gathered run. */
export function partsOf({ plan, rounds, ended, shards, lanes }: Divided): Part[] {
	if (shards === undefined) return inLanes({ plan, rounds, ended }, lanes);
	const byShard = Map.groupBy(rounds, (round) => round.shard);
	return shards
		.filter((run) => run.state === 'complete')
		.toSorted((a, b) => a.shard - b.shard)
		.flatMap((run) => {
			const part: Part = {
				plan: ofShard(plan, run.cells),
				rounds: byShard.get(run.shard) ?? [],
				ended: run.ended ?? 'interrupted',
				shard: run.shard,
			};
			return inLanes(part, run.lanes);
		});
}

function inLanes(part: Part, lanes: readonly LaneRun[] | undefined): Part[] {
	if (lanes === undefined) return [part];
	const byLane = Map.groupBy(part.rounds, (round) => round.lane);
	return lanes
		.toSorted((a, b) => a.lane - b.lane)
		.map(({ lane, cells, ended }) => ({
			...part,
			plan: ofShard(part.plan, cells),
			rounds: byLane.get(lane) ?? [],
			ended,
			lane,
		}));
}

/** Returns the plan of a shard or lane, with the size of the whole family. */
export function ofShard(whole: Plan, ids: readonly string[]): Plan {
	const cellIds = new Set(ids);
	return {
		...whole,
		cells: whole.cells.filter(({ id }) => cellIds.has(id)),
		oneSided: whole.oneSided.filter(({ id }) => cellIds.has(id)),
		family: whole.family ?? countRows(whole),
	};
}

export function decideRaw(raw: Divided): Decision {
	const { shards, lanes, plan } = raw;
	if (shards === undefined && lanes === undefined) return decide(plan, raw.rounds, raw.ended);
	return decideParts(plan, partsOf(raw), (cell) => whyMissing(cell, shards ?? []));
}

function whyMissing(cell: string, shards: NonNullable<Raw['shards']>): Warning {
	const run = shards.find(({ cells }) => cells.includes(cell));
	const state = run?.state === 'cut-off' ? 'cut-off' : 'missing';
	return warn('shard-missing', { shard: run?.shard ?? 0, of: shards.length, state });
}
