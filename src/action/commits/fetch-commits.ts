import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { findCommit } from '../../prepare/revision/resolve-ref.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/identifiers.ts';
import type { Side, Warning } from '../../types/units.ts';
import { ask, checkRepository, fetchObjects, type GitAccess, isShallow, listRemote } from './git-access.ts';

/** A revision `--base` and `--head` take, whose code is there without fetching. */
interface FoundRevision {
	readonly revision: string;
	/** What reports call it; its own label when absent. */
	readonly label?: string;
}

/** The base side: a revision whose commit is in the workspace. */
export interface FoundBase extends FoundRevision {
	/** Why it is this one, where that is not obvious. */
	readonly note: string | null;
	readonly warnings: readonly Warning[];
}

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

/**
 * Returns a revision as the user typed it, or the commit it names when that had to be fetched: a branch, tag or full hash
 * that only `origin` has. What is no git revision, or nothing anybody knows, is returned as it is, to be resolved (or
 * refused with what comes near) when it is prepared.
 *
 * @throws UserError `commit-missing` for a full hash that origin does not give.
 */
export async function fetchRevision(revision: string, side: Side, access: GitAccess): Promise<FoundRevision> {
	const sha = await findHash(revision, side, access);
	if (sha === null) return { revision };
	const { value } = parseRevision(revision, side);
	const isLocal = (await findCommit(access, access.workspace, value)) !== null;
	if (isLocal && !isFullHash(value)) return { revision };
	await fetchCommits([{ sha, side }], access);
	return {
		revision: `git:${sha}`,
		...(!isFullHash(value) && { label: `${value.replace(/^refs\/(heads|tags)\//, '')}@${sha.slice(0, 7)}` }),
	};
}

/**
 * Returns the full hash a revision stands for, asking `origin` when the checkout does not know the name; null when it is no
 * git revision or nobody knows it. The commit itself may still be missing.
 */
export async function findHash(revision: string, side: Side, access: GitAccess): Promise<string | null> {
	const { kind, value } = parseRevision(revision, side);
	if (kind === 'npm' || kind === 'dir' || kind === 'file') return null;
	if (isFullHash(value)) return value;
	if (kind === null && (await isFolder(resolve(access.workspace, value)))) return null;
	const commit = await findCommit(access, access.workspace, value);
	if (commit !== null) return commit.sha;
	// NAME@VERSION is a package; what begins with a dash would be an option.
	if (value.includes('@') || !/^[\w./][\w./+-]*$/.test(value)) return null;
	const name = value.replace(/^origin\//, '');
	const candidates = name.startsWith('refs/') ? [name] : [`refs/tags/${name}`, `refs/heads/${name}`];
	const refs = await listRemote(
		access,
		candidates.flatMap((ref) => [ref, `${ref}^{}`]),
	);
	return candidates.map((ref) => refs.get(ref)).find((sha) => sha !== undefined) ?? null;
}

/** Returns whether there is a folder at an absolute path. */
export function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}
