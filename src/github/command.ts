import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

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
