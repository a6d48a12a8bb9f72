import { resolve } from 'node:path';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import type { BaseRule } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { findAnchor, type LatestRelease } from './anchor.ts';
import { fetchCommits } from './fetch-commits.ts';
import { type FoundBase, fetchRevision, findHash, isFolder } from './fetch-revision.ts';
import { ask, type GitAccess } from './git-access.ts';
import { type AskMergeBase, fetchMergeBase } from './local-merge-base.ts';

/** What is asked of GitHub's API. */
export interface BaseLookUps {
	readonly mergeBase: AskMergeBase;
	/** Tag and commit of the latest release; null when there is none. */
	readonly latestRelease: () => Promise<LatestRelease | null>;
}

export interface BaseDeps {
	readonly access: GitAccess;
	/** Null without a token. */
	readonly github: BaseLookUps | null;
}

/**
 * Returns the base a rule stands for, fetched into the workspace when it was not there.
 *
 * @param head Commit or typed revision of the head side.
 * @throws UserError when it cannot be found or fetched: `no-base` for a head that has no commit, and as `fetchMergeBase`,
 * `fetchCommits` and `fetchRevision` do.
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
			const found = await fetchMergeBase(base, await needHash(head, 'head', access), access, github?.mergeBase ?? null);
			return { revision: `git:${found}`, ...plain };
		}
		case 'parent':
			return findParent(await needHash(head, 'head', access), access);
		case 'anchor':
			return findAnchor(head, access, github?.latestRelease ?? null);
	}
}

/**
 * A pull request can add a folder of any name, also of the branch or the package that the workflow compares with. Only a folder
 * that the repository does not have, as a second checkout makes it, is meant without saying so.
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
		remedy: `say what is meant: git:REF, npm:NAME@VERSION or dir:${value}`,
	});
}

async function findParent(head: string, access: GitAccess): Promise<FoundBase> {
	await fetchCommits([{ sha: head, side: 'head' }], access);
	// A shallow repository hides parents from everything that walks, but the commit itself still names them.
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
