import { findAcceptance } from '../github/acceptance.ts';
import { finishCheck, startCheck } from '../github/check-run.ts';
import type { GitHub } from '../github/client.ts';
import { compareRuns } from '../github/comment-marker.ts';
import { findComment, putComment } from '../github/sticky-comment.ts';
import { acceptRegression } from '../judge/accept.ts';
import { consequenceOf } from '../judge/consequence.ts';
import { buildCheck } from '../report/check.ts';
import { renderComment } from '../report/comment.ts';
import type { CommentContext } from '../report/comment-context.ts';
import type { Acceptance, Conclusion, Consequence, GateMode, MeasuredRun } from '../types/action.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import type { Warning } from '../types/units.ts';
import { wantsComment } from './comment-policy.ts';
import type { ActionSession, Place } from './session.ts';

/** What publishing somebody else's result takes of a session. */
export type ReportSession = Pick<ActionSession, 'inputs' | 'runner'> & { readonly github: GitHub };

/** Where a report belongs: identity of the trusted event and the API, nothing of it from an artifact. */
export interface ReportPlace extends Place {
	readonly measured: MeasuredRun;
}

/** What is to be said of a measuring run, under one comment key. */
export interface Report {
	readonly key: string;
	readonly conclusion: Conclusion;
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	readonly warnings: readonly Warning[];
}

/** What was said, and where. */
export interface PublishedReport {
	readonly key: string;
	/** With an acceptance applied. */
	readonly conclusion: Conclusion;
	readonly consequence: Consequence;
	readonly context: CommentContext;
	readonly commentUrl: string | null;
	/** For the log, in whole sentences. */
	readonly notes: readonly string[];
	/** What could not be written and somebody must mend. */
	readonly problems: readonly string[];
}

/** The same, while it grows. */
interface Ledger {
	readonly notes: string[];
	readonly problems: string[];
}

/**
 * Writes comment and check of a report in the name of the run that measured, so that nothing newer is overwritten. What GitHub
 * refuses is a problem of the reporting run; the consequence does not depend on it.
 */
export async function publishReport(
	session: ReportSession,
	place: ReportPlace,
	report: Report,
): Promise<PublishedReport> {
	const { conclusion, acceptance, warnings } = await accept(session, place, report.conclusion);
	const consequence = consequenceOf(conclusion, report);
	const context = contextOf(session, place, report, { acceptance, warnings });
	const ledger: Ledger = { notes: [], problems: [] };
	const comment = await writeComment(session, place, { ...report, conclusion }, context, ledger);
	if (comment !== 'outdated') await writeCheck(session, place, { ...report, conclusion }, context, ledger);
	const commentUrl = comment === 'outdated' ? null : comment;
	return { key: report.key, conclusion, consequence, context, commentUrl, ...ledger };
}

/** Whether a regression was accepted is looked up here: the artifact could only claim it. */
async function accept(
	{ github, runner, inputs }: ReportSession,
	{ pullRequest }: ReportPlace,
	conclusion: Conclusion,
): Promise<{ conclusion: Conclusion; acceptance: Acceptance | null; warnings: readonly Warning[] }> {
	const failed = conclusion.kind === 'compared' && conclusion.result.gate.outcome === 'fail';
	if (!failed || pullRequest === null) return { conclusion, acceptance: null, warnings: [] };
	const found = await findAcceptance(github, runner.repository, pullRequest.number, inputs.acceptLabel);
	const { acceptance, warnings } = found;
	if (acceptance === null) return { conclusion, acceptance, warnings };
	return {
		conclusion: { ...conclusion, result: acceptRegression(conclusion.result, acceptance) },
		acceptance,
		warnings,
	};
}

function contextOf(
	{ inputs, runner }: ReportSession,
	{ headSha, pullRequest, measured, title }: ReportPlace,
	{ gate, onInconclusive, warnings }: Report,
	found: { readonly acceptance: Acceptance | null; readonly warnings: readonly Warning[] },
): CommentContext {
	return {
		headSha,
		runUrl: measured.run.url,
		serverUrl: runner.serverUrl,
		repository: runner.repository,
		gate,
		onInconclusive,
		acceptLabel: pullRequest === null ? null : inputs.acceptLabel,
		acceptance: found.acceptance,
		title,
		warnings: [...found.warnings, ...warnings],
	};
}

/** Returns the comment's address, null without one, `outdated` when a newer run has spoken. */
async function writeComment(
	{ github, inputs, runner }: ReportSession,
	{ pullRequest, headSha, measured }: ReportPlace,
	{ key, conclusion }: Report,
	context: CommentContext,
	{ notes, problems }: Ledger,
): Promise<string | 'outdated' | null> {
	if (pullRequest === null || inputs.comment === 'never') return null;
	const target = { repository: runner.repository, issue: pullRequest.number, key };
	const there = await findComment(github, target);
	// A report of another run is true of its commit: only a comment that waits for this very run is cancelled with it.
	const waits = there?.marker.state === 'measuring' && compareRuns(there.marker.run, measured.run) === 0;
	const exists = conclusion.kind === 'cancelled' ? waits : there !== null;
	if (!wantsComment(inputs.comment, conclusion, exists)) {
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

async function writeCheck(
	{ github, inputs, runner }: ReportSession,
	{ headSha, measured }: ReportPlace,
	{ key, conclusion, gate, onInconclusive }: Report,
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
	const consequence = consequenceOf(conclusion, { gate, onInconclusive });
	const warning = await finishCheck(github, {
		repository,
		id: started.id,
		conclusion: consequence.checkConclusion,
		// No file of the repository is here to find lines in.
		output: buildCheck(conclusion, consequence, { ...context, lineOf: () => null }),
	});
	if (warning) problems.push(warning.message);
	else notes.push(`Concluded the check ${key} on ${headSha.slice(0, 10)}: ${consequence.checkConclusion}.`);
}
