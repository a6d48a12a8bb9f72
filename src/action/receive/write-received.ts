import { finishCheck, startCheck } from '../../github/check-run.ts';
import { compareRuns } from '../../github/comment-marker.ts';
import type { GitHub } from '../../github/github-client.ts';
import { type CommentPlace, findComment, putComment } from '../../github/sticky-comment.ts';
import { buildCheck } from '../../report/github/check.ts';
import { renderComment } from '../../report/github/comment.ts';
import type { CommentContext } from '../../report/github/comment-context.ts';
import type { Conclusion, Consequence, MeasuredRun } from '../../types/action-run.ts';
import { wantsComment } from '../publish/comment-policy.ts';
import type { ReceivedReport, ReportPlace, ReportSession } from './received-report.ts';

/** What was done, for the log, and what somebody must fix; both grow while a report is written. */
export interface Ledger {
	readonly notes: string[];
	readonly problems: string[];
}

/** Returns the comment's address, null without one, `outdated` when a newer run has spoken. */
export async function writeComment(
	{ github, inputs, runner }: ReportSession,
	{ pullRequest, headSha, measured }: ReportPlace,
	{ key, conclusion }: ReceivedReport,
	context: CommentContext,
	{ notes, problems }: Ledger,
): Promise<string | 'outdated' | null> {
	if (pullRequest === null || inputs.comment === 'never') return null;
	const target = { repository: runner.repository, issue: pullRequest.number, key };
	const wanted = (exists: boolean): boolean => wantsComment(inputs.comment, conclusion, exists);
	if (!wanted(false) && !wanted(await hasComment(github, target, conclusion, measured))) {
		notes.push(
			`Wrote no comment on #${pullRequest.number}: there is nothing to say that comment: ${inputs.comment} asks for.`,
		);
		return null;
	}
	const body = renderComment(conclusion, context);
	const put = await putComment(github, { ...target, run: measured.run, headSha, body, final: true });
	if ('warning' in put) problems.push(put.warning.message);
	if ('url' in put) notes.push(`Wrote the comment ${key} on #${pullRequest.number}: ${put.url}`);
	if (!('skipped' in put)) return 'url' in put ? put.url : null;
	notes.push(`Left comment and check of ${key} on #${pullRequest.number} alone: a newer run has written them.`);
	return 'outdated';
}

/** A report of another run is true of its commit: only a comment that waits for this very run is cancelled with it. */
async function hasComment(
	github: GitHub,
	target: CommentPlace,
	conclusion: Conclusion,
	measured: MeasuredRun,
): Promise<boolean> {
	const comment = await findComment(github, target);
	if (conclusion.kind !== 'cancelled') return comment !== null;
	return comment?.marker.state === 'measuring' && compareRuns(comment.marker.run, measured.run) === 0;
}

/** Starts and concludes the check on the measured commit; the one of the measuring run itself when it made one. */
export async function writeCheck(
	{ github, inputs, runner }: ReportSession,
	{ headSha, measured }: ReportPlace,
	{ key, conclusion }: ReceivedReport,
	consequence: Consequence,
	context: CommentContext,
	{ notes, problems }: Ledger,
): Promise<void> {
	if (!inputs.checkRun) return;
	const { repository } = runner;
	const started = await startCheck(github, { repository, headSha, key, run: measured.run });
	if ('warning' in started) {
		problems.push(started.warning.message);
		return;
	}
	const warning = await finishCheck(github, {
		repository,
		id: started.id,
		conclusion: consequence.checkConclusion,
		// No file of the repository is here to find lines in.
		output: buildCheck(conclusion, { ...context, lineOf: () => null }),
	});
	if (warning) problems.push(warning.message);
	else notes.push(`Concluded the check ${key} on ${headSha.slice(0, 10)}: ${consequence.checkConclusion}.`);
}
