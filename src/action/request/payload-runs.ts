/** What a `workflow_run` event says of the run that has ended. */
import type { MeasuredRun } from '../../types/action-run.ts';
import { badEvent, FULL_NAME, ID, LIST, orNull, peek, REF, read, SHA, TEXT, URL_TEXT, WORD } from './payload.ts';

/** Where GitHub takes workflows from. */
const WORKFLOW_PATH = /^\.github\/workflows\/[^\p{Cc}/]{1,200}\.ya?ml$/u;

/**
 * Returns the run that a `workflow_run` event is about.
 *
 * @param repository `owner/name` of the repository we run in.
 * @throws UserError `bad-event` when a part is missing or odd, or the run is another repository's.
 */
export function readMeasuredRun(payload: unknown, repository: string): MeasuredRun {
	const owner = read(payload, 'workflow_run.repository.full_name', FULL_NAME);
	if (owner.toLowerCase() !== repository.toLowerCase()) {
		throw badEvent(`the finished run belongs to ${owner}, and this workflow to ${repository}`);
	}
	return {
		run: {
			id: read(payload, 'workflow_run.id', ID),
			attempt: read(payload, 'workflow_run.run_attempt', ID),
			url: read(payload, 'workflow_run.html_url', URL_TEXT),
		},
		workflow: workflowOf(payload),
		startedAt: timeOf(payload),
		headSha: read(payload, 'workflow_run.head_sha', SHA),
		headRepository: read(payload, 'workflow_run.head_repository.full_name', FULL_NAME),
		headBranch: read(payload, 'workflow_run.head_branch', orNull(REF)) ?? '',
		event: read(payload, 'workflow_run.event', WORD),
		conclusion: read(payload, 'workflow_run.conclusion', orNull(WORD)),
		pullRequests: ownPullRequests(payload),
	};
}

/** The list also names pull requests that forks keep against themselves; those are none of ours. */
function ownPullRequests(payload: unknown): number[] {
	const repository = read(payload, 'workflow_run.repository.id', ID);
	return read(payload, 'workflow_run.pull_requests', LIST)
		.filter((pull) => peek(pull, 'base.repo.id') === repository)
		.map((pull) => read(pull, 'number', ID));
}

/** Older instances do not send it; some name the ref behind the path. */
function workflowOf(payload: unknown): string | null {
	const path = peek(payload, 'workflow_run.path') ?? peek(payload, 'workflow.path') ?? null;
	if (path === null) return null;
	const [file = ''] = read({ path }, 'path', TEXT).split('@');
	return WORKFLOW_PATH.test(file) ? file : null;
}

function timeOf(payload: unknown): string | null {
	const time = peek(payload, 'workflow_run.run_started_at');
	return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : null;
}
