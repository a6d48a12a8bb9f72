/** Whether the commits were compared that a change is made of. */
import type { Raw } from '../../types/result.ts';

/** What a run was to compare where nobody named the revisions. */
export interface ExpectedCommits {
	readonly head: string;
	/** Where the pull request left its base branch; null where that is not known, and for a merge group. */
	readonly base: string | null;
	/** Name of that branch. */
	readonly branch: string;
}

/**
 * Returns a sentence where the measuring run compared other commits than these. The author of a pull request chooses its base branch, and
 * may choose another one once it was measured.
 */
export function doubtCommits(
	{ base, head }: Pick<Raw['context'], 'base' | 'head'>,
	expected: ExpectedCommits | undefined,
): readonly string[] {
	if (expected === undefined) return [];
	if (head.sha !== expected.head) {
		return [`The measuring run measured ${nameOf(head.sha)}, but this report is about ${nameOf(expected.head)}.`];
	}
	if (expected.base === null || base.sha === expected.base) return [];
	const compared = `The measuring run compared with ${nameOf(base.sha)}`;
	const leaves = `the pull request branches off ${expected.branch} at ${nameOf(expected.base)}`;
	return [`${compared}, but ${leaves}. Run it again.`];
}

function nameOf(sha: string | undefined): string {
	return sha === undefined ? 'something that is no commit' : `commit ${sha.slice(0, 7)}`;
}
