import { parsePlan } from '../../formats/plan-file.ts';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { packLatency } from '../../formats/raw/packed-histogram.ts';
import type { RunArtifact } from '../../github/run-artifacts.ts';
import type { ShardFile } from '../../judge/gather-shards.ts';
import { type PartName, readPartName } from '../../report/shard-words.ts';
import type { MeasuredRun } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import type { Raw } from '../../types/result.ts';
import type { ShardPlan } from '../../types/shards.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import type { LeftShards, ShardSaid } from '../shards/conclude-shards.ts';
import { PLAN_FILE } from '../shards/part-files.ts';
import { RAW_FILE } from './artifact-budget.ts';
import { parseHostile, receivePublication } from './receive-artifact.ts';

export interface PartArtifact {
	readonly name: PartName;
	readonly artifact: RunArtifact;
}

type ShardArtifact = PartArtifact & { readonly name: Extract<PartName, { kind: 'shard' }> };
type ReadTexts = (artifact: RunArtifact, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function partOf(artifact: RunArtifact): PartArtifact | null {
	const name = readPartName(artifact.name);
	return name && { name, artifact };
}

/**
 * Reads shards as hostile: plan and files must match the run, the attempt and the names of their artifacts, which
 * GitHub provides. The newest plan counts.
 *
 * @throws UserError `bad-artifact`, and errors of `read`; messages do not quote texts.
 */
export async function receiveShards(
	parts: readonly PartArtifact[],
	measured: Pick<MeasuredRun, 'run' | 'headSha'>,
	read: ReadTexts,
): Promise<LeftShards> {
	const plan = await receivePlan(parts, measured, read);
	const files: ShardFile[] = [];
	const conclusions: ShardSaid[] = [];
	for (const part of ofPlan(parts, plan, measured)) {
		const { shard, attempt } = part.name;
		const texts = await read(part.artifact, [RAW_FILE, PUBLICATION_FILE]);
		const [raw, words] = [texts.get(RAW_FILE), texts.get(PUBLICATION_FILE)];
		// Packed, because all shards together would fill the memory.
		if (raw !== undefined) files.push({ name: part.artifact.name, raw: packLatency(receiveShard(raw, part)) });
		else if (words !== undefined)
			conclusions.push({ shard, attempt, conclusion: receiveSaid(words, attempt, measured) });
	}
	return { plan, files, unread: [], said: conclusions };
}

async function receivePlan(
	parts: readonly PartArtifact[],
	{ run }: Pick<MeasuredRun, 'run'>,
	read: ReadTexts,
): Promise<ShardPlan> {
	const [newest] = parts
		.filter(({ name }) => name.kind === 'plan' && name.attempt <= run.attempt)
		.toSorted((a, b) => b.name.attempt - a.name.attempt);
	const text = newest && (await read(newest.artifact, [PLAN_FILE])).get(PLAN_FILE);
	if (text === undefined) throw badArtifact('artifact', 'it lists shards, and there is no plan of them');
	const plan = parseHostilePlan(text);
	if (plan.run?.id !== String(run.id) || plan.run.attempt !== newest?.name.attempt) {
		throw badArtifact(PLAN_FILE, 'it is about another run');
	}
	return plan;
}

/** Hides the parser's messages, because they quote the file. */
function parseHostilePlan(text: string): ShardPlan {
	try {
		return parsePlan(text, PLAN_FILE);
	} catch (error) {
		if (!isUserError(error)) throw error;
		throw badArtifact(PLAN_FILE, 'it is not as benchgate writes it');
	}
}

/** Drops shards that are older than the plan. "Re-run all jobs" leaves them behind. */
function ofPlan(
	parts: readonly PartArtifact[],
	{ shards, run }: ShardPlan,
	measured: Pick<MeasuredRun, 'run'>,
): readonly ShardArtifact[] {
	const shardArtifacts = parts.filter((part): part is ShardArtifact => part.name.kind === 'shard');
	return shardArtifacts
		.filter(({ name: { shard, of, attempt } }) => {
			const fits = of === shards.length && shard >= 1 && shard <= of;
			return fits && attempt >= (run?.attempt ?? 1) && attempt <= measured.run.attempt;
		})
		.toSorted((a, b) => a.name.shard - b.name.shard || a.name.attempt - b.name.attempt);
}

function receiveShard(text: string, { name }: ShardArtifact): Raw {
	const raw = parseHostile(text);
	const { shard, of, attempt } = raw.shard ?? {};
	if (shard === name.shard && of === name.of && attempt === name.attempt) return raw;
	throw badArtifact(RAW_FILE, 'it is not the shard that its artifact is named after');
}

function receiveSaid(text: string, attempt: number, { run, headSha }: Pick<MeasuredRun, 'run' | 'headSha'>) {
	const publication = receivePublication(text, { run: { ...run, attempt }, headSha }, null);
	if ('attempt' in publication)
		throw badArtifact(PUBLICATION_FILE, 'it is not of the attempt that its artifact is named after');
	return publication.conclusion;
}
