import { findNode } from '../../measure/find-node.ts';
import type { Unchanged } from '../../prepare/content/prepare-changed.ts';
import { runShard } from '../../runs/shards/run-shard.ts';
import type { BaseRule, CompareRequest } from '../../types/action-run.ts';
import type { Raw } from '../../types/result.ts';
import type { PlannedSide, ShardPlan } from '../../types/shards.ts';
import { type ActionSession, cacheFolderOf, isFork } from '../action-session.ts';
import { findCommits } from '../commits/find-commits.ts';
import { loadSideConfig } from '../config/config-source.ts';
import type { CacheStore } from '../services/install-cache.ts';
import { keepInstalls } from '../services/keep-installs.ts';
import { type ForeignRun, runForeignCode } from '../services/run-foreign-code.ts';

/**
 * Measures one shard of a plan that another job of the run has made. What is compared, and by which config, the plan says: branches may
 * have moved since. Throws as `runShard` and the fetching do.
 */
export async function measureShard(
	session: ActionSession,
	asked: CompareRequest,
	plan: ShardPlan,
	cache: CacheStore | null,
): Promise<ForeignRun<Raw | Unchanged>> {
	const { inputs, runner, janitor, progress, signal, withheld } = session;
	const { shard = 0 } = inputs;
	const node = findNode(inputs.options.node);
	const given = { base: ruleOf(plan.base), head: plan.head.sha ?? plan.head.revision };
	const { access, revisions } = await findCommits(session, { ...asked, ...given });
	const told = { ...inputs, options: { ...plan.options, node: inputs.options.node } as typeof inputs.options };
	const baseTip = plan.run?.tip ?? null;
	const side = await loadSideConfig({ access, inputs: told, command: null, revisions, baseTip });
	const { config, sideConfigs, mergeBase, reproduce, harnessFrom } = side;
	const own = new Set(plan.shards[shard - 1]?.cells.map((id) => id.slice(0, id.indexOf('/'))));
	const installs = {
		config: { ...config, servers: config.servers.filter(({ name }) => own.has(name)) },
		revisions,
		revisionsGiven: asked.base.kind === 'given' || inputs.options.head !== undefined,
		fromFork: isFork(session, asked),
	};
	const measure = () =>
		runShard({
			plan,
			shard,
			runId: String(runner.run.id),
			attempt: runner.run.attempt,
			...{ config, sideConfigs, mergeBase, reproduce, harnessFrom },
			...{ node, janitor, progress, signal, withheld },
			cwd: runner.workspace,
			cacheFolder: cacheFolderOf(session),
			// If a job is killed nothing is left, whatever it has kept.
			keep: async () => {},
			skipUnchanged: plan.run?.mayBeUnchanged === true,
		});
	const isWhole = (measured: Raw | Unchanged) => 'rounds' in measured && measured.ended !== 'interrupted';
	return runForeignCode(session, () => keepInstalls(session, cache, installs, measure, isWhole));
}

function ruleOf({ sha, revision }: PlannedSide): BaseRule {
	return sha === undefined ? { kind: 'given', revision } : { kind: 'commit', sha };
}
