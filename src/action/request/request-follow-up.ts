/** Events that follow on something: a run that ended, a comment. Their jobs hold a write token. */
import { type ActionRequest, NEVER_STARTED } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { parseCommand } from './bench-command.ts';
import { ID, LOGIN, orNull, peek, read, TEXT, WORD } from './payload.ts';
import { readMeasuredRun } from './payload-runs.ts';
import { type Event, nothing } from './request-event.ts';

/**
 * Returns a request to publish what a finished run measured; nothing for a run that is not finished or never started. A
 * cancelled run is reported: it may have left its comment in the middle of measuring.
 */
export function readReportRequest({ payload, runner }: Event): ActionRequest {
	const action = read(payload, 'action', WORD);
	if (action !== 'completed') return nothing(`the run is not finished (${action})`);
	if (peek(payload, 'workflow_run.head_repository') === null)
		return nothing('the repository that was measured is gone');
	const { owner, repo } = runner.repository;
	const measured = readMeasuredRun(payload, `${owner}/${repo}`);
	if (measured.conclusion !== null && NEVER_STARTED.includes(measured.conclusion)) {
		return nothing(`the run measured nothing (${measured.conclusion})`);
	}
	return { kind: 'report', measured };
}

/** Returns the command of a new comment on an open pull request; nothing for every other comment. */
export function readCommandRequest({ payload }: Event): ActionRequest {
	const action = read(payload, 'action', WORD);
	if (action !== 'created') return nothing(`only new comments are read, and this one was ${action}`);
	const command = parseCommand(read(payload, 'comment.body', orNull(TEXT)) ?? '');
	if (command === null) return nothing('the comment is no /benchgate command');
	const pullRequest = peek(payload, 'issue.pull_request');
	if (pullRequest === undefined || pullRequest === null) return nothing('the command is not on a pull request');
	if (read(payload, 'issue.state', WORD) !== 'open') return nothing('the pull request is closed');
	if ('problem' in command) {
		throw new UserError({ code: 'bad-command', where: 'the comment', message: command.problem });
	}
	return {
		kind: 'command',
		command,
		pullRequestNumber: read(payload, 'issue.number', ID),
		commentId: read(payload, 'comment.id', ID),
		user: read(payload, 'comment.user.login', LOGIN),
	};
}
