import type { Repository } from '../types/action-run.ts';
import { FULL_HASH } from '../types/identifiers.ts';
import type { Warning } from '../types/units.ts';
import { warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** A commit that a merge queue made, and the branch it made it on. */
export interface QueuedCommit {
	readonly repository: Repository;
	/** `gh-readonly-queue/main/pr-123-SHA`, with or without `refs/heads/`. */
	readonly ref: string;
	readonly headSha: string;
	/** What it is compared with; null where nobody but the run that measured knows. */
	readonly baseSha: string | null;
}

export type QueuedPullRequest =
	| { readonly number: number /** Its own head, not the queue's commit. */; readonly headSha: string }
	| { readonly warning: Warning };

/** What the name of a merge queue's branch says. */
export interface QueueBranch {
	/** Branch that the queue leads into. */
	readonly base: string;
	/** Of the pull request that was queued last. */
	readonly number: number;
	/** Commit the queue has put it on: the newest of `base`, or the group before it in the queue. */
	readonly onto: string;
}

const QUEUE_REF = new RegExp(
	`^(?:refs/heads/)?gh-readonly-queue/(?<base>.+)/pr-(?<number>[1-9]\\d{0,9})-(?<onto>${FULL_HASH})$`,
);

/** Returns what the name of a merge queue's branch says, with or without `refs/heads/`; null for any other name. */
export function readQueueBranch(ref: string): QueueBranch | null {
	const { base = '', number = '', onto = '' } = QUEUE_REF.exec(ref)?.groups ?? {};
	return number === '' ? null : { base, number: Number(number), onto };
}

/**
 * Returns the one pull request that a commit of a merge queue adds to its base, with the head it was queued with. The warning when it
 * adds several, when GitHub shows another state of the pull request, and when a call fails.
 */
export async function findQueuedPull(github: GitHub, queued: QueuedCommit): Promise<QueuedPullRequest> {
	const { repository, ref, headSha, baseSha } = queued;
	const branch = readQueueBranch(ref);
	if (branch === null) return notCarried('the branch of the merge group names no pull request.');
	const { base, number, onto } = branch;
	try {
		const { data: commit } = await github.rest.repos.getCommit({ ...repository, ref: headSha });
		const [first, second, ...others] = commit.parents.map(({ sha }) => sha);
		// A merge or a squash of one pull request stands right on the commit it was put on.
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
