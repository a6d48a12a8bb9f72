/** Plans a comparison or a ranking on several machines. */
import type { RankingRequest } from '../config/ranking/resolve-ranking.ts';
import { hashOf } from '../formats/order-keys.ts';
import { sealPlan } from '../formats/plan-file.ts';
import { planPairs } from '../plan/ranking-pairs.ts';
import { type DividedRanking, divideRanking, type OwnPart, partOf } from '../plan/shards/divide-ranking.ts';
import { type AskedPlan, planShards } from '../plan/shards/plan-shards.ts';
import { identifySides } from '../prepare/revision/resolve-revision.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Config } from '../types/config.ts';
import type { Timing } from '../types/plan.ts';
import type { PlannedSides, ShardPlan } from '../types/shards.ts';
import type { Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import type { AskedPair } from './verify-pair.ts';

export interface PlanOptions
	extends Omit<AskedPlan, 'sides' | 'configHash' | 'tool' | 'createdAt'>,
		Omit<IdentifyOptions, 'config'> {
	readonly revisions: Sides<string>;
}

export type IdentifyOptions = Pick<
	AskedPair,
	'config' | 'cwd' | 'cacheFolder' | 'node' | 'janitor' | 'progress' | 'signal' | 'labels'
>;

/** Plans a comparison in shards, without building. Throws UserError for missing revisions. */
export async function planMatrix(options: PlanOptions): Promise<ShardPlan> {
	const sides = await identify(options, options.revisions);
	const made = {
		sides,
		configHash: hashOfConfig(options.config),
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: new Date().toISOString(),
	} as const;
	return sealPlan(planShards({ ...options, ...made }));
}

export async function identify(options: IdentifyOptions, revisions: Sides<string>): Promise<PlannedSides> {
	const { config, cwd, cacheFolder, node, janitor, progress, signal, labels } = options;
	const context = { cwd, toolRoot: TOOL_ROOT, cacheFolder, node, janitor, progress, signal };
	return identifySides(config, revisions, { ...context, ...(labels && { labels }) });
}

/** Leaves out the file name and settings of single machines. */
export function hashOfConfig(config: Config): string {
	const {
		file: _file,
		serverCpus: _server,
		loadCpus: _load,
		readyTimeoutSeconds: _ready,
		lanes: _lanes,
		skipUnaffected: _skip,
		...same
	} = config;
	return hashOf(same);
}

export interface PlannedRanking extends DividedRanking {
	/** `shard` counts from 1. Throws UserError for others. */
	readonly partOf: (shard: number) => OwnPart;
}

type AskedRanking = Pick<RankingRequest, 'config' | 'reference' | 'precision' | 'rounds' | 'reproduce'>;

/**
 * Divides a ranking among at most `count` machines; null for as many as are worth it. There is no file: its inputs are
 * fixed, unlike branches, so machines agree.
 */
export function planRanking(options: AskedRanking, timing: Timing, count: number | null): PlannedRanking {
	const { config, reference, precision, rounds, reproduce: whole } = options;
	const all = config.servers.map(({ name }) => name);
	const planned = planPairs(config, all, reference, timing);
	const divided = divideRanking({
		...{ servers: all, groups: planned.groups, rounds, count },
		budget: config.budgetSeconds,
	});
	const servers = divided.shards.map(({ cells }) => cells);
	// Shares do not depend on the seed.
	const configHash = hashOfConfig({ ...config, seed: 0 });
	const planHash = hashOf({ version: toolVersion(), configHash, reference, precision, rounds, timing, servers });
	return {
		...divided,
		partOf: (shard) => partOf(planned, { shard, servers, planHash, whole }),
	};
}
