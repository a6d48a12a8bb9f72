import { NEVER_STARTED, type PullRequest, type Repository, type RunIdentity } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, statusOf, userErrorOf, warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';
import { ACTIONS_LOGIN } from './own-author.ts';

export interface PullRequestRun {
	readonly id: number;
	readonly attempt: number;
	readonly url: string;
	/** `completed` once it ended. */
	readonly status: string;
	/** `success`, `failure`, …; null until it ended. */
	readonly conclusion: string | null;
}

/** Order from the job that handled a `/benchgate` comment to the attempt that it starts. */
export interface CommandOrder {
	/** The attempt that executes the order. */
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** Conclusion of the attempt before: `success`, `failure`, … */
	readonly after: string;
	/** On one line. */
	readonly command: string;
}

export interface FoundOrder extends CommandOrder {
	readonly commentId: number;
}

const ORDER = new RegExp(
	[
		/^<!-- benchgate-order run=(?<id>[1-9]\d{0,15})/,
		/attempt=(?<attempt>[1-9]\d{0,5})/,
		/after=(?<after>[a-z_]{1,64})/,
		/command="(?<command>\/benchgate[A-Za-z0-9 ._=%-]{0,4000})" -->(?=\r?\n|$)/,
	]
		.map(({ source }) => source)
		.join(' '),
);

/** Reacts with `eyes` for accepted, `confused` for not understood or not allowed. Returns a warning on failure. */
export async function reactToCommand(
	github: GitHub,
	repository: Repository,
	commentId: number,
	reaction: 'eyes' | 'confused',
): Promise<Warning | null> {
	try {
		await github.rest.reactions.createForIssueComment({ ...repository, comment_id: commentId, content: reaction });
		return null;
	} catch (error) {
		return warningOf(error, attemptOf('react to the command'));
	}
}

export async function answerCommand(
	github: GitHub,
	repository: Repository,
	issue: number,
	body: string,
): Promise<{ readonly id: number; readonly url: string } | { readonly warning: Warning }> {
	try {
		const { data } = await github.rest.issues.createComment({ ...repository, issue_number: issue, body });
		return { id: data.id, url: data.html_url };
	} catch (error) {
		return { warning: warningOf(error, attemptOf('answer the command')) };
	}
}

export async function changeAnswer(
	github: GitHub,
	repository: Repository,
	id: number,
	body: string,
): Promise<Warning | null> {
	try {
		await github.rest.issues.updateComment({ ...repository, comment_id: id, body });
		return null;
	} catch (error) {
		return warningOf(error, attemptOf('change the answer to the command'));
	}
}

function attemptOf(what: string): Attempt {
	return { what, needs: { 'pull-requests': 'write' } };
}

/** Writes one line of HTML comment, for `parseOrder`. */
export function formatOrder({ run, after, command }: CommandOrder): string {
	const line = `<!-- benchgate-order run=${run.id} attempt=${run.attempt} after=${after} command="${command}" -->`;
	if (parseOrder(line) === null) throw new Error(`not an order: ${line}`);
	return line;
}

export function parseOrder(body: string): CommandOrder | null {
	const groups = ORDER.exec(body)?.groups;
	if (!groups) return null;
	const { id, attempt, after = '', command = '' } = groups;
	return { run: { id: Number(id), attempt: Number(attempt) }, after, command };
}

/**
 * Returns the newest order for this attempt, in a comment by a workflow of this repository, which checked the
 * commenter's access. Throws failed calls.
 */
export async function findOrder(
	github: GitHub,
	repository: Repository,
	issue: number,
	run: Pick<RunIdentity, 'id' | 'attempt'>,
): Promise<FoundOrder | null> {
	let newest: FoundOrder | null = null;
	const pages = github.paginate.iterator(github.rest.issues.listComments, {
		...repository,
		issue_number: issue,
		per_page: 100,
	});
	for await (const { data } of pages) {
		for (const { id: commentId, body, user } of data) {
			if (user?.type !== 'Bot' || user.login !== ACTIONS_LOGIN) continue;
			const order = parseOrder(body ?? '');
			if (order?.run.id === run.id && order.run.attempt === run.attempt) newest = { ...order, commentId };
		}
	}
	return newest;
}

export function mayRunAgain({ status, conclusion }: PullRequestRun): boolean {
	return status === 'completed' && !NEVER_STARTED.includes(conclusion ?? '');
}

/**
 * Returns the newest run of the file `workflow` on `pull_request` for exactly this head; `no-workflow` without the
 * file. Throws UserError when the call fails.
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
			// The list is empty for forks. Two pull requests of one branch have separate runs.
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

/** Repeats all jobs. Throws UserError with GitHub's reason. */
export async function runAgain(github: GitHub, repository: Repository, { id }: PullRequestRun): Promise<void> {
	try {
		await github.rest.actions.reRunWorkflow({ ...repository, run_id: id });
	} catch (error) {
		throw userErrorOf(error, { what: 'start the measuring run again', needs: { actions: 'write' } });
	}
}
