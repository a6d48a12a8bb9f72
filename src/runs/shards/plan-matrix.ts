import { hashOf } from '../../formats/hash-of.ts';
import { sealPlan } from '../../formats/plan-file.ts';
import { type AskedPlan, planShards } from '../../plan/shards/plan-shards.ts';
import { identifySides } from '../../prepare/revision/resolve-revision.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { Config } from '../../types/config.ts';
import type { PlannedSides, ShardPlan } from '../../types/shards.ts';
import type { Sides } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import type { AskedPair } from '../verify-pair.ts';

export interface PlanOptions
	extends Omit<AskedPlan, 'sides' | 'configHash' | 'tool' | 'createdAt'>,
		Omit<IdentifyOptions, 'config'> {
	readonly revisions: Sides<string>;
}

export type IdentifyOptions = Pick<
	AskedPair,
	'config' | 'cwd' | 'cacheFolder' | 'node' | 'janitor' | 'progress' | 'signal' | 'labels'
>;

/** Plans a comparison in shards, without building. Throws a UserError for missing revisions. */
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
