import type { Repository } from '../types/action-run.ts';
import { FULL_HASH } from '../types/shared-names.ts';
import type { Warning } from '../types/units.ts';
import { warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

export interface QueuedCommit {
	readonly repository: Repository;
	/** `gh-readonly-queue/main/pr-123-SHA`, with or without `refs/heads/`. */
	readonly ref: string;
	readonly headSha: string;
	/** Null if only the measuring run knows it. */
	readonly baseSha: string | null;
}

export type QueuedPullRequest =
	| { readonly number: number /** Its own head, not the queue's commit. */; readonly headSha: string }
	| { readonly warning: Warning };

export interface QueueBranch {
	/** Target branch of the queue. */
	readonly base: string;
	/** Number of the last queued pull request. */
	readonly number: number;
	/** The newest commit of `base`, or the commit of the previous group. */
	readonly onto: string;
}

const QUEUE_REF = new RegExp(
	`^(?:refs/heads/)?gh-readonly-queue/(?<base>.+)/pr-(?<number>[1-9]\\d{0,9})-(?<onto>${FULL_HASH})$`,
);

export function readQueueBranch(ref: string): QueueBranch | null {
	const { base = '', number = '', onto = '' } = QUEUE_REF.exec(ref)?.groups ?? {};
	return number === '' ? null : { base, number: Number(number), onto };
}

/**
 * Returns the only pull request that a queue's commit adds, with the head it was queued with; a warning if several, or
 * it has changed since.
 */
export async function findQueuedPull(github: GitHub, queued: QueuedCommit): Promise<QueuedPullRequest> {
	const { repository, ref, headSha, baseSha } = queued;
	const branch = readQueueBranch(ref);
	if (branch === null) return notCarried('the branch of the merge group names no pull request.');
	const { base, number, onto } = branch;
	try {
		const { data: commit } = await github.rest.repos.getCommit({ ...repository, ref: headSha });
		const [first, second, ...others] = commit.parents.map(({ sha }) => sha);
		// The first parent of a single merge or squash is the commit onto which it was put.
		if (first !== (baseSha ?? onto) || others.length > 0) {
			return notCarried('the merge group holds several pull requests, or the commits of a rebase.');
		}
		const { data: pull } = await github.rest.pulls.get({ ...repository, pull_number: number });
		if (pull.state !== 'open' || pull.base.ref !== base)
			return notCarried(`#${number} is not open on ${base} any more.`);
		if (second !== undefined && second !== pull.head.sha)
			return notCarried(`#${number} has moved on since it was queued.`);
		return { number: pull.number, headSha: pull.head.sha };
	} catch (error) {
		const needs = { contents: 'read', 'pull-requests': 'read' } as const;
		return { warning: warningOf(error, { what: 'see which pull request the merge group holds', needs }) };
	}
}

function notCarried(why: string): { warning: Warning } {
	const message = `Nothing that was accepted in a pull request counts here: ${why} Queue it alone, or see docs/accepting.md.`;
	return { warning: { code: 'acceptance-not-carried', message } };
}
