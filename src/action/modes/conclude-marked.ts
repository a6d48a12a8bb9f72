import { compareRuns } from '../../github/comment-marker.ts';
import { listComments, putComment } from '../../github/sticky-comment.ts';
import { renderNotMeasured } from '../../report/github/comment-measuring.ts';
import type { ReportPlace, ReportSession } from '../receive/publish-received.ts';

/** Concludes the comments that a run without a report has marked. */
export async function concludeMarked(
	{ github, inputs, runner }: ReportSession,
	{ pullRequest, headSha, measured }: ReportPlace,
): Promise<void> {
	if (pullRequest === null || inputs.comment === 'never') return;
	const place = { repository: runner.repository, issue: pullRequest.number };
	for (const { marker, text } of await listComments(github, place)) {
		if (marker.state !== 'measuring' || compareRuns(marker.run, measured.run) !== 0) continue;
		const body = renderNotMeasured(text, { headSha, runUrl: measured.run.url });
		await putComment(github, { ...place, key: marker.key, run: measured.run, headSha, body, final: true });
	}
}
