import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPublication } from '../../formats/publication/publication-file.ts';
import { PUBLICATION_LIMITS } from '../../formats/publication/publication-schema.ts';
import type { ShardFile } from '../../judge/gather-shards.ts';
import { readPartName } from '../../report/shard-words.ts';
import { readNamedFile } from '../../runs/read-named-file.ts';
import { readShardFolder } from '../../runs/read-shard-folder.ts';
import type { Publication } from '../../types/action-run.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import type { LeftShards, ShardSaid } from './conclude-shards.ts';
import { PLAN_FILE } from './part-files.ts';

/** Results of the shards, or the plan job's conclusion if there was nothing to divide. */
export type Gathered = LeftShards | Pick<Publication, 'conclusion' | 'warnings'>;

/**
 * Reads downloaded artifacts: the plan's files, and a folder per shard. Throws UserError for a missing or invalid plan.
 */
export function readGathered(folder: string, runId: number): Gathered {
	const [hasPlan, hasPublication] = [PLAN_FILE, PUBLICATION_FILE].map((name) => existsSync(join(folder, name)));
	if (!hasPlan && hasPublication) return readSaid(join(folder, PUBLICATION_FILE), runId);
	if (!hasPlan) throw noPlan();
	const { files, unread, ...rest } = readShardFolder(folder, undefined);
	const misnamed = files.filter(isMisnamed);
	const refused = misnamed.map(({ name }) => ({ name, why: 'it is not the shard that its artifact is named after' }));
	return {
		...rest,
		files: files.filter((file) => !misnamed.includes(file)),
		unread: [...unread, ...refused],
		said: readAllSaid(folder, runId),
	};
}

/** An artifact holds one attempt of one shard. */
function isMisnamed({ name, raw }: ShardFile): boolean {
	const part = readPartName(dirname(name));
	if (part?.kind !== 'shard') return false;
	const { shard, of, attempt } = raw.shard ?? {};
	return shard !== part.shard || of !== part.of || attempt !== part.attempt;
}

function readAllSaid(folder: string, runId: number): readonly ShardSaid[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const part = entry.isDirectory() ? readPartName(entry.name) : null;
		const path = join(folder, entry.name, PUBLICATION_FILE);
		if (part?.kind !== 'shard' || !existsSync(path)) return [];
		return [{ shard: part.shard, attempt: part.attempt, conclusion: readSaid(path, runId).conclusion }];
	});
}

/** The file is hostile, because code under test ran in the job that wrote it. */
function readSaid(path: string, runId: number): Publication {
	const publication = statSync(path).size > PUBLICATION_LIMITS.bytes ? null : readPublication(readNamedFile(path));
	if (publication?.run?.id === runId) return publication;
	throw new UserError({
		code: 'bad-artifact',
		where: PUBLICATION_FILE,
		message: publication === null ? 'it is too large' : 'it is about another run',
		remedy: 'look at what that job uploaded, and run the workflow again',
		exitCode: EXIT.nothingMeasured,
	});
}

function noPlan(): UserError {
	return new UserError({
		code: 'no-plan',
		message: 'the job that plans has left no plan',
		remedy: 'see the log of that job, and run the workflow again',
		exitCode: EXIT.nothingMeasured,
	});
}
