/** Reads the measuring job's baselines as hostile files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readBaseline } from '../../formats/baseline/baseline-file.ts';
import { BISECTED_FILE, readBisected } from '../../formats/baseline/bisected-file.ts';
import { STORED_LIMITS } from '../../formats/baseline/read-stored.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { RunIdentity } from '../../types/action-run.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Bisected } from '../../types/trend.ts';

/** A run measures one commit; after a release it also measures a link and a closure. */
const MOST_FILES = 20;

export interface Received {
	readonly records: readonly BaselineRecord[];
	readonly bisected: Bisected | null;
}

/**
 * Returns another job's records. Code under test ran in that job, so every file is hostile and must belong to this run.
 *
 * @throws UserError `no-baselines`, `bad-baselines` with the file.
 */
export async function readReceivedBaselines(
	folder: string,
	run: Pick<RunIdentity, 'id' | 'attempt'>,
): Promise<Received> {
	const files = await listFiles(folder);
	if (files.length > MOST_FILES) throw bad(folder, `there are more than ${MOST_FILES} files in it`);
	const records: BaselineRecord[] = [];
	let bisected: Bisected | null = null;
	for (const file of files) {
		const path = join(folder, file);
		const { size } = await stat(path);
		if (size > STORED_LIMITS.bytes) throw bad(file, `it has more than ${STORED_LIMITS.bytes} bytes`);
		const read = readOne(await readFile(path, 'utf8'), file);
		if (read.run.id !== String(run.id) || read.run.attempt > run.attempt) {
			throw bad(file, 'it says that another run measured it');
		}
		if (read.kind === 'benchgate-bisected') bisected = read;
		else records.push(read);
	}
	if (records.length > 0 || bisected !== null) return { records, bisected };
	throw new UserError({
		code: 'no-baselines',
		where: 'input records',
		message: `there are no baselines in ${folder}`,
		remedy: 'download the artifact of the measuring job into it first (docs/baselines.md has both jobs)',
		exitCode: EXIT.nothingMeasured,
	});
}

function readOne(text: string, file: string): BaselineRecord | Bisected {
	if (basename(file) === BISECTED_FILE) {
		const read = readBisected(text);
		if ('why' in read) throw bad(file, read.why);
		return read.bisected;
	}
	const read = readBaseline(text, file);
	if ('unread' in read) throw bad(file, read.unread.why);
	return read.record;
}

/** Lists only plain files, because a link could lead anywhere. */
async function listFiles(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true, recursive: true });
		const plain = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
		return plain.map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, '')).sort();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
}

function bad(where: string, why: string): UserError {
	return new UserError({
		code: 'bad-baselines',
		where: plainText(where, NAME_LIMIT),
		message: `the baselines of the measuring job were refused, so nothing was stored: ${plainText(why, 4 * NAME_LIMIT)}`,
		remedy: 'run the workflow again; when it happens again, look at what the measured code does',
		exitCode: EXIT.nothingMeasured,
	});
}
