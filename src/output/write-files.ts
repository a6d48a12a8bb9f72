import writeFileAtomic from 'write-file-atomic';
import { EXIT, UserError } from '../types/errors.ts';

/** A file to write and where its path came from, for messages. */
export interface OutputFile {
	/** The flag, e.g. `--json`. */
	readonly flag: string;
	readonly path: string;
	readonly content: string;
}

/**
 * Writes a file completely or not at all (write to a neighbour, sync, rename). Throws a UserError that names flag, path
 * and cause; an earlier file of that name is untouched then.
 */
export async function writeOutput(file: OutputFile): Promise<void> {
	try {
		await writeFileAtomic(file.path, file.content, { fsync: true });
	} catch (error) {
		const { code = 'unknown error' } = error as NodeJS.ErrnoException;
		throw new UserError({
			code: 'cannot-write',
			where: `${file.flag} ${file.path}`,
			message: `the file could not be written: ${CAUSES[code] ?? code}; nothing was left half-written`,
			remedy: REMEDIES[code] ?? 'choose another path',
			exitCode: EXIT.usage,
			cause: error,
		});
	}
}

const CAUSES: Record<string, string> = {
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'the file system is read-only',
	ENOENT: 'the folder does not exist',
	EISDIR: 'that is a folder',
	ENOTDIR: 'a part of the path is not a folder',
};

const REMEDIES: Record<string, string> = {
	ENOSPC: 'free some space, or write to another disk; `benchgate judge` can render the reports again from --raw',
	ENOENT: 'create the folder first',
	EISDIR: 'name a file in it',
};
