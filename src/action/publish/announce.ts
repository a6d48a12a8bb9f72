import { startCheck } from '../../github/check-run.ts';
import { findComment, putComment } from '../../github/sticky-comment.ts';
import { type MeasuringContext, renderMeasuring } from '../../report/github/comment-measuring.ts';
import { type ActionSession, isFork, type Place } from '../action-session.ts';

/** What was announced, to be concluded at the end. */
export interface Announced {
	/** Id of the check run in progress; null when there is none. */
	readonly check: number | null;
	/** Whether the pull request has a comment of ours, of this run or an earlier one. */
	readonly comment: boolean;
}

/** Starts the check run, when one is wanted and permitted. It says "in progress" until the end or the post step. */
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
 * Says in the pull request's comment that measuring has begun. With the policy `on-change` only a comment that is there
 * already is updated, so that it does not show an outdated report meanwhile. Returns whether there is a comment.
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
	const found = await findComment(github, target);
	if (inputs.comment === 'on-change' && found === null) return false;
	const previous = found?.marker.state === 'final' ? found.text : '';
	// Before it is there: a step that is killed meanwhile would leave it.
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
