import { failureKind } from '../../judge/consequence.ts';
import { gatherShards, type ShardFile } from '../../judge/gather-shards.ts';
import { warn } from '../../judge/warnings.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { Conclusion, Failure } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import type { Raw } from '../../types/result.ts';
import type { ShardPlan } from '../../types/shards.ts';
import type { Warning } from '../../types/units.ts';
import { describeFailure } from '../publish/describe-failure.ts';

/** What a shard said that has no rounds to show. */
export interface ShardSaid {
	readonly shard: number;
	readonly attempt: number;
	readonly conclusion: Conclusion;
}

/** What the jobs of a run left. */
export interface LeftShards {
	readonly plan: ShardPlan;
	readonly files: readonly ShardFile[];
	/** Files that cannot be read, each with the reason. */
	readonly unread: readonly { readonly name: string; readonly why: string }[];
	readonly said: readonly ShardSaid[];
}

/** What they come to: rounds to be judged, or what to say instead. */
export type ShardsEnd = { readonly raw: Raw } | { readonly conclusion: Conclusion };

/**
 * Returns what the shards of a plan come to. As on one machine, a head that does not build or a mistake in the config ends the run,
 * even when only one shard met it. Whatever else kept a shard from measuring leaves its rows open, and is told. Where all that there is
 * found the same code on both sides, nothing has changed.
 */
export function concludeShards({ plan, files, unread, said }: LeftShards): ShardsEnd {
	const gathered = gatherOwn(plan, files);
	const runs = 'shards' in gathered ? (gathered.shards ?? []) : [];
	const complete = new Set(runs.filter(({ state }) => state === 'complete').map(({ shard }) => shard));
	const open = latestOf(said, plan).filter(({ shard }) => !complete.has(shard));
	const failures = open.flatMap(({ shard, conclusion }) =>
		conclusion.kind === 'failed' ? [{ shard, failure: conclusion.failure }] : [],
	);
	const fatal = failures.find(({ failure }) => isFatal(failure));
	if (fatal) return { conclusion: { kind: 'failed', failure: fatal.failure } };
	if ('code' in gathered) {
		const unchanged = open.find(({ conclusion }) => conclusion.kind === 'unchanged');
		if (unchanged && plan.run?.mayBeUnchanged) return { conclusion: unchanged.conclusion };
		return { conclusion: { kind: 'failed', failure: failures[0]?.failure ?? gathered } };
	}
	const { context } = gathered;
	const warnings = [...unread.map(warnUnread), ...failures.map(warnFailed), ...context.warnings];
	return { raw: { ...gathered, context: { ...context, warnings } } };
}

/** The rounds of all shards, or that there are none. */
function gatherOwn(plan: ShardPlan, files: LeftShards['files']): Raw | Failure {
	try {
		return gatherShards(
			plan,
			files.filter(({ raw }) => !isOfEarlierPlan(plan, raw)),
		);
	} catch (error) {
		if (isUserError(error) && error.code === 'no-shards') return describeFailure(error);
		throw error;
	}
}

/** A run whose jobs were all started again has the files of the attempts before it still; nobody asks for them. */
function isOfEarlierPlan({ planHash, run }: ShardPlan, { shard }: Raw): boolean {
	if (shard === undefined || run === undefined || shard.planHash === planHash) return false;
	return shard.runId === run.id && shard.attempt < run.attempt;
}

/** What each shard said last, by number; nothing from before the plan. */
function latestOf(said: readonly ShardSaid[], { run, shards }: ShardPlan): readonly ShardSaid[] {
	const known = said.filter(({ shard, attempt }) => shard <= shards.length && attempt >= (run?.attempt ?? 1));
	const inOrder = known.toSorted((a, b) => a.shard - b.shard || a.attempt - b.attempt);
	return [...new Map(inOrder.map((one) => [one.shard, one])).values()];
}

function isFatal(failure: Failure): boolean {
	const kind = failureKind(failure);
	return kind === 'head' || kind === 'usage';
}

function warnFailed({ shard, failure }: { readonly shard: number; readonly failure: Failure }): Warning {
	const where = failure.where === null ? '' : `${failure.where}: `;
	return warn('shard-failed', {
		shard,
		why: plainText(`${where}${failure.message}`, MESSAGE_LIMIT).replace(/\.$/, ''),
	});
}

function warnUnread({ name, why }: LeftShards['unread'][number]): Warning {
	return warn('shard-refused', {
		file: plainText(name, NAME_LIMIT),
		why: plainText(why, MESSAGE_LIMIT).replace(/\.$/, ''),
	});
}
