/** Files of the shards of a measuring run, made from the raw data of one machine. */
import { sealPlan } from '../../../src/formats/plan-file.ts';
import { ofShard } from '../../../src/judge/run-parts.ts';
import { planShards } from '../../../src/plan/shards/plan-shards.ts';
import type { Raw } from '../../../src/types/result.ts';
import type { PlannedRun, ShardPlan, ShardStamp } from '../../../src/types/shards.ts';
import { configOf, configText, STEADY } from './raw-cases.ts';
import { MEASURED } from './reporting.ts';

/** The run that made the plan. */
export const RUN: PlannedRun = {
	id: `${MEASURED.id}`,
	attempt: 1,
	adopting: false,
	mayBeUnchanged: false,
	warnings: [],
};
const { base, head, tool } = STEADY.context;
const side = ({ revision, kind, label, sha = '' }: typeof base) => ({ revision, kind, label, sha, content: sha });

/** Returns the plan of three shards from the base branch's config. */
export function planOf(
	changes: Partial<ShardPlan> = {},
	config = configText(),
	sameCode: readonly string[] = [],
): ShardPlan {
	const sides = { base: side(base), head: side(head) };
	const request = { config: configOf(config), sides, count: 3, known: null, sameCode };
	const made = { options: {}, configHash: 'c'.repeat(64), tool, createdAt: '2026-11-23T00:00:00.000Z', run: RUN };
	return sealPlan({ ...planShards({ ...request, ...made }), ...changes });
}

const PLAN = planOf();

/** Returns the file of one shard, cut from the raw data of a single machine. */
export function shardOf(whole: Raw, shard: number, plan = PLAN, stamp: Partial<ShardStamp> = {}): Raw {
	const cells = plan.shards[shard - 1]?.cells ?? [];
	return {
		...whole,
		plan: ofShard({ ...whole.plan, looks: plan.looks, family: plan.m }, cells),
		rounds: whole.rounds.map((round) => ({ ...round, cells: round.cells.filter(({ cell }) => cells.includes(cell)) })),
		shard: { shard, of: 3, planHash: plan.planHash, runId: RUN.id, attempt: 1, complete: true, ...stamp },
	};
}
