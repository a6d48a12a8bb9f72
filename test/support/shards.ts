/** Synthetic plans in shards, with their raw files. */
import { sealPlan } from '../../src/formats/plan-file.ts';
import { decide } from '../../src/judge/decide.ts';
import { ofShard } from '../../src/judge/run-parts.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { balanceShards } from '../../src/plan/shards/divide.ts';
import { costsOf } from '../../src/plan/shards/shard-costs.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Cell, Plan } from '../../src/types/plan.ts';
import type { Environment, Raw } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';
import type { ShardPlan, ShardStamp } from '../../src/types/shards.ts';
import { toolVersion } from '../../src/version.ts';
import { resultOf } from './results.ts';
import { scriptPlan, scriptRound, type Turn } from './rounds.ts';

const SPREAD = 0.015;
const SEED = 7;
const TEMPLATE = resultOf([]);
/** Start of the first shard; each later one starts a minute after. */
const STARTED = Date.UTC(2026, 10, 22, 9);

/** Returns a plan of `count` shards, threshold 5 %. */
export function shardPlanOf(ids: readonly string[], count: number, changes: Partial<ShardPlan> = {}): ShardPlan {
	const cells = ids.map((id): Cell => {
		const [server = '', scenario = ''] = id.split('/');
		return { id, server, scenario, threshold: 0.05, tolerance: 0.025 };
	});
	const costs = costsOf(cells, { design: 'duet' }, null);
	const { base, head } = TEMPLATE;
	const side = ({ revision, kind, label, sha = '' }: typeof base) => ({
		revision,
		kind,
		label,
		sha,
		content: `tree ${sha}`,
	});
	return sealPlan({
		schemaVersion: 1,
		kind: 'benchgate-plan',
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: '2026-11-22T08:59:00.000Z',
		seed: SEED,
		design: 'duet',
		metrics: ['throughput'],
		m: cells.length,
		looks: planLooks(20),
		budget: 600,
		threshold: 0.05,
		tolerance: 0.025,
		gate: { onInconclusive: 'pass', metrics: ['throughput'] },
		configHash: 'c'.repeat(64),
		base: side(base),
		head: side(head),
		options: { base: 'main', head: 'HEAD', seed: `${SEED}` },
		cells,
		oneSided: [],
		shards: balanceShards(cells, costs, count),
		costs,
		...changes,
	});
}

/** Differences from a complete shard. */
export interface ShardChanges extends Partial<ShardStamp> {
	/** Log ratio by cell; default 0. */
	readonly effects?: Readonly<Record<string, number>>;
	readonly environment?: Partial<Environment>;
	/** In rounds. */
	readonly cutAfter?: number;
	/** Selects another noise sample. */
	readonly draw?: number;
}

/** Returns a shard's raw data, run until its rows are decided. */
export function shardRawOf(plan: ShardPlan, shard: number, changes: ShardChanges = {}): Raw {
	const { effects = {}, environment, cutAfter, draw = 0, ...stamp } = changes;
	const shardPlan = ownPlan(plan, shard);
	const random = createRandom(SEED, shard, draw);
	const rounds: Round[] = [];
	const most = Math.min(cutAfter ?? 20, 20);
	while (rounds.length < most) {
		const { undecided } = decide(shardPlan, rounds, null);
		if (undecided.length === 0) break;
		const turns = undecided.map((id): [string, Turn] => [id, { d: (effects[id] ?? 0) + SPREAD * random.normal() }]);
		rounds.push(named(scriptRound(rounds.length + 1, Object.fromEntries(turns))));
	}
	const { tool: _, createdAt: _then, ...template } = contextOf();
	const attempt = stamp.attempt ?? 1;
	const ended = cutAfter !== undefined ? 'interrupted' : rounds.length < 20 ? 'decided' : 'rounds';
	const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
	return {
		schemaVersion: 1,
		kind: 'benchgate-raw',
		context: {
			...template,
			tool: { name: 'benchgate', version: toolVersion() },
			createdAt: new Date(STARTED + 60_000 * (shard + 100 * (attempt - 1))).toISOString(),
			environment: { ...template.environment, ...environment },
		},
		plan: shardPlan,
		rounds,
		refused: [],
		ended,
		timing: {
			totalSeconds: seconds + 60,
			measuringSeconds: seconds,
			loadSeconds: seconds / 2,
			roundsRun: rounds.length,
			orchestratorPeakBytes: 9e7,
		},
		shard: {
			shard,
			of: plan.shards.length,
			planHash: plan.planHash,
			runId: 'local',
			attempt,
			complete: cutAfter === undefined,
			...stamp,
		},
	};
}

/** Returns every shard's file by name. */
export function shardFilesOf(plan: ShardPlan, changes: Readonly<Record<number, ShardChanges | null>> = {}) {
	return plan.shards.flatMap(({ index }) => {
		const changed = changes[index];
		return changed === null ? [] : [{ name: `shard-${index}.json`, raw: shardRawOf(plan, index, changed) }];
	});
}

function ownPlan(plan: ShardPlan, shard: number): Plan {
	const { looks, cells, m, seed, budget } = plan;
	const whole = { ...scriptPlan([]), cells, looks, seed, budgetSeconds: budget, family: m, metrics: plan.metrics };
	return ofShard(whole, plan.shards[shard - 1]?.cells ?? []);
}

/** Scripted rounds use the server `app`; here the scenario is the whole id. */
function named(round: Round): Round {
	return { ...round, cells: round.cells.map((turn) => ({ ...turn, cell: turn.cell.slice('app/'.length) })) };
}

function contextOf(): Raw['context'] {
	const { tool, createdAt, threshold, tolerance, onInconclusive, base, head, environment, reproduce } = TEMPLATE;
	return { tool, createdAt, threshold, tolerance, onInconclusive, base, head, environment, reproduce, warnings: [] };
}
