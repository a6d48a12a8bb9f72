import { consequenceOf } from '../../judge/consequence.ts';
import type { CommentContext } from '../../report/github/comment-context.ts';
import type { Conclusion, Consequence } from '../../types/action-run.ts';
import { accept } from '../publish/ask-acceptance.ts';
import { contextOf } from '../publish/context-of.ts';
import { tellEarlierRuns } from '../publish/tell-earlier-runs.ts';
import type { ReceivedReport, ReportPlace, ReportSession } from './received-report.ts';
import { type Ledger, writeCheck, writeComment } from './write-received.ts';

/** What was said, and where. */
export interface PublishedReceived {
	readonly key: string;
	/** With an acceptance applied. */
	readonly conclusion: Conclusion;
	readonly consequence: Consequence;
	readonly context: CommentContext;
	readonly commentUrl: string | null;
	/** For the log, in whole sentences. */
	readonly notes: readonly string[];
	/** What could not be written and somebody must fix. */
	readonly problems: readonly string[];
}

/**
 * Writes comment and check of a report in the name of the run that measured, so that nothing newer is overwritten. What GitHub
 * refuses is a problem of the reporting run; the consequence does not depend on it.
 */
export async function publishReceived(
	session: ReportSession,
	place: ReportPlace,
	report: ReceivedReport,
): Promise<PublishedReceived> {
	const { conclusion, warnings } = await accept(session, place, report.conclusion);
	const consequence = consequenceOf(conclusion, report);
	const { gate, advisoryUntil, onInconclusive, doubts } = report;
	const earlier = await tellEarlierRuns(session, place, place.measured.run, report.key, place.measured);
	const said = { gate, advisoryUntil, onInconclusive, doubts, warnings: [...earlier, ...warnings, ...report.warnings] };
	const context = contextOf(session, place, place.measured.run, said);
	const ledger: Ledger = { notes: [], problems: [] };
	const concluded = { ...report, conclusion };
	const comment = await writeComment(session, place, concluded, context, ledger);
	if (comment !== 'outdated') await writeCheck(session, place, concluded, consequence, context, ledger);
	const commentUrl = comment === 'outdated' ? null : comment;
	return { key: report.key, conclusion, consequence, context, commentUrl, ...ledger };
}
