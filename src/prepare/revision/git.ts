/** Runs git for worktrees of ours, without the user's hooks. */
import { UserError } from '../../types/errors.ts';
import { type ChildContext, type ChildOutcome, runChild } from '../child.ts';

/** The user's hooks must not run for worktrees of ours, and nothing of git's may go on in the background. */
const SETTINGS = ['core.hooksPath=/dev/null', 'advice.detachedHead=false', 'core.fsmonitor=false', 'gc.auto=0'].flatMap(
	(setting) => ['-c', setting],
);

/** Returns the outcome of `git ARGS` in a folder. Throws UserError when git is missing or refuses the folder's owner. */
export async function runGit(
	context: ChildContext,
	cwd: string,
	args: readonly string[],
	timeoutMs?: number,
): Promise<ChildOutcome> {
	const outcome = await runChild(context, ['git', ...SETTINGS, ...args], {
		cwd,
		...(timeoutMs === undefined ? {} : { timeoutMs }),
	});
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

/** Returns what `git ARGS` prints, trimmed; null when it fails. */
export async function askGit(context: ChildContext, cwd: string, args: readonly string[]): Promise<string | null> {
	const outcome = await runGit(context, cwd, args);
	return outcome.succeeded ? outcome.stdout.trim() : null;
}

/** Returns the top folder of the repository around `folder`, the git folder of a bare one, or null outside of any. */
export async function findRepository(context: ChildContext, folder: string): Promise<string | null> {
	return (
		(await askGit(context, folder, ['rev-parse', '--show-toplevel'])) ??
		(await askGit(context, folder, ['rev-parse', '--absolute-git-dir']))
	);
}
