import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_NAMES } from '../../config/load-config.ts';
import { placeInDiff } from '../../explain/place-in-diff.ts';
import { renderPublication } from '../../formats/publication/publication-file.ts';
import { checkNameOf, finishCheck } from '../../github/check-run.ts';
import { putComment } from '../../github/sticky-comment.ts';
import { consequenceOf } from '../../judge/consequence.ts';
import { writeOutput } from '../../output/write-files.ts';
import { renderTerminal } from '../../report/compare/comparison-document.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { explainDocument } from '../../report/explain-document.ts';
import { FORMAT_NAMES, FORMATS, type FormatName, type LastingFormat } from '../../report/formats.ts';
import { buildCheck } from '../../report/github/check.ts';
import { audienceOf, renderComment, renderSummary } from '../../report/github/comment.ts';
import type { CommentContext } from '../../report/github/comment-context.ts';
import { outputsOf } from '../../report/github/conclusion-outputs.ts';
import { titleOf } from '../../report/github/conclusion-title.ts';
import { type Compared, RENDERERS } from '../../report/render-formats.ts';
import type { CodePosition } from '../../text/phrase.ts';
import {
	type Annotation,
	type Conclusion,
	type Consequence,
	type GateMode,
	PUBLICATION_SCHEMA_VERSION,
	PULL_REQUEST_EVENTS,
	type Publication,
} from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { ChangedLines } from '../../types/difference.ts';
import type { Explanation } from '../../types/explain.ts';
import type { Raw, Result } from '../../types/result.ts';
import type { Warning } from '../../types/units.ts';
import { chartScript } from '../../version.ts';
import { type ActionSession, isFork, type Place } from '../action-session.ts';
import type { Later, ModeOutcome } from '../modes/mode-outcome.ts';
import { isCommandKey } from '../request/bench-command.ts';
import type { Announced } from './announce.ts';
import { type ArtifactStore, explanationName } from './artifact-store.ts';
import { contextOf, isReportedElsewhere, wantsComment } from './comment-context.ts';
import { LOG_STYLE } from './speak.ts';

type ReportFiles = Readonly<Partial<Record<FormatName, string>>>;

type LastingTexts = Readonly<Record<LastingFormat, string>>;

export interface Ended {
	readonly place: Place;
	readonly announced: Announced;
	readonly conclusion: Conclusion;
	readonly raw: Raw | null;
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	/** The base branch has no valid config, so the run only informs. */
	readonly adopting: boolean;
	readonly adopts: boolean;
	/** Last day of the adoption ramp, if the ramp makes the gate advisory. */
	readonly advisoryUntil?: string | undefined;
	readonly lineOf: (scenario: string) => Pick<Annotation, 'path' | 'line'> | null;
}

/**
 * Publishes files and artifact first, because they have everything, then comment and check. Returns the job's outcome.
 * Failed calls become warnings and never change the consequence.
 */
export async function publish(session: ActionSession, ended: Ended, store: ArtifactStore): Promise<ModeOutcome> {
	const { conclusion } = ended;
	const consequence = consequenceIn(session, ended);
	// Built anew for each use, because publishing adds warnings.
	const context = () => contextIn(session, ended);
	const files = await keepFiles(session, ended, context(), store);
	const commentUrl = await publishComment(session, ended, () => renderComment(conclusion, context()));
	await concludeCheck(session, ended, context());
	session.remember('concluded', 'true');
	const title = titleOf(conclusion, context());
	const cutOff = conclusion.kind === 'cancelled';
	return {
		summary: renderSummary(conclusion, context()),
		outputs: { ...outputsOf(conclusion, consequence), 'comment-url': commentUrl ?? '' },
		files,
		log: conclusion.kind === 'compared' ? writeLog(conclusion.result, context()) : null,
		failure: conclusion.kind === 'failed' ? conclusion.failure : null,
		notices: consequence.failStep || cutOff ? [] : [title],
		fail: consequence.failStep ? [title] : [],
		cutOff,
		later: null,
	};
}

export interface Explained {
	readonly explanation: Explanation;
	/** The change as GitHub shows it; empty if unknown. */
	readonly lines: ChangedLines;
}

/** Adds an explanation to what `publish` wrote. */
export async function publishExplanation(
	session: ActionSession,
	ended: Ended,
	explained: Explained,
	store: ArtifactStore,
): Promise<Later> {
	const { conclusion } = ended;
	const context = () => contextIn(session, ended, explained);
	const { artifactName } = session.inputs;
	const name = explanationName(artifactName, session.runner.run.attempt);
	const files = await keepFiles(session, ended, context(), store, {
		name,
		formats: ['markdown', 'html', 'explanation'],
	});
	await publishComment(session, ended, () => renderComment(conclusion, context()));
	await concludeCheck(session, ended, context());
	const log = toTerminal(explainDocument(explained.explanation), LOG_STYLE);
	return { summary: renderSummary(conclusion, context()), files, log };
}

function consequenceIn({ inputs }: ActionSession, { conclusion, ...ended }: Ended): Consequence {
	const { gate, onInconclusive, adopting } = ended;
	return consequenceOf(conclusion, { gate, onInconclusive, adopting, answersCommand: isCommandKey(inputs.commentKey) });
}

