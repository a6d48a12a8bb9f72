import { notice, setFailed, setOutput } from '@actions/core';
import type { ActionSession } from '../action-session.ts';
import { writeSummary } from '../publish/finish.ts';
import { type ReportRequest, runReport } from './report-mode.ts';

/** Publishes what another run measured, and says so. Red only for what somebody must mend in the reporting itself. */
export async function runReportRequest(session: ActionSession, request: ReportRequest): Promise<void> {
	const reported = await runReport(session, request);
	await writeSummary(session, reported.summary);
	for (const [name, value] of Object.entries(reported.outputs)) setOutput(name, value);
	setOutput('comment-url', reported.commentUrl ?? '');
	for (const note of reported.notes) notice(note, { title: 'benchgate' });
	if (reported.problems.length > 0) setFailed(reported.problems.join('\n'));
}
