import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** Returns null when the reaction is on the comment with the command, the warning when it cannot be: `eyes` for "at it", `confused` for "not understood, or not allowed". */
export async function answerCommand(
	github: GitHub,
	repository: Repository,
	commentId: number,
	reaction: 'eyes' | 'confused',
): Promise<Warning | null> {
	try {
		await github.rest.reactions.createForIssueComment({ ...repository, comment_id: commentId, content: reaction });
		return null;
	} catch (error) {
		return warningOf(error, { what: 'react to the command', needs: { 'pull-requests': 'write' } });
	}
}