function contextIn(session: ActionSession, ended: Ended, explained: Explained | null = null): CommentContext {
	const { place, gate, onInconclusive, adopting, advisoryUntil, lineOf } = ended;
	const { inputs, runner, warnings } = session;
	return contextOf(session, place, null, {
		gate,
		onInconclusive,
		adopting,
		adoption: ended.adopts
			? { check: checkNameOf(inputs.commentKey), reportsLater: isReportedElsewhere(session) }
			: undefined,
		answersCommand: isCommandKey(inputs.commentKey),
		outsidePulls: inputs.gate === undefined && !PULL_REQUEST_EVENTS.includes(runner.eventName),
		advisoryUntil,
		lineOf,
		warnings,
		...(explained && {
			explanation: explained.explanation,
			placeOf: (code: CodePosition) => placeInDiff(code, explained.lines),
		}),
	});
}

/** Uses the context's policy, so the log agrees with the check. */
function writeLog(result: Result, audience: CommentContext): string {
	const { onInconclusive = result.onInconclusive } = audience;
	return renderTerminal({ ...result, onInconclusive }, { ...LOG_STYLE, audience });
}

/** Returns no paths if writing failed, because a full disk must not prevent the comment. */
async function keepFiles(
	session: ActionSession,
	ended: Ended,
	context: CommentContext,
	store: ArtifactStore,
	upload: { readonly name: string; readonly formats: readonly FormatName[] } = {
		name: session.inputs.artifactName,
		formats: FORMAT_NAMES,
	},
): Promise<ReportFiles> {
	const { conclusion, raw } = ended;
	try {
		const lasting = {
			markdown: renderSummary(conclusion, context),
			publication: renderPublication(describePublication(session, ended)),
		};
		const audience = audienceOf(context);
		const compared =
			raw && conclusion.kind === 'compared' ? { raw, result: conclusion.result, chartScript, audience } : null;
		const files = await writeReportFiles(reportFolder(session), lasting, compared);
		await uploadFiles(session, files, store, upload);
		return files;
	} catch (error) {
		session.warnings.push({
			code: 'no-files',
			message: `the report files could not be written: ${(error as Error).message}`,
		});
		return {};
	}
}

function reportFolder({ inputs, runner }: ActionSession): string {
	return `${runner.tempFolder}/benchgate-${inputs.commentKey}`;
}

function describePublication({ inputs, runner, warnings }: ActionSession, ended: Ended): Publication {
	const { id, attempt } = runner.run;
	return {
		schemaVersion: PUBLICATION_SCHEMA_VERSION,
		kind: 'benchgate-publication',
		run: { id, attempt },
		headSha: ended.place.headSha,
		commentKey: inputs.commentKey,
		gate: ended.gate,
		onInconclusive: ended.onInconclusive,
		conclusion: ended.conclusion,
		warnings,
	};
}

async function uploadFiles(
	{ warnings }: ActionSession,
	files: ReportFiles,
	store: ArtifactStore,
	{ name, formats }: { readonly name: string; readonly formats: readonly FormatName[] },
) {
	const listed = formats.flatMap((format) => {
		const path = files[format];
		return path === undefined ? [] : [{ name: FORMATS[format].file, path }];
	});
	const uploaded = await store.upload(name, listed);
	if ('code' in uploaded) warnings.push(uploaded);
}

async function publishComment(session: ActionSession, ended: Ended, render: () => string): Promise<string | null> {
	const { github, inputs, runner, warnings } = session;
	const { pullRequest, headSha } = ended.place;
	if (github === null || pullRequest === null) return null;
	if (!wantsComment(inputs.comment, ended.conclusion, ended.announced.comment)) return null;
	const put = await putComment(github, {
		repository: runner.repository,
		issue: pullRequest.number,
		key: inputs.commentKey,
		fromFork: isFork(session, ended.place),
		run: runner.run,
		headSha,
		body: render(),
		final: true,
	});
	if ('warning' in put) {
		// The announcement may have warned about the same permission.
		warnOnce(warnings, put.warning);
		return null;
	}
	return 'url' in put ? put.url : null;
}

async function concludeCheck(session: ActionSession, ended: Ended, context: CommentContext) {
	const { github, inputs, runner, warnings } = session;
	if (github === null || ended.announced.check === null) return;
	const warning = await finishCheck(github, {
		repository: runner.repository,
		id: ended.announced.check,
		conclusion: consequenceIn(session, ended).checkConclusion,
		output: buildCheck(ended.conclusion, {
			...context,
			lineOf: ended.lineOf,
			configPath: inputs.options.config ?? CONFIG_NAMES[0],
		}),
		fromFork: isFork(session, ended.place),
	});
	if (warning !== null) warnOnce(warnings, warning);
}

function warnOnce(warnings: Warning[], warning: Warning): void {
	if (!warnings.some(({ message }) => message === warning.message)) warnings.push(warning);
}

/**
 * Writes all formats atomically.
 *
 * @param compared Null when nothing was compared.
 */
async function writeReportFiles(
	folder: string,
	lasting: LastingTexts,
	compared: Compared | null,
): Promise<ReportFiles> {
	await mkdir(folder, { recursive: true });
	const files: Partial<Record<FormatName, string>> = {};
	for (const name of FORMAT_NAMES) {
		const content = isLasting(name) ? lasting[name] : compared && RENDERERS[name](compared);
		if (content === null) continue;
		const path = join(folder, FORMATS[name].file);
		await writeOutput({ flag: 'report', path, content });
		files[name] = path;
	}
	return files;
}

function isLasting(name: FormatName): name is LastingFormat {
	return FORMATS[name].always;
}
