import { startCheck } from '../../github/check-run.ts';
import { findComment, putComment } from '../../github/sticky-comment.ts';
import { type MeasuringContext, renderMeasuring } from '../../report/github/comment-measuring.ts';
import { type ActionSession, isFork, type Place } from '../action-session.ts';

export interface Announced {
	readonly check: number | null;
	/** Whether there is a comment, by this or an earlier run. */
	readonly comment: boolean;
}

export async function announceCheck(session: ActionSession, place: Place): Promise<number | null> {
	const { github, inputs, runner } = session;
	if (!inputs.checkRun || github === null) return null;
	const started = await startCheck(github, {
		repository: runner.repository,
		headSha: place.headSha,
		key: inputs.commentKey,
		run: runner.run,
		fromFork: isFork(session, place),
	});
	if ('warning' in started) {
		session.warnings.push(started.warning);
		return null;
	}
	session.remember('check', String(started.id));
	return started.id;
}

/**
 * Writes "measuring" into the pull request's comment. With `on-change` it only replaces an existing comment, so no
 * outdated report stays. Returns whether there is a comment.
 */
export async function announceComment(
	session: ActionSession,
	place: Place,
	measuring: MeasuringContext,
): Promise<boolean> {
	const { github, inputs, runner } = session;
	const { pullRequest } = place;
	if (github === null || pullRequest === null || inputs.comment === 'never') return false;
	const target = {
		repository: runner.repository,
		issue: pullRequest.number,
		key: inputs.commentKey,
		fromFork: isFork(session, place),
	};
	const earlierComment = await findComment(github, target);
	if (inputs.comment === 'on-change' && earlierComment === null) return false;
	const previous = earlierComment?.marker.state === 'final' ? earlierComment.text : '';
	// Saved before the call, because a step that is killed during it would leave the comment at "measuring".
	session.remember('comment', String(pullRequest.number));
	const put = await putComment(github, {
		...target,
		run: runner.run,
		headSha: place.headSha,
		body: renderMeasuring({ ...measuring, previous }),
		final: false,
	});
	if ('warning' in put) {
		session.warnings.push(put.warning);
		return false;
	}
	return true;
}
