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

/** Conclusion of a shard without rounds. */
export interface ShardSaid {
	readonly shard: number;
	readonly attempt: number;
	readonly conclusion: Conclusion;
}

export interface LeftShards {
	readonly plan: ShardPlan;
	readonly files: readonly ShardFile[];
	readonly unread: readonly { readonly name: string; readonly why: string }[];
	readonly said: readonly ShardSaid[];
}

export type ShardsEnd = { readonly raw: Raw } | { readonly conclusion: Conclusion };

/**
 * Concludes a plan's shards. The run ends if one shard reports that head does not build or the config is wrong. Other
 * failures leave rows open. The result is unchanged if all available shards found the same code.
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

/** "Re-run all jobs" leaves files of earlier attempts behind. */
function isOfEarlierPlan({ planHash, run }: ShardPlan, { shard }: Raw): boolean {
	if (shard === undefined || run === undefined || shard.planHash === planHash) return false;
	return shard.runId === run.id && shard.attempt < run.attempt;
}

/** Newest conclusion of each shard since the plan. */
function latestOf(conclusions: readonly ShardSaid[], { run, shards }: ShardPlan): readonly ShardSaid[] {
	const planConclusions = conclusions.filter(
		({ shard, attempt }) => shard <= shards.length && attempt >= (run?.attempt ?? 1),
	);
	const inOrder = planConclusions.toSorted((a, b) => a.shard - b.shard || a.attempt - b.attempt);
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
