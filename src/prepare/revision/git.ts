/** Runs git without the user's hooks. */

import { execa } from 'execa';
import { writeDuration } from '../../config/durations.ts';
import { endInTime } from '../../process/processes.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { type ChildContext, type ChildOutcome, runChild } from '../child.ts';

const SETTINGS = [
	...['core.hooksPath=/dev/null', 'advice.detachedHead=false', 'core.fsmonitor=false', 'gc.auto=0'],
	...['core.sparseCheckout=false', 'submodule.recurse=false'],
].flatMap((setting) => ['-c', setting]);

/** Time limit without network. Checking out a large repository takes minutes. */
export const GIT_MS = 15 * 60_000;

export interface GitLimit {
	readonly ms: number;
	/** Return a time-out instead of throwing, for network commands. */
	readonly mayPass?: boolean;
}

/** Throws UserError if git is missing, refuses the folder's owner, or hangs. */
export async function runGit(
	context: ChildContext,
	cwd: string,
	args: readonly string[],
	{ ms, mayPass = false }: GitLimit = { ms: GIT_MS },
): Promise<ChildOutcome> {
	const outcome = await runChild(context, ['git', ...SETTINGS, ...args], { cwd, timeoutMs: ms });
	if (outcome.timedOut && !mayPass) {
		throw new UserError({
			code: 'git-hangs',
			where: cwd,
			message: `git ${args[0]} had not ended after ${writeDuration(ms / 1000)}, and was stopped`,
			remedy: 'see where it waits: a disk that does not answer, or a partial clone whose server does not',
			exitCode: EXIT.nothingMeasured,
		});
	}
	if (outcome.missing) {
		throw new UserError({
			code: 'no-git',
			message: 'git is not installed',
			remedy: 'install git, or use dir: revisions',
		});
	}
	if (/dubious ownership/.test(outcome.stderr)) {
		throw new UserError({
			code: 'git-owner',
			where: cwd,
			message: 'git refuses this repository because another user owns it',
			remedy: `git config --global --add safe.directory ${cwd}`,
			details: outcome.stderr,
		});
	}
	return outcome;
}

/** Returns null on failure. */
export async function askGit(context: ChildContext, cwd: string, args: readonly string[]): Promise<string | null> {
	const outcome = await runGit(context, cwd, args);
	return outcome.succeeded ? outcome.stdout.trim() : null;
}

/** For a bare repository, returns its git folder. */
export async function findRepository(context: ChildContext, folder: string): Promise<string | null> {
	return (
		(await askGit(context, folder, ['rev-parse', '--show-toplevel'])) ??
		(await askGit(context, folder, ['rev-parse', '--absolute-git-dir']))
	);
}

/**
 * Returns blobs as stored, without attributes, filters or line-ending conversion. Throws UserError `unreadable-object`
 * for a missing one.
 */
export async function readBlobs(
	{ environment, signal }: ChildContext,
	repository: string,
	hashes: readonly string[],
): Promise<Buffer[]> {
	signal.throwIfAborted();
	// A partial clone fetches missing objects.
	const running = execa('git', ['cat-file', '--batch'], {
		cwd: repository,
		env: { ...environment },
		extendEnv: false,
		input: hashes.map((hash) => `${hash}\n`).join(''),
		encoding: 'buffer',
		stripFinalNewline: false,
		maxBuffer: Number.MAX_SAFE_INTEGER,
		reject: false,
	});
	const { outcome } = await endInTime(running, { ms: GIT_MS, signal });
	signal.throwIfAborted();
	return split(Buffer.from(outcome.stdout ?? new Uint8Array()), hashes, repository);
}

/** Each entry is `HASH blob SIZE`, LF, content, LF. */
function split(output: Buffer, hashes: readonly string[], repository: string): Buffer[] {
	let at = 0;
	return hashes.map((hash) => {
		const end = output.indexOf('\n', at);
		const size = /^\w+ blob (\d+)$/.exec(output.toString('latin1', at, Math.max(at, end)))?.[1];
		if (size === undefined) {
			throw new UserError({
				code: 'unreadable-object',
				where: repository,
				message: `git has no content for ${hash.slice(0, 10)}`,
				remedy: 'the clone is incomplete: fetch it again without --filter',
			});
		}
		const content = output.subarray(end + 1, end + 1 + Number(size));
		at = end + 1 + Number(size) + 1;
		return content;
	});
}
