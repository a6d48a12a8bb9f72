import type { GitHub } from '../../github/github-client.ts';
import { readQueueBranch } from '../../github/merge-group.ts';
import {
	type Branch,
	type ChangedFiles,
	findBaseBranch,
	findMergeBase,
	linkFinder,
	listChangedFiles,
	listChangesBetween,
	readRepositoryFile,
} from '../../github/repository.ts';
import { type Executed, findExecuted } from '../../init/workflows/executed-files.ts';
import { type MeasuredRun, PULL_REQUEST_EVENTS, type PullRequest, type Repository } from '../../types/action-run.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import { type Call, readCalls } from './measuring-workflow.ts';

/** What the branch that a change will be merged into says about how changes are measured. */
export interface BaseBranch {
	readonly branch: Branch;
	/** Path of the workflow that measured; null when the event does not say. */
	readonly workflow: string | null;
	/** How the branch's own version of that workflow calls benchgate; null when the branch has no such file. */
	readonly calls: readonly Call[] | null;
	/** Files of the checkout that the base branch's version of that workflow executes. */
	readonly executed: Executed;
	/** Where the pull request left the branch; null where GitHub does not tell, and for a merge group, which stands on its tip. */
	readonly mergeBase: string | null;
	/** What the branch itself has changed since then, as far as GitHub lists it; none where it does not tell. */
	readonly changedSince: readonly string[];
	/** By the pull request, or by the merge group as a whole. */
	readonly changed: ChangedFiles;
	/** Text of a file of the branch, or of the measured head; null when it has none. */
	readonly read: (path: string, from?: 'base' | 'head') => Promise<string | null>;
}

/** `none`: nothing will be merged, so there is no base branch. */
export type FoundBase = BaseBranch | 'none' | { readonly unreadable: UserError };

/** Returns what the base branch of a measured pull request or merge group says; what GitHub does not show is no exception. */
export async function readBaseBranch(
	github: GitHub,
	repository: Repository,
	measured: MeasuredRun,
	pullRequest: Pick<PullRequest, 'number'> | null,
): Promise<FoundBase> {
	if (!PULL_REQUEST_EVENTS.includes(measured.event)) return 'none';
	try {
		const branch = await findTarget(github, repository, measured, pullRequest);
		if (branch === null) return 'none';
		const read: BaseBranch['read'] = (path, from = 'base') =>
			readRepositoryFile(github, repository, from === 'base' ? branch.sha : measured.headSha, path);
		const { workflow } = measured;
		const text = workflow === null ? null : await read(workflow);
		const isOwn = `${repository.owner}/${repository.repo}`.toLowerCase() === 'benchgate/benchgate';
		const calls = text === null ? null : readCalls(text, { isOwn });
		const changed = pullRequest
			? await listChangedFiles(github, repository, pullRequest.number)
			: await listChangesBetween(github, repository, branch.sha, measured.headSha);
		const mergeBase = pullRequest && (await findMergeBase(github, repository, branch.sha, measured.headSha));
		const executedAt = (sha: string) =>
			findExecuted(text ?? '', {
				read: (path) => readRepositoryFile(github, repository, sha, path),
				isLinked: linkFinder(github, repository, sha),
				isOwn,
			});
		let executed = await executedAt(branch.sha);
		// The commit of a pull request has files as they were when it left the branch.
		if (executed.named && pullRequest && mergeBase !== branch.sha)
			executed = joinExecuted(executed, mergeBase === null ? UNKNOWN_PAST : await executedAt(mergeBase));
		const changedSince = mergeBase === null ? [] : await listSince(github, repository, mergeBase, branch.sha);
		return { branch, workflow, calls, executed, mergeBase, changedSince, changed, read };
	} catch (error) {
		if (isUserError(error)) return { unreadable: error };
		throw error;
	}
}

const UNKNOWN_PAST: Executed = {
	places: [],
	folders: [],
	packages: false,
	unread: ['a checkout of a commit that does not stand on the base branch'],
	named: true,
};

function joinExecuted(one: Executed, other: Executed): Executed {
	return {
		places: [...new Set([...one.places, ...other.places])],
		folders: [...new Set([...one.folders, ...other.folders])],
		packages: one.packages || other.packages,
		unread: [...new Set([...one.unread, ...other.unread])],
		named: one.named || other.named,
	};
}

/** Only notes are made of it, so that a report does without. */
async function listSince(
	github: GitHub,
	repository: Repository,
	mergeBase: string,
	tip: string,
): Promise<readonly string[]> {
	if (mergeBase === tip) return [];
	try {
		return (await listChangesBetween(github, repository, mergeBase, tip)).paths;
	} catch (error) {
		if (isUserError(error)) return [];
		throw error;
	}
}

/**
 * A merge group will be merged on the commit it stands on, which may be a group before it in the queue: it is held to that, as it
 * was when it was measured.
 */
async function findTarget(
	github: GitHub,
	repository: Repository,
	{ headBranch }: MeasuredRun,
	pullRequest: Pick<PullRequest, 'number'> | null,
): Promise<Branch | null> {
	if (pullRequest) return findBaseBranch(github, repository, pullRequest.number);
	const queue = readQueueBranch(headBranch);
	return queue && { name: queue.base, sha: queue.onto };
}
