import { join } from 'node:path';
import { parsePlan } from '../../formats/plan-file.ts';
import { renderRaw } from '../../formats/raw/raw-file.ts';
import { findNode } from '../../measure/machine.ts';
import type { Unchanged } from '../../prepare/content/prepare-changed.ts';
import { FORMATS } from '../../report/formats.ts';
import { describeShardRun, shardName } from '../../report/shard-words.ts';
import { readNamedFile } from '../../runs/read-named-file.ts';
import { runShard } from '../../runs/run-shard.ts';
import type { BaseRule, CompareRequest, Conclusion, Failure, RequestOf } from '../../types/action-run.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Raw } from '../../types/result.ts';
import type { PlannedSide, ShardPlan } from '../../types/shards.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { type ActionSession, cacheFolderOf, isFork } from '../action-session.ts';
import { findCommits } from '../commits/find-commits.ts';
import { loadSideConfig } from '../config/config-source.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { commandKeyOf } from '../request/bench-command.ts';
import { type ForeignRun, runForeignCode } from '../services/foreign-code.ts';
import { type CacheStore, keepInstalls } from '../services/install-cache.ts';
import { openServices } from '../services/open-services.ts';
import { announceShards } from '../shards/announce-shards.ts';
import { handOn, PLAN_FILE, renderSaid } from '../shards/part-files.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';
import { orderOf } from './ordered-run.ts';

type Measured = { readonly raw: Raw } | { readonly conclusion: Conclusion };

/**
 * Measures one shard. Never fails, but passes errors on: if a shard failed, someone could use "Re-run failed jobs" to
 * re-measure only the result they dislike.
 */
export async function runShardMode(session: ActionSession, { asked }: RequestOf<'shard'>): Promise<ModeOutcome> {
	const { inputs, runner } = session;
	const services = openServices(session);
	const { shard } = inputs;
	let plan: ShardPlan | null = null;
	let measured: Measured;
	try {
		plan = readPlan(session);
		rememberComment(session, asked);
		measured = await measureOwn(session, asked, plan, services.cache);
	} catch (error) {
		measured = { conclusion: concludeError(session, error) };
	}
	const failure =
		'conclusion' in measured && measured.conclusion.kind === 'failed' ? measured.conclusion.failure : null;
	// Without a plan or shard number, the artifact has no name.
	if (plan === null || shard === undefined) return { ...SILENT, failure };
	const name = shardName({ shard, of: plan.shards.length, attempt: runner.run.attempt }, inputs.artifactName);
	const texts =
		'raw' in measured
			? { [FORMATS.raw.file]: renderRaw(withWarnings(measured.raw, session.warnings)) }
			: { [PUBLICATION_FILE]: renderSaid(session, asked.checkSha, measured.conclusion) };
	await handOn(session, services.store, name, texts);
	await tellEnded(session, asked, plan, shard);
	session.remember('concluded', 'true');
	return { ...SILENT, log: 'raw' in measured ? describeShardRun(measured.raw, name) : null, failure };
}

async function measureOwn(
	session: ActionSession,
	request: CompareRequest,
	plan: ShardPlan,
	cache: ReturnType<typeof openServices>['cache'],
): Promise<Measured> {
	const { value, rewritten } = await measureShard(session, request, plan, cache);
	if (rewritten !== null) return failed(rewritten);
	if (!('unchanged' in value)) return { raw: value };
	return { conclusion: { kind: 'unchanged', base: value.base, head: value.head } };
}

function concludeError({ signal }: ActionSession, error: unknown): Conclusion {
	return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', failure: describeFailure(error) };
}

function failed(failure: Failure): Measured {
	return { conclusion: { kind: 'failed', failure } };
}

function readPlan({ inputs, runner }: ActionSession): ShardPlan {
	if (inputs.shard === undefined) {
		throw new UserError({
			code: 'bad-input',
			where: 'input shard',
			message: 'mode shard needs the number of the shard',
			remedy: 'give the step shard: ${{ matrix.shard }} (docs/shards.md)',
			exitCode: EXIT.usage,
		});
	}
	const path = join(runner.workspace, inputs.shardFiles, PLAN_FILE);
	return parsePlan(readNamedFile(path, { what: 'plan' }), join(inputs.shardFiles, PLAN_FILE));
}

/** Adds this job's warnings, which the gathering job shows. */
function withWarnings(raw: Raw, noticed: ActionSession['warnings']): Raw {
	return { ...raw, context: { ...raw.context, warnings: [...raw.context.warnings, ...noticed] } };
}

/** In a cancelled run, no other job can conclude the comment. */
function rememberComment({ inputs, remember }: ActionSession, { checkSha, pullRequest, title }: CompareRequest): void {
	if (pullRequest === null || inputs.comment === 'never') return;
	remember('headSha', checkSha);
	remember('title', title);
	remember('comment', String(pullRequest.number));
}

/** Does not warn, because a read-only token is expected here. */
async function tellEnded(
	session: ActionSession,
	request: CompareRequest,
	plan: ShardPlan,
	shard: number,
): Promise<void> {
	const { inputs, progress } = session;
	const ordered = await orderOf({ ...session, warnings: [] }, request);
	const key = ordered === null ? inputs.commentKey : commandKeyOf(inputs.commentKey);
	const commentSession = { ...session, inputs: { ...inputs, commentKey: key } };
	const warning = await announceShards(commentSession, request, plan, shard);
	if (warning !== null) progress.step(warning.message);
}

/** Takes commits and config from the plan, because branches may have moved. Throws like `runShard` and fetching. */
async function measureShard(
	session: ActionSession,
	request: CompareRequest,
	plan: ShardPlan,
	cache: CacheStore | null,
): Promise<ForeignRun<Raw | Unchanged>> {
	const { inputs, runner, janitor, progress, signal, withheld } = session;
	const { shard = 0 } = inputs;
	const node = findNode(inputs.options.node);
	const planRevisions = { base: ruleOf(plan.base), head: plan.head.sha ?? plan.head.revision };
	const { access, revisions } = await findCommits(session, { ...request, ...planRevisions });
	const planInputs = { ...inputs, options: { ...plan.options, node: inputs.options.node } as typeof inputs.options };
	const baseTip = plan.run?.tip ?? null;
	const side = await loadSideConfig({ access, inputs: planInputs, command: null, revisions, baseTip });
	const { config, sideConfigs, mergeBase, reproduce, harnessFrom } = side;
	const serverNames = new Set(plan.shards[shard - 1]?.cells.map((id) => id.slice(0, id.indexOf('/'))));
	const installs = {
		config: { ...config, servers: config.servers.filter(({ name }) => serverNames.has(name)) },
		revisions,
		revisionsGiven: request.base.kind === 'given' || inputs.options.head !== undefined,
		fromFork: isFork(session, request),
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
			// Saving would be useless, because a killed job uploads nothing.
			keep: async () => {},
			skipUnchanged: plan.run?.mayBeUnchanged === true,
		});
	const isWhole = (measured: Raw | Unchanged) => 'rounds' in measured && measured.ended !== 'interrupted';
	return runForeignCode(session, () => keepInstalls(session, cache, installs, measure, isWhole));
}

function ruleOf({ sha, revision }: PlannedSide): BaseRule {
	return sha === undefined ? { kind: 'given', revision } : { kind: 'commit', sha };
}
