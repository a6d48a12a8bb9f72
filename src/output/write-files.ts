import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { EXIT, isUserError, UserError } from '../types/errors.ts';
import type { Release } from '../types/run-services.ts';

export interface OutputFile {
	/** The flag it comes from, e.g. `--json`. */
	readonly flag: string;
	readonly path: string;
	/** In pieces if too large for memory. */
	readonly content: string | Iterable<string>;
	/** Receives the temporary file, to remove it if the run is killed. */
	readonly guard?: (neighbour: string) => Release;
}

/**
 * Writes atomically (temporary file, sync, rename). Throws UserError with flag, path and cause, and then leaves an
 * earlier file untouched.
 */
export async function writeOutput(file: OutputFile): Promise<void> {
	let release: Release = () => {};
	const { content } = file;
	// The library awaits this before it writes, though its types do not show it.
	const tmpfileCreated = async (neighbour: string) => {
		if (file.guard) release = file.guard(neighbour);
		if (typeof content !== 'string') await appendPieces(neighbour, content);
	};
	try {
		await writeFileAtomic(file.path, typeof content === 'string' ? content : '', { fsync: true, tmpfileCreated });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		// An error without a code is a bug in the generator of the pieces.
		if (code === undefined) throw error;
		throw cannotWrite(file.flag, file.path, code, error);
	} finally {
		release();
	}
}

async function appendPieces(path: string, pieces: Iterable<string>): Promise<void> {
	const file = await open(path, 'a');
	try {
		for (const piece of pieces) await file.appendFile(piece);
	} finally {
		await file.close();
	}
}

/** Throws early as `writeOutput` would, as far as a failure can be foreseen. */
export function checkWritable(flag: string, path: string): void {
	const folder = dirname(resolve(path));
	if (!existsSync(folder)) throw cannotWrite(flag, path, 'ENOENT');
	if (existsSync(path) && statSync(path).isDirectory()) throw cannotWrite(flag, path, 'EISDIR');
	try {
		accessSync(folder, constants.W_OK);
	} catch (error) {
		throw cannotWrite(flag, path, (error as NodeJS.ErrnoException).code ?? 'EACCES', error);
	}
}

function cannotWrite(flag: string, path: string, code: string, cause?: unknown): UserError {
	return new UserError({
		code: 'cannot-write',
		where: `${flag} ${path}`,
		message: `the file cannot be written: ${CAUSES[code] ?? code}; nothing was left half-written`,
		remedy: REMEDIES[code] ?? 'choose another path',
		exitCode: EXIT.usage,
		cause,
	});
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

/** Throws early for the first flag of `names` that cannot be written. */
export function checkOutputs<Name extends string>(
	flags: Readonly<Partial<Record<Name, string>>>,
	names: readonly Name[],
): void {
	for (const name of names) {
		const path = flags[name];
		if (path !== undefined) checkWritable(`--${name}`, path);
	}
}

/** Renders `source` into the file of each flag, unless that is null. A failure is thrown when all others are written. */
export async function writeOutputs<Name extends string, Source>(
	flags: Readonly<Partial<Record<Name, string>>>,
	renderers: Readonly<Record<Name, (source: Source) => OutputFile['content'] | null>>,
	source: Source,
	guard?: OutputFile['guard'],
): Promise<void> {
	const names = Object.keys(renderers) as Name[];
	const writes = names.flatMap((name) => {
		const path = flags[name];
		const content = path === undefined ? null : renderers[name](source);
		if (path === undefined || content === null) return [];
		return writeOutput({ flag: `--${name}`, path, content, ...(guard && { guard }) });
	});
	const failures = (await Promise.allSettled(writes)).flatMap((outcome) =>
		outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
	);
	if (failures.length > 0) throw joinFailures(failures);
}

/** A bug among the failures takes precedence. */
function joinFailures(failures: readonly unknown[]): unknown {
	const [first, ...others] = failures.filter(isUserError);
	if (first === undefined || others.length + 1 < failures.length) return failures.find((one) => !isUserError(one));
	if (others.length === 0) return first;
	const remedies = new Set([first, ...others].flatMap(({ remedy }) => remedy ?? []));
	return new UserError({
		code: first.code,
		message: [first, ...others].map(({ where, message }) => `${where}: ${message}`).join('\n'),
		remedy: [...remedies].join('; '),
		exitCode: first.exitCode,
		cause: first,
	});
}
