import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { findCommit } from '../../prepare/revision/resolve-ref.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';
import type { Side, Warning } from '../../types/units.ts';
import { ask, checkRepository, fetchObjects, type GitAccess, isShallow, listRemote } from './git-access.ts';

/** A value for `--base` or `--head` whose commit was fetched. */
interface FoundRevision {
	readonly revision: string;
	/** Name in reports, if it is not the default. */
	readonly label?: string;
}

export interface FoundBase extends FoundRevision {
	readonly note: string | null;
	readonly warnings: readonly Warning[];
}

export interface WantedCommit {
	readonly sha: string;
	readonly side: Side;
	/** `origin` has this pull request's head as `refs/pull/N/head`, even if it is from a fork. */
	readonly pullRequest?: number;
}

export async function isHere(access: GitAccess, sha: string): Promise<boolean> {
	return (await ask(access, 'cat-file', '-e', `${sha}^{tree}`)) !== null;
}

/**
 * Fetches missing commits from `origin` by hash. History is fetched only into a complete repository, which stays
 * complete. Writes objects, but no ref, checkout or FETCH_HEAD. Works offline if all are present.
 *
 * @throws UserError `commit-missing`; `no-repository` without a checkout.
 */
export async function fetchCommits(commits: readonly WantedCommit[], access: GitAccess): Promise<void> {
	await checkRepository(access);
	const missing = await findMissing(commits, access);
	if (missing.length === 0) return;
	access.progress.step(`Fetching ${missing.map(({ sha, side }) => `${side} ${sha.slice(0, 7)}`).join(' and ')}`);
	const depth = (await isShallow(access)) ? ['--depth=1'] : [];
	const hashes = missing.map(({ sha }) => sha).filter(isFullHash);
	let fetchError =
		hashes.length === 0 ? 'that is no full hash' : await fetchObjects(access, [...depth, 'origin', ...hashes]);
	// One missing commit makes the whole fetch fail, and some servers serve commits by ref only.
	for (const commit of await findMissing(missing, access)) {
		for (const name of namesOf(commit)) {
			if (!(await isHere(access, commit.sha)))
				fetchError = (await fetchObjects(access, [...depth, 'origin', name])) ?? fetchError;
		}
	}
	const [missingCommit] = await findMissing(missing, access);
	if (missingCommit !== undefined) throw missingError(missingCommit, fetchError, access);
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

function missingError({ sha, side }: WantedCommit, fetchError: string | null, { token }: GitAccess): UserError {
	const login = token === '' ? '; a private repository also needs the input github-token' : '';
	return new UserError({
		code: 'commit-missing',
		where: `${side} (${sha.slice(0, 7)})`,
		message: `commit ${sha} is not in the checkout and could not be fetched from origin`,
		remedy: `set fetch-depth: 0 on actions/checkout, to get the whole history${login}`,
		...(fetchError !== null && { details: fetchError }),
		exitCode: EXIT.nothingMeasured,
	});
}

/**
 * Returns a revision as typed, or its commit if fetched: a full hash, or a branch or tag that only `origin` has.
 *
 * @throws UserError `commit-missing` for a full hash that origin does not serve.
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
 * Returns a revision's full hash; asks `origin` if the checkout does not know it. Returns null if it is unknown or no
 * git revision. The commit may still be missing.
 */
export async function findHash(revision: string, side: Side, access: GitAccess): Promise<string | null> {
	const { kind, value } = parseRevision(revision, side);
	if (kind === 'npm' || kind === 'dir' || kind === 'file') return null;
	if (isFullHash(value)) return value;
	if (kind === null && (await isFolder(resolve(access.workspace, value)))) return null;
	const commit = await findCommit(access, access.workspace, value);
	if (commit !== null) return commit.sha;
	// NAME@VERSION is a package, and git would read a leading dash as an option.
	if (value.includes('@') || !/^[\w./][\w./+-]*$/.test(value)) return null;
	const name = value.replace(/^origin\//, '');
	const candidates = name.startsWith('refs/') ? [name] : [`refs/tags/${name}`, `refs/heads/${name}`];
	const refs = await listRemote(
		access,
		candidates.flatMap((ref) => [ref, `${ref}^{}`]),
	);
	return candidates.map((ref) => refs.get(ref)).find((sha) => sha !== undefined) ?? null;
}

export function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}
