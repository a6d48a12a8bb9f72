import { findPullRequest } from '../../github/pull-request.ts';
import { listComments, putComment } from '../../github/sticky-comment.ts';
import { renderMeasuring } from '../../report/github/comment-measuring.ts';
import type { RequestOf } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { isCommandKey } from '../request/bench-command.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

/**
 * Marks the reports of earlier commits when a run begins. Creates no check, because a run that never ends would leave it
 * open. Failed calls become warnings.
 */
export async function runAnnounceMode(
	{ github, inputs, runner, warnings }: Pick<ActionSession, 'github' | 'inputs' | 'runner' | 'warnings'>,
	{ measured }: RequestOf<'announce'>,
): Promise<ModeOutcome> {
	const { repository } = runner;
	if (github === null || inputs.comment === 'never') return nothing('no comment is written');
	const found = await findPullRequest(github, repository, measured);
	if (found.pullRequest === null) return nothing(found.reason);
	const { number: issue } = found.pullRequest;
	const marked: string[] = [];
	for (const { marker, text } of await listComments(github, { repository, issue })) {
		const { key, state, headSha } = marker;
		if (state !== 'final' || headSha === measured.headSha || isCommandKey(key)) continue;
		const body = renderMeasuring({ headSha: measured.headSha, runUrl: measured.run.url, previous: text });
		const place = { repository, issue, key, headSha: measured.headSha };
		const put = await putComment(github, { ...place, run: measured.run, body, final: false });
		if ('warning' in put) warnings.push(put.warning);
		if ('url' in put) marked.push(put.url);
	}
	return marked.length === 0
		? nothing(`#${issue} has no report of an earlier commit`)
		: { ...SILENT, log: `Marked as being measured again: ${marked.join(', ')}` };
}

function nothing(reason: string): ModeOutcome {
	return { ...SILENT, log: `Nothing to do: ${reason}.` };
}
