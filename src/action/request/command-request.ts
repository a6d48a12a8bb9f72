import { answerCommand } from '../../github/command.ts';
import { hasWriteAccess } from '../../github/permissions.ts';
import { getPullRequest } from '../../github/pull-request.ts';
import type { RequestOf } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { ActionSession } from '../action-session.ts';
import { nothing } from './request-event.ts';

/**
 * Returns the comparison a `/benchgate` comment asks for; nothing to do when its author may not ask. A reaction on the comment tells
 * the author which. Throws UserError `no-token` when nobody can be asked who may.
 */
export async function readCommand(
	session: ActionSession,
	request: RequestOf<'command'>,
): Promise<RequestOf<'compare' | 'nothing'>> {
	const { github, runner, inputs, warnings } = session;
	const { command, pullRequestNumber, commentId, user } = request;
	if (github === null) {
		throw new UserError({
			code: 'no-token',
			where: 'input github-token',
			message: 'without a token benchgate cannot ask GitHub whether the author of the command may start a run',
			remedy: 'leave the input out: it defaults to the token of the workflow',
		});
	}
	const access = await hasWriteAccess(github, runner.repository, user);
	const reacted = await answerCommand(github, runner.repository, commentId, access === true ? 'eyes' : 'confused');
	if (reacted !== null) warnings.push(reacted);
	if (access !== true) {
		const why =
			access === 'unknown' ? 'GitHub did not say whether they have write access' : 'they have no write access';
		return nothing(`${user} wrote the command, and ${why}`);
	}
	const pullRequest = await getPullRequest(github, runner.repository, pullRequestNumber);
	return {
		kind: 'compare',
		base: { kind: 'merge-base', with: pullRequest.baseSha },
		head: pullRequest.headSha,
		pullRequest,
		checkSha: pullRequest.headSha,
		gate: inputs.gate ?? 'enforce',
		command,
		title: `command on pull request #${pullRequest.number}`,
	};
}
