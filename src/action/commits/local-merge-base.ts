import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, UserError } from '../../types/errors.ts';
import { fetchCommits, isHere } from './fetch-commits.ts';
import { ask, checkRepository, fetchObjects, type GitAccess, isShallow } from './git-access.ts';

/** Asks GitHub for the merge base; null if there is no common history. */
export type AskMergeBase = (base: string, head: string) => Promise<string | null>;

/** Each fetch adds so many commits; the last fetches the whole history. */
const STEPS = ['--deepen=64', '--deepen=512', '--deepen=4096', '--unshallow'];

/**
 * Returns the merge base, fetched if needed. Searches local history, then asks GitHub, then fetches deeper.
 *
 * @throws UserError `no-merge-base` if there is none or it is not found, `commit-missing`.
 */
export async function fetchMergeBase(
	base: string,
	head: string,
	access: GitAccess,
	askGitHub: AskMergeBase | null,
): Promise<string> {
	await checkRepository(access);
	const sides = [{ sha: base, side: 'base' } as const, { sha: head, side: 'head' } as const];
	// In a complete repository, a fetched commit comes with its history.
	if (!(await isShallow(access))) await fetchCommits(sides, access);
	const here = await localMergeBase(access, base, head);
	if (here !== undefined) return here ?? refuse(base, head, null);
	const githubMergeBase = await askSafely(base, head, access, askGitHub);
	if (githubMergeBase !== null) {
		await fetchCommits([{ sha: githubMergeBase, side: 'base' }], access);
		return githubMergeBase;
	}
	await fetchCommits(sides, access);
	let fetchError: string | null = null;
	for (const step of STEPS) {
		access.progress.step(`Fetching history to find the merge base (${step.slice(2).replace('=', ' ')})`);
		fetchError = (await fetchObjects(access, [step, 'origin', base, head])) ?? fetchError;
		const mergeBase = await localMergeBase(access, base, head);
		if (mergeBase !== undefined) return mergeBase ?? refuse(base, head, null);
	}
	return refuse(base, head, fetchError);
}

/**
 * Returns the merge base; null if there is none; undefined if the history is too short: a shallow boundary within one
 * side's commits could hide a newer ancestor.
 */
export async function localMergeBase(
	access: GitAccess,
	base: string,
	head: string,
): Promise<string | null | undefined> {
	if (!(await isHere(access, base)) || !(await isHere(access, head))) return undefined;
	const mergeBase = await ask(access, 'merge-base', base, head);
	const ends = await readShallowEnds(access);
	if (ends.size === 0) return mergeBase;
	const between = await ask(access, 'rev-list', `${base}...${head}`);
	if (between === null || between.split('\n').some((sha) => ends.has(sha))) return undefined;
	return mergeBase;
}

async function readShallowEnds(access: GitAccess): Promise<Set<string>> {
	const path = await ask(access, 'rev-parse', '--git-path', 'shallow');
	if (path === null) return new Set();
	const text = await readFile(resolve(access.workspace, path), 'utf8').catch(() => '');
	return new Set(text.split('\n').filter((line) => line !== ''));
}

/** Errors are ignored, because GitHub's answer only saves a fetch. */
async function askSafely(
	base: string,
	head: string,
	access: GitAccess,
	askGitHub: AskMergeBase | null,
): Promise<string | null> {
	try {
		return (await askGitHub?.(base, head)) ?? null;
	} catch (error) {
		access.signal.throwIfAborted();
		access.progress.step(`GitHub did not give the merge base (${(error as Error).message}); looking for it with git`);
		return null;
	}
}

function refuse(base: string, head: string, fetchError: string | null): never {
	throw new UserError({
		code: 'no-merge-base',
		where: `base (${base.slice(0, 7)})`,
		message: `${base.slice(0, 7)} and ${head.slice(0, 7)} have no commit in common that is known here`,
		remedy:
			fetchError === null
				? 'the two share no history: name the revision to compare with in the input base'
				: 'set fetch-depth: 0 on actions/checkout, to get the whole history',
		...(fetchError !== null && { details: fetchError }),
		exitCode: EXIT.nothingMeasured,
	});
}
