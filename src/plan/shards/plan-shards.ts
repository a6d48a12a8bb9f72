import { createRandom } from '../../stats/random.ts';
import { nameAll } from '../../text/phrase.ts';
import type { Config } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import { type Cell, countRows, type Look, type OneSidedCell } from '../../types/plan.ts';
import {
	type KnownCosts,
	PLAN_SCHEMA_VERSION,
	type PlannedRun,
	type PlannedShard,
	type PlannedSides,
	type ShardPlan,
} from '../../types/shards.ts';
import { drawAudit } from '../draw-audit.ts';
import { planLooks } from '../looks.ts';
import { type AskedCells, type PlannedCells, planCells } from '../plan-cells.ts';
import { planMaxRounds } from '../plan-run.ts';
import { divideCells } from './divide.ts';
import { costsOf } from './shard-costs.ts';

export interface AskedPlan extends AskedCells {
	readonly sides: PlannedSides;
	/** Number of shards; null chooses it. */
	readonly count: number | null;
	readonly known: KnownCosts | null;
	/** As typed, with the seed. */
	readonly options: Readonly<Record<string, string>>;
	readonly configHash: string;
	readonly tool: ShardPlan['tool'];
	/** ISO 8601. */
	readonly createdAt: string;
	/** Skip servers whose packed code turns out equal. */
	readonly skipUnchanged?: boolean;
	readonly run?: PlannedRun;
}

export function planShards(planOptions: AskedPlan): Omit<ShardPlan, 'planHash'> {
	const { config, sides, count, options, configHash, tool, createdAt, skipUnchanged, run } = planOptions;
	const { cells, oneSided, audited } = withAudited(planCells(config, presenceBefore(planOptions)), config.seed);
	if (cells.length === 0) throw nothingToDivide(oneSided);
	const costs = costsOf(cells, config, planOptions.known);
	const shards = divideCells(cells, costs, config.budgetSeconds, count);
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
		...(audited.length > 0 && { audited }),
		...(skipUnchanged && { skipUnchanged }),
		...(run && { run }),
	};
}

/** Returns the looks of all shards, for which even the fullest shard has rounds. */
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

/** Nothing is prepared yet, so all servers count as present. */
function presenceBefore({ config, sideConfigs, mergeBase, sameCode, unaffected }: AskedCells) {
	const names = config.servers.map(({ name }) => name);
	return {
		servers: { base: names, head: names },
		...(sideConfigs && { configs: sideConfigs }),
		...(mergeBase !== undefined && { mergeBase }),
		...(sameCode && { sameCode }),
		...(unaffected && { unaffected }),
	};
}

const ONE_STREAM = 32;

/** Moves audited rows to those measured. Shards need a row to give a result. */
function withAudited(
	{ cells, oneSided }: PlannedCells,
	seed: number,
): Pick<PlannedCells, 'cells' | 'oneSided'> & { readonly audited: readonly string[] } {
	const unaffected = oneSided.flatMap(({ id, verdict }) => (verdict === 'unaffected' ? id : []));
	const drawn = drawAudit(unaffected, seed);
	const audited =
		cells.length + drawn.length > 0 ? drawn : createRandom(seed, ONE_STREAM).shuffle(unaffected).slice(0, 1);
	const isAudited = ({ id }: OneSidedCell) => audited.includes(id);
	const measured = oneSided.filter(isAudited).map(({ verdict: _verdict, reason: _reason, ...cell }): Cell => cell);
	return { cells: [...cells, ...measured], oneSided: oneSided.filter((cell) => !isAudited(cell)), audited };
}

const MOST_NAMED = 5;
const PLACES: readonly (readonly [OneSidedCell['verdict'], string])[] = [
	['new', 'only in head'],
	['removed', 'only in base'],
	['same-code', 'the same code on both sides'],
];

/** A row that is gone in head must fail here too, as on one machine. */
function nothingToDivide(oneSided: readonly OneSidedCell[]): UserError {
	const reasons = PLACES.flatMap(([kind, words]) => {
		const ids = oneSided.flatMap(({ id, verdict }) => (verdict === kind ? id : []));
		return ids.length === 0 ? [] : [`${words}: ${nameAll(ids, MOST_NAMED)}`];
	});
	const isGone = oneSided.some(({ verdict }) => verdict === 'removed');
	return new UserError({
		code: 'nothing-to-divide',
		message: `no row can be measured on both sides, so there is nothing to divide among machines (${reasons.join('; ')})`,
		remedy: isGone
			? 'bring back what is gone in head, or take it out of the config of base first'
			: 'compare this change without shards: one machine reports such rows, and its gate is neither green nor red',
	});
}
