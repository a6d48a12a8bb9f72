import { finishCheck, startCheck } from '../../github/check-run.ts';
import { compareRuns } from '../../github/comment-marker.ts';
import type { GitHub } from '../../github/github-client.ts';
import { type CommentPlace, findComment, putComment } from '../../github/sticky-comment.ts';
import { consequenceOf } from '../../judge/consequence.ts';
import { annotateRows, buildCheck, type Places } from '../../report/github/check.ts';
import { renderComment } from '../../report/github/comment.ts';
import type { CommentContext } from '../../report/github/comment-context.ts';
import type { Conclusion, Consequence, GateMode, MeasuredRun } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession, Place } from '../action-session.ts';
import { accept } from '../publish/ask-acceptance.ts';
import { contextOf, wantsComment } from '../publish/comment-context.ts';
import { tellEarlierRuns } from '../publish/tell-earlier-runs.ts';
import { isCommandKey } from '../request/bench-command.ts';
import type { HeadPlaces } from '../rules/derive-config.ts';

/** Log lines, and problems that fail the step. */
interface Ledger {
	readonly notes: string[];
	readonly problems: string[];
}

export type ReportSession = Pick<ActionSession, 'inputs' | 'runner'> & { readonly github: GitHub };

/** Comes from the trusted event and the API, never from an artifact. */
export interface ReportPlace extends Place {
	readonly measured: MeasuredRun;
}

export interface ReceivedReport {
	readonly key: string;
	readonly conclusion: Conclusion;
	readonly gate: GateMode;
	readonly advisoryUntil?: string | undefined;
	readonly onInconclusive: InconclusivePolicy;
	readonly places?: HeadPlaces;
	readonly warnings: readonly Warning[];
	/** Whole sentences; any doubt prevents a success. */
	readonly doubts: readonly string[];
	readonly explanation?: CommentContext['explanation'];
	readonly placeOf?: CommentContext['placeOf'];
}

export interface PublishedReceived {
	readonly key: string;
	/** Includes acceptances. */
	readonly conclusion: Conclusion;
	readonly consequence: Consequence;
	readonly context: CommentContext;
	readonly commentUrl: string | null;
	readonly notes: readonly string[];
	readonly problems: readonly string[];
}

/**
 * Writes comment and check under the measuring run's identity, so those of a newer run are not overwritten. Failed
 * calls become problems and never change the consequence.
 */
export async function publishReceived(
	session: ReportSession,
	place: ReportPlace,
	report: ReceivedReport,
): Promise<PublishedReceived> {
	const { conclusion, warnings } = await accept(session, place, report.conclusion);
	const answersCommand = isCommandKey(report.key);
	const consequence = consequenceOf(conclusion, { ...report, answersCommand });
	const { gate, advisoryUntil, onInconclusive, doubts, explanation, placeOf } = report;
	const earlier = await tellEarlierRuns(session, place, place.measured.run, report.key, place.measured);
	const gateContext = {
		gate,
		answersCommand,
		advisoryUntil,
		onInconclusive,
		doubts,
		warnings: [...earlier, ...warnings, ...report.warnings],
	};
	const places = await findPlaces(report.places, conclusion);
	const context = contextOf(session, place, place.measured, {
		...gateContext,
		...(places && { lineOf: places.lineOf }),
		...(explanation && placeOf && { explanation, placeOf }),
	});
	const ledger: Ledger = { notes: [], problems: [] };
	const concluded = { ...report, conclusion };
	const comment = await writeComment(session, place, concluded, context, ledger);
	if (comment !== 'outdated')
		await writeCheck(session, place, concluded, consequence, { ...context, ...(places ?? NOWHERE) }, ledger);
	const commentUrl = comment === 'outdated' ? null : comment;
	return { key: report.key, conclusion, consequence, context, commentUrl, ...ledger };
}

const NOWHERE: Places = { lineOf: () => null };

async function findPlaces(places: HeadPlaces | undefined, conclusion: Conclusion): Promise<Places | null> {
	if (places === undefined || conclusion.kind !== 'compared') return null;
	const isClean =
		annotateRows(conclusion.result, 'enforce', { ...NOWHERE, configPath: places.configPath }).length === 0;
	return isClean ? null : { lineOf: await places.findLines(), configPath: places.configPath };
}

/** The comment's URL; `outdated` if a newer run wrote it. */
async function writeComment(
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
		const why =
			conclusion.kind === 'cancelled'
				? 'the run was cancelled before it had announced itself'
				: `with comment: ${inputs.comment} only a change or a failure gets one`;
		notes.push(`Wrote no comment on #${pullRequest.number}: ${why}.`);
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

/** A cancelled run concludes only its own "measuring" comment; other reports stay valid. */
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

/** Reuses the measuring run's own check. */
async function writeCheck(
	{ github, inputs, runner }: ReportSession,
	{ headSha, measured }: ReportPlace,
	{ key, conclusion }: ReceivedReport,
	consequence: Consequence,
	context: CommentContext & Places,
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
		output: buildCheck(conclusion, context),
	});
	if (warning) problems.push(warning.message);
	else notes.push(`Concluded the check ${key} on ${headSha.slice(0, 10)}: ${consequence.checkConclusion}.`);
}
