import { decide } from '../judge/decide.ts';
import { ofShard } from '../judge/run-parts.ts';
import { findShard } from '../plan/shards/divide.ts';
import type { Unchanged } from '../prepare/content/prepare-changed.ts';
import { plainText } from '../text/escape.ts';
import type { Config } from '../types/config.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { Plan } from '../types/plan.ts';
import type { Raw } from '../types/result.ts';
import type { PlannedShard, PlannedSide, PlannedSides, ShardPlan, ShardStamp } from '../types/shards.ts';
import { SIDES, type Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { describeProgress } from './describe-progress.ts';
import { hashOfConfig, identify } from './plan-shards.ts';
import { preparing } from './run-comparison.ts';
import { type PairOptions, runPair } from './run-pair.ts';

const QUOTE_LIMIT = 200;

export interface ShardOptions extends Omit<PairOptions, 'revisions' | 'labels' | 'elsewhere'> {
	readonly plan: ShardPlan;
	/** From 1. */
	readonly shard: number;
	readonly runId: string;
	readonly attempt: number;
	/** Set for plans whose shards would all find the same code. */
	readonly skipUnchanged?: boolean;
}

/**
 * Measures one shard and decides it with the family of all cells. Returns stamped raw data, `complete` unless
 * interrupted. Throws UserError with exit code 3 when code, config or benchgate differ from the plan's.
 */
export async function runShard(options: ShardOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runShard(options: ShardOptions): Promise<Raw | Unchanged>;
export async function runShard(options: ShardOptions): Promise<Raw | Unchanged> {
	const { plan, shard, runId, attempt } = options;
	const plannedShard = findShard(plan.shards, shard, 'plan');
	checkTool(plan);
	checkConfig(plan, options.config);
	const shardOptions = { ...options, ...divideServers(plan, plannedShard, options.config) };
	const revisions = revisionsOf(plan);
	const labels = { base: plan.base.label, head: plan.head.label };
	await checkSides(plan, options, revisions);
	const stamp = (raw: Raw, complete: boolean): Raw => {
		const shardStamp: ShardStamp = { shard, of: plan.shards.length, planHash: plan.planHash, runId, attempt, complete };
		return { ...raw, shard: shardStamp };
	};
	const ended = await runPair(
		{ ...shardOptions, revisions, labels, keep: (partial) => options.keep(stamp(partial, false)) },
		{
			prepare: preparing(options.skipUnchanged ? 'run' : plan.skipUnchanged ? 'servers' : 'nothing'),
			lanes: true,
			plan: (whole) => planOf(plan, plannedShard, whole),
			rule: (ownPlan) => ({
				decide: (rounds, reason) => decide(ownPlan, rounds, reason, plan),
				describe: describeProgress,
			}),
		},
	);
	return 'stop' in ended ? ended.stop : stamp(ended, ended.ended !== 'interrupted');
}

/** Returns exact commits, because branches may have moved. */
function revisionsOf(plan: Pick<ShardPlan, 'base' | 'head'>): Sides<string> {
	const exact = ({ sha, revision }: PlannedSide) => (sha === undefined ? revision : `git:${sha}`);
	return { base: exact(plan.base), head: exact(plan.head) };
}

/** Only the shard's servers are prepared. The others show whether the comparison makes sense. */
function divideServers(
	{ cells }: ShardPlan,
	plannedShard: PlannedShard,
	config: Config,
): Pick<PairOptions, 'config' | 'elsewhere'> {
	const all = new Set(cells.map(({ server }) => server));
	const here = new Set(cells.flatMap(({ id, server }) => (plannedShard.cells.includes(id) ? [server] : [])));
	return {
		config: { ...config, servers: config.servers.filter(({ name }) => here.has(name)) },
		elsewhere: config.servers.filter(({ name }) => all.has(name) && !here.has(name)),
	};
}

function planOf({ looks, m }: ShardPlan, plannedShard: PlannedShard, here: Plan): Plan {
	return ofShard({ ...here, looks, family: m }, plannedShard.cells);
}

function checkTool({ tool }: ShardPlan): void {
	const version = toolVersion();
	if (tool.version === version) return;
	throw refusal(
		'other-version',
		`benchgate ${plainText(tool.version, QUOTE_LIMIT)} made the plan, and this is ${version}`,
		'run the same version everywhere, or make the plan again',
	);
}

function checkConfig({ configHash }: ShardPlan, config: Config): void {
	if (configHash === hashOfConfig(config)) return;
	throw refusal(
		'other-config',
		'the config here is not the one that was planned',
		'check out the commit that the plan was made in, or make the plan again',
	);
}

async function checkSides(plan: ShardPlan, options: ShardOptions, revisions: Sides<string>): Promise<void> {
	const currentSides = await identify(options, revisions);
	const other = findOtherSide(plan, currentSides);
	if (other === null) return;
	const [planned, here] = [plan[other], currentSides[other]].map(({ label }) => plainText(label, QUOTE_LIMIT));
	throw refusal(
		'other-commit',
		`${other} is not the code that was planned: ${planned} then, ${here} now`,
		'measure what the plan was made for, or make the plan again',
	);
}

function findOtherSide(planned: PlannedSides, currentSides: PlannedSides): keyof PlannedSides | null {
	return SIDES.find((side) => planned[side].content !== currentSides[side].content) ?? null;
}

function refusal(code: string, message: string, remedy: string): UserError {
	return new UserError({ code, where: 'plan', message, remedy, exitCode: EXIT.nothingMeasured });
}
