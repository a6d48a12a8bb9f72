import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findBaseBranch, findLatestRelease, findMergeBase } from '../../github/repository.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import type { BaseRule, RequestOf } from '../../types/action-run.ts';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';
import type { Sides } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { findAnchor, type LatestRelease } from './anchor.ts';
import { type FoundBase, fetchCommits, fetchRevision, findHash, isFolder, isHere } from './fetch-commits.ts';
import { ask, checkRepository, fetchObjects, type GitAccess, isShallow, openGitAccess } from './git-access.ts';

export interface BaseLookUps {
	readonly mergeBase: AskMergeBase;
	readonly latestRelease: () => Promise<LatestRelease | null>;
}

interface BaseDeps {
	readonly access: GitAccess;
	/** Null without a token. */
	readonly github: BaseLookUps | null;
}

export interface Commits {
	readonly access: GitAccess;
	/** Values for `--base` and `--head`. */
	readonly revisions: Sides<string>;
	readonly labels: Partial<Sides<string>>;
}

/** Returns both revisions of a request, fetched if missing. Throws like `findBase`. */
export async function findCommits(session: ActionSession, request: RequestOf<'compare'>): Promise<Commits> {
	const { inputs, runner, janitor, progress, signal } = session;
	const access = openGitAccess({ runner, token: inputs.token, janitor, progress, signal });
	const head = await findHead(access, request);
	const base = await findBase(request.base, request.head, { access, github: lookUps(session) });
	if (base.note !== null) progress.step(base.note);
	session.warnings.push(...base.warnings);
	return {
		access,
		revisions: { base: base.revision, head: head.revision },
		labels: {
			...(base.label !== undefined && { base: base.label }),
			...(head.label !== undefined && { head: head.label }),
		},
	};
}

async function findHead(access: GitAccess, { head, pullRequest, checkSha }: RequestOf<'compare'>) {
	if (!isFullHash(head)) return fetchRevision(head, 'head', access);
	const number = pullRequest !== null && head === checkSha ? { pullRequest: pullRequest.number } : {};
	await fetchCommits([{ sha: head, side: 'head', ...number }], access);
	return { revision: `git:${head}`, label: undefined };
}

function lookUps({ github, runner }: ActionSession): BaseLookUps | null {
	if (github === null) return null;
	return {
		mergeBase: (base, head) => findMergeBase(github, runner.repository, base, head),
		latestRelease: () => findLatestRelease(github, runner.repository),
	};
}

/**
 * Returns the base of a rule, fetched if missing.
 *
 * @param head Commit or typed revision.
 * @throws UserError `no-base` if head has no commit, and the errors of fetching.
 */
export async function findBase(rule: BaseRule, head: string, { access, github }: BaseDeps): Promise<FoundBase> {
	const plain = { note: null, warnings: [] };
	switch (rule.kind) {
		case 'given':
			return { ...(await fetchRevision(await sureOf(rule.revision, access), 'base', access)), ...plain };
		case 'commit':
			await fetchCommits([{ sha: rule.sha, side: 'base' }], access);
			return { revision: `git:${rule.sha}`, ...plain };
		case 'merge-base': {
			const base = await needHash(rule.with, 'base', access);
			const mergeBase = await fetchMergeBase(
				base,
				await needHash(head, 'head', access),
				access,
				github?.mergeBase ?? null,
			);
			return { revision: `git:${mergeBase}`, ...plain };
		}
		case 'parent':
			return findParent(await needHash(head, 'head', access), access);
		case 'anchor':
			return findAnchor(head, access, github?.latestRelease ?? null);
	}
}

/**
 * A pull request can add a folder with the name of what is compared. So a bare name means a folder only outside the
 * repository, such as a second checkout.
 */
async function sureOf(revision: string, access: GitAccess): Promise<string> {
	const { kind, value } = parseRevision(revision, 'base');
	if (kind !== null || !(await isFolder(resolve(access.workspace, value)))) return revision;
	if ((await findHash(`git:${value}`, 'base', access)) !== null) return `git:${value}`;
	if (!(await ask(access, 'ls-tree', '--name-only', 'HEAD', '--', value))) return revision;
	throw new UserError({
		code: 'ambiguous-base',
		where: 'input base',
		message: `"${revision}" is a folder of the repository, so head decides what is in it`,
		remedy: `choose one: git:REF, npm:NAME@VERSION or dir:${value}`,
	});
}

async function findParent(head: string, access: GitAccess): Promise<FoundBase> {
	await fetchCommits([{ sha: head, side: 'head' }], access);
	// A shallow repository hides parents from walks, but the commit object names them.
	const text = await ask(access, 'cat-file', 'commit', head);
	const parent = /^parent ([0-9a-f]+)$/m.exec(text?.split('\n\n')[0] ?? '')?.[1];
	if (parent === undefined) {
		const note = `commit ${head.slice(0, 7)} is the first of its history, so it is compared with itself`;
		return { revision: `git:${head}`, note, warnings: [] };
	}
	await fetchCommits([{ sha: parent, side: 'base' }], access);
	return { revision: `git:${parent}`, note: null, warnings: [] };
}

async function needHash(revision: string, side: 'base' | 'head', access: GitAccess): Promise<string> {
	const sha = await findHash(revision, side, access);
	if (sha !== null) return sha;
	throw new UserError({
		code: 'no-base',
		where: side === 'head' ? 'input head' : `base (${revision})`,
		message: `"${revision}" is not a commit of this repository, so the base cannot be derived from it`,
		remedy: 'use a branch, tag or commit, or name the revision to compare with in the input base',
	});
}

/**
 * Returns the request with the current tip of the pull request's base branch, because the event's may be weeks old.
 * Keeps the event's without a token or answer.
 */
export async function takeFreshTip(
	{ github, runner, warnings }: Pick<ActionSession, 'github' | 'runner' | 'warnings'>,
	request: RequestOf<'compare'>,
): Promise<RequestOf<'compare'>> {
	const { base, pullRequest } = request;
	if (github === null || pullRequest === null) return request;
	const keepOld = (why: string): RequestOf<'compare'> => {
		const message = `${why} The base branch is taken at ${pullRequest.baseSha.slice(0, 7)}, as the event names it, which may be old.`;
		warnings.push({ code: 'base-tip-unknown', message });
		return request;
	};
	try {
		const branch = await findBaseBranch(github, runner.repository, pullRequest.number);
		if (branch === null) return keepOld('The pull request is closed, or its base branch is gone.');
		return { ...request, baseTip: branch.sha, base: base.kind === 'merge-base' ? { ...base, with: branch.sha } : base };
	} catch (error) {
		if (!isUserError(error)) throw error;
		return keepOld(`${error.message} ${error.remedy ?? ''}`.trim());
	}
}

/** Asks GitHub for the merge base; null if there is no common history. */
type AskMergeBase = (base: string, head: string) => Promise<string | null>;

/** Each fetch adds so many commits; the last fetches the whole history. */
const STEPS = ['--deepen=64', '--deepen=512', '--deepen=4096', '--unshallow'];

/**
 * The merge base, fetched if needed. Searches local history, then asks GitHub, then fetches deeper.
 *
 * @throws UserError `no-merge-base` if there is none or it is not found, `commit-missing`.
 */
async function fetchMergeBase(
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
 * Returns the merge base; null if none; undefined if the history is too short: a shallow boundary within one side's
 * commits could hide a newer ancestor.
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
