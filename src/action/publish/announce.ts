import { startCheck } from '../../github/check-run.ts';
import { findComment, putComment } from '../../github/sticky-comment.ts';
import { type MeasuringContext, renderMeasuring } from '../../report/github/comment-measuring.ts';
import { type ActionSession, isFork, type Place } from '../action-session.ts';

export interface Announced {
	readonly check: number | null;
	/** A comment of this or an earlier run. */
	readonly comment: boolean;
}

/** Starts the check run, if wanted and permitted. */
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
 * Writes "measuring" into the pull request's comment; with `on-change` only over an existing one, so that no outdated
 * report stays. Returns whether there is a comment.
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
	// Saved first, because a step killed meanwhile would leave the comment.
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
