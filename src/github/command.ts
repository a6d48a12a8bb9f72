import { NEVER_STARTED, type PullRequest, type Repository, type RunIdentity } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, statusOf, userErrorOf, warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';
import { ACTIONS_LOGIN } from './own-author.ts';

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

/** What the job that read a `/benchgate` comment asks of an attempt that it starts. */
export interface CommandOrder {
	/** The attempt that is to measure it. */
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** What the attempt before it came to: `success`, `failure`, … */
	readonly after: string;
	/** The command, on one line. */
	readonly command: string;
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

/**
 * Returns null when the reaction is on the comment with the command, the warning when it cannot be: `eyes` for "at it", `confused`
 * for "not understood, or not allowed".
 */
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

/** Returns the comment that answers a command, the warning when it cannot be written. */
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

/** Returns null when the answer now says something else, the warning when it cannot be changed. */
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

/** Returns the order as one line of HTML comment, which `parseOrder` reads back. */
export function formatOrder({ run, after, command }: CommandOrder): string {
	const line = `<!-- benchgate-order run=${run.id} attempt=${run.attempt} after=${after} command="${command}" -->`;
	if (parseOrder(line) === null) throw new Error(`not an order: ${line}`);
	return line;
}

/** Returns the order in the first line of a comment; null when it is none. */
export function parseOrder(body: string): CommandOrder | null {
	const groups = ORDER.exec(body)?.groups;
	if (!groups) return null;
	const { id, attempt, after = '', command = '' } = groups;
	return { run: { id: Number(id), attempt: Number(attempt) }, after, command };
}

/**
 * Returns the order for exactly this attempt: the newest one, in a comment that a workflow of the repository wrote itself.
 * The job that wrote it had asked whether the commenter may; a token that only reads could not. Throws failed calls.
 */
export async function findOrder(
	github: GitHub,
	repository: Repository,
	issue: number,
	run: Pick<RunIdentity, 'id' | 'attempt'>,
): Promise<CommandOrder | null> {
	let newest: CommandOrder | null = null;
	const pages = github.paginate.iterator(github.rest.issues.listComments, {
		...repository,
		issue_number: issue,
		per_page: 100,
	});
	for await (const { data } of pages) {
		for (const { body, user } of data) {
			if (user?.type !== 'Bot' || user.login !== ACTIONS_LOGIN) continue;
			const order = parseOrder(body ?? '');
			if (order?.run.id === run.id && order.run.attempt === run.attempt) newest = order;
		}
	}
	return newest;
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
