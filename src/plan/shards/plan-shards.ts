import type { Config } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import { type Cell, countRows, type Look } from '../../types/plan.ts';
import {
	type KnownCosts,
	PLAN_SCHEMA_VERSION,
	type PlannedRun,
	type PlannedShard,
	type PlannedSides,
	type ShardPlan,
} from '../../types/shards.ts';
import { planLooks } from '../looks.ts';
import { type AskedCells, planCells } from '../plan-cells.ts';
import { planMaxRounds } from '../plan-run.ts';
import { balanceShards } from './balance.ts';
import { chooseCount } from './choose-count.ts';
import { costsOf } from './shard-costs.ts';

/** What a plan is made from. */
export interface AskedPlan extends AskedCells {
	readonly sides: PlannedSides;
	/** How many shards; as many as are worth it when null. */
	readonly count: number | null;
	/** What is known of the costs of cells. */
	readonly known: KnownCosts | null;
	/** Options as they were typed, with the seed. */
	readonly options: Readonly<Record<string, string>>;
	readonly configHash: string;
	readonly tool: ShardPlan['tool'];
	/** ISO 8601. */
	readonly createdAt: string;
	/** Whether servers are not measured that turn out to run the same packed code on both sides. */
	readonly skipUnchanged?: boolean;
	/** Where a workflow asks. */
	readonly run?: PlannedRun;
}

/**
 * Returns a matrix divided among machines, before its hash. All shards have the same looks: those of a run in which even the shard
 * with the most to do gets as many rounds. Throws as `planCells` does.
 */
export function planShards(asked: AskedPlan): Omit<ShardPlan, 'planHash'> {
	const { config, sides, count, options, configHash, tool, createdAt, skipUnchanged, run } = asked;
	const { cells, oneSided } = planCells(config, presenceBefore(asked));
	if (cells.length === 0) throw nothingToDivide();
	const costs = costsOf(cells, config, asked.known);
	const shards = balanceShards(cells, costs, count ?? chooseCount(cells, costs, config.budgetSeconds));
	return {
		schemaVersion: PLAN_SCHEMA_VERSION,
		kind: 'benchgate-plan',
		tool,
		createdAt,
		seed: config.seed,
		design: config.design,
		metrics: config.gate.metrics,
		m: countRows({ cells, metrics: config.gate.metrics }),
		looks: shardLooks(config, cells, shards),
		budget: config.budgetSeconds,
		threshold: config.threshold,
		tolerance: config.tolerance,
		gate: config.gate,
		configHash,
		base: sides.base,
		head: sides.head,
		options,
		cells,
		oneSided,
		shards,
		costs,
		...(skipUnchanged && { skipUnchanged }),
		...(run && { run }),
	};
}

/** Returns the looks of all shards: those of a run in which even the shard with the most to do gets as many rounds. */
export function shardLooks(
	config: Config,
	cells: readonly Cell[],
	shards: readonly Pick<PlannedShard, 'cells'>[],
): readonly Look[] {
	return planLooks(Math.min(...shards.map((shard) => planMaxRounds(config, cellsIn(shard.cells, cells)))));
}

function cellsIn<T extends { readonly id: string }>(ids: readonly string[], cells: readonly T[]): T[] {
	return cells.filter(({ id }) => ids.includes(id));
}

/** What the sides have as far as their configs say: nothing is prepared yet. */
function presenceBefore({ config, sideConfigs, mergeBase, sameCode }: AskedCells) {
	const names = config.servers.map(({ name }) => name);
	return {
		servers: { base: names, head: names },
		...(sideConfigs && { configs: sideConfigs }),
		...(mergeBase !== undefined && { mergeBase }),
		...(sameCode && { sameCode }),
	};
}

function nothingToDivide(): UserError {
	return new UserError({
		code: 'nothing-to-divide',
		message: 'no row is on both sides, so there is nothing to divide among machines',
		remedy: 'compare on one machine: it says which side lacks what',
	});
}
