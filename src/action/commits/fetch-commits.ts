import { EXIT, UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/identifiers.ts';
import type { Side } from '../../types/units.ts';
import { ask, checkRepository, fetchObjects, type GitAccess, isShallow } from './git-access.ts';

/** A commit that has to be in the workspace's repository. */
export interface WantedCommit {
	/** Full hash. */
	readonly sha: string;
	/** For messages. */
	readonly side: Side;
	/** Number of the pull request it is the head of: origin has it as `refs/pull/N/head`, also when it lives in a fork. */
	readonly pullRequest?: number;
}

/** Returns whether the commit is in the workspace's repository. */
export async function isHere(access: GitAccess, sha: string): Promise<boolean> {
	return (await ask(access, 'cat-file', '-e', `${sha}^{tree}`)) !== null;
}

/**
 * Fetches the commits that are missing from `origin`, by hash: alone where history ends early anyway, with their history
 * where it is complete, so that a complete repository stays complete. Writes objects only: no ref, no checkout, no
 * FETCH_HEAD. Needs no network when all are there.
 *
 * @throws UserError `commit-missing` for a commit that origin does not give, with the remedy; `no-repository` without a
 * checkout.
 */
export async function fetchCommits(commits: readonly WantedCommit[], access: GitAccess): Promise<void> {
	await checkRepository(access);
	const missing = await findMissing(commits, access);
	if (missing.length === 0) return;
	access.progress.step(`Fetching ${missing.map(({ sha, side }) => `${side} ${sha.slice(0, 7)}`).join(' and ')}`);
	const depth = (await isShallow(access)) ? ['--depth=1'] : [];
	const hashes = missing.map(({ sha }) => sha).filter(isFullHash);
	let said = hashes.length === 0 ? 'that is no full hash' : await fetchObjects(access, [...depth, 'origin', ...hashes]);
	// One that nobody has spoils the fetch of all; and some servers give commits by name only.
	for (const commit of await findMissing(missing, access)) {
		for (const name of namesOf(commit)) {
			if (!(await isHere(access, commit.sha))) said = (await fetchObjects(access, [...depth, 'origin', name])) ?? said;
		}
	}
	const [left] = await findMissing(missing, access);
	if (left !== undefined) throw missingError(left, said, access);
}

async function findMissing(commits: readonly WantedCommit[], access: GitAccess): Promise<WantedCommit[]> {
	const missing: WantedCommit[] = [];
	for (const commit of commits) {
		if (!isFullHash(commit.sha) || !(await isHere(access, commit.sha))) missing.push(commit);
	}
	return missing;
}

function namesOf({ sha, pullRequest }: WantedCommit): string[] {
	return [...(isFullHash(sha) ? [sha] : []), ...(pullRequest === undefined ? [] : [`refs/pull/${pullRequest}/head`])];
}

function missingError({ sha, side }: WantedCommit, said: string | null, { token }: GitAccess): UserError {
	const login = token === '' ? '; a private repository also needs the input github-token' : '';
	return new UserError({
		code: 'commit-missing',
		where: `${side} (${sha.slice(0, 7)})`,
		message: `commit ${sha} is not in the checkout and could not be fetched from origin`,
		remedy: `set fetch-depth: 0 on actions/checkout, to get the whole history${login}`,
		...(said !== null && { details: said }),
		exitCode: EXIT.nothingMeasured,
	});
}
