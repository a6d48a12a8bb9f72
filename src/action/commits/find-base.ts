import type { BaseRule } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { findAnchor, type LatestRelease } from './anchor.ts';
import { fetchCommits } from './fetch-commits.ts';
import { type FoundBase, fetchRevision, findHash } from './fetch-revision.ts';
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
			return { ...(await fetchRevision(rule.revision, 'base', access)), ...plain };
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
