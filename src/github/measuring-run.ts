import { NEVER_STARTED, type PullRequest, type Repository } from '../types/action-run.ts';
import { statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** The newest run of a workflow for the head of a pull request. */
export interface PullRequestRun {
	readonly id: number;
	/** Of its newest attempt. */
	readonly attempt: number;
	/** Page of the run. */
	readonly url: string;
	/** `completed`, or anything else while it waits or runs. */
	readonly status: string;
	/** `success`, `failure`, …; null while it waits or runs. */
	readonly conclusion: string | null;
}

/** Returns whether a run may be asked to run again: it is over, and it did run. */
export function mayRunAgain({ status, conclusion }: PullRequestRun): boolean {
	return status === 'completed' && !NEVER_STARTED.includes(conclusion ?? '');
}

/**
 * Returns the newest run of `workflow` (the name of its file) on `pull_request` for exactly this head; null when there is none,
 * `no-workflow` when the repository has no such file. Throws UserError when GitHub does not tell.
 */
export async function findMeasuringRun(
	github: GitHub,
	repository: Repository,
	workflow: string,
	{ number, headSha, headRepository }: PullRequest,
): Promise<PullRequestRun | null | 'no-workflow'> {
	try {
		const runs = await github.paginate(github.rest.actions.listWorkflowRuns, {
			...repository,
			workflow_id: workflow,
			event: 'pull_request',
			head_sha: headSha,
			per_page: 100,
		});
		const ours = runs
			.filter((run) => run.head_sha === headSha && run.event === 'pull_request')
			.filter((run) => run.head_repository?.full_name?.toLowerCase() === headRepository?.toLowerCase())
			// GitHub lists none for forks. Two pull requests of one branch have runs of their own.
			.filter(({ pull_requests: pulls }) => !pulls?.length || pulls.some((pull) => pull.number === number))
			.sort((a, b) => b.id - a.id);
		const [newest] = ours;
		if (!newest) return null;
		const { id, run_attempt: attempt = 1, html_url: url, status, conclusion } = newest;
		return { id, attempt, url, status: status ?? '', conclusion };
	} catch (error) {
		if (statusOf(error) === 404) return 'no-workflow';
		throw userErrorOf(error, { what: `look for runs of ${workflow}`, needs: { actions: 'write' } });
	}
}

/** Asks GitHub to run all jobs of a run again. Throws UserError with GitHub's words when it refuses. */
export async function runAgain(github: GitHub, repository: Repository, { id }: PullRequestRun): Promise<void> {
	try {
		await github.rest.actions.reRunWorkflow({ ...repository, run_id: id });
	} catch (error) {
		throw userErrorOf(error, { what: 'start the measuring run again', needs: { actions: 'write' } });
	}
}
