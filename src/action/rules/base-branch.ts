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

/** State of the branch that a change will be merged into. */
export interface BaseBranch {
	readonly branch: Branch;
	/** Null if the event has no path. */
	readonly workflow: string | null;
	/** Calls of benchgate in the workflow as the branch has it; null if it has none. */
	readonly calls: readonly Call[] | null;
	/** Checkout files that the workflow executes. */
	readonly executed: Executed;
	/** Null if unknown, and for a merge group, which is built on the tip. */
	readonly mergeBase: string | null;
	/** Paths changed on the branch since the merge base, as far as GitHub lists them. */
	readonly changedSince: readonly string[];
	readonly changed: ChangedFiles;
	readonly read: (path: string, from?: 'base' | 'head') => Promise<string | null>;
}

/** `none` if nothing will be merged. */
export type FoundBase = BaseBranch | 'none' | { readonly unreadable: UserError };

/** Reads the target branch of a pull request or merge group. API errors make it `unreadable`. */
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
		// The files of a pull request's commit are partly those of its merge base.
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

/** Errors are ignored, because only notes need the result. */
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

/** The target of a merge group is its parent commit, which may be another group in the queue. */
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
