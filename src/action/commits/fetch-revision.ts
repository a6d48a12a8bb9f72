import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { findCommit } from '../../prepare/revision/resolve-ref.ts';
import { isFullHash } from '../../types/identifiers.ts';
import type { Side, Warning } from '../../types/units.ts';
import { fetchCommits } from './fetch-commits.ts';
import { type GitAccess, listRemote } from './git-access.ts';

/** A revision `--base` and `--head` take, whose code is there without fetching. */
export interface FoundRevision {
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
