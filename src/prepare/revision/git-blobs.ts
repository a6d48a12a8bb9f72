import { execa } from 'execa';
import { endInTime } from '../../process/system/end-in-time.ts';
import { UserError } from '../../types/errors.ts';
import type { ChildContext } from '../child.ts';
import { GIT_MS } from './git.ts';

/**
 * Returns the contents of blobs as they are stored, in the order given: no attribute, filter or line ending of any checkout
 * has a say in them. Throws UserError `unreadable-object` for one that is not there.
 */
export async function readBlobs(
	{ environment, signal }: ChildContext,
	repository: string,
	hashes: readonly string[],
): Promise<Buffer[]> {
	signal.throwIfAborted();
	// Of a clone without all objects, git asks the server for them.
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

/** `HASH blob SIZE`, a line feed, the content, a line feed, for each. */
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
