import { plainText } from '../text/escape.ts';
import {
	type Annotation,
	type Consequence,
	DEFAULT_KEY,
	type MeasuredRun,
	type Repository,
	type RunIdentity,
} from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, statusOf, warningOf } from './api-failure.ts';
import { compareRuns } from './comment-marker.ts';
import type { GitHub } from './github-client.ts';

interface CheckOutput {
	readonly title: string;
	/** Markdown. */
	readonly summary: string;
	readonly text?: string;
	readonly annotations: readonly Annotation[];
}

/** GitHub's limit per request. */
const ANNOTATION_BATCH = 50;

/** GitHub's limit, in characters. */
const TITLE_LIMIT = 255;

/** GitHub documents characters, but counts bytes. */
const TEXT_LIMIT_BYTES = 65_535;

/** GitHub's limit is 64 kB, more than anyone reads. */
const MESSAGE_LIMIT = 4_000;

interface CheckPlace {
	readonly repository: Repository;
	readonly headSha: string;
	readonly key: string;
	readonly run: RunIdentity;
	readonly fromFork?: boolean;
}

export interface CheckEnd {
	readonly repository: Repository;
	readonly id: number;
	readonly conclusion: Consequence['checkConclusion'];
	readonly output: CheckOutput;
	readonly fromFork?: boolean;
}

export type StartedCheck = { readonly id: number; readonly url: string | null } | { readonly warning: Warning };

/** Creates a check run in progress, or finds the one of this attempt. A failed call is a warning. */
export async function startCheck(github: GitHub, place: CheckPlace): Promise<StartedCheck> {
	try {
		return (await findCheck(github, place)) ?? (await create(github, place));
	} catch (error) {
		return { warning: warningOf(error, attemptOf('start the check run', place.fromFork)) };
	}
}

/**
 * Concludes a check run, then adds missing annotations, 50 per request. The conclusion comes first, in an update that
 * is safe to retry. Returns a warning if anything failed.
 */
export async function finishCheck(github: GitHub, end: CheckEnd): Promise<Warning | null> {
	const { repository, id, conclusion, fromFork } = end;
	const output = fitOutput(end.output);
	let attempt = attemptOf('conclude the check run', fromFork);
	try {
		const { data } = await github.rest.checks.update({
			...repository,
			check_run_id: id,
			status: 'completed',
			conclusion,
			output,
		});
		attempt = attemptOf('write all annotations of the check run', fromFork);
		const missing = end.output.annotations.slice(data.output.annotations_count).map(fitAnnotation);
		for (let first = 0; first < missing.length; first += ANNOTATION_BATCH) {
			const annotations = missing.slice(first, first + ANNOTATION_BATCH);
			await github.rest.checks.update({ ...repository, check_run_id: id, output: { ...output, annotations } });
		}
		return null;
	} catch (error) {
		return warningOf(error, attempt);
	}
}

function attemptOf(what: string, fromFork = false): Attempt {
	return { what, needs: { checks: 'write' }, fromFork };
}

export function checkNameOf(key: string): string {
	return key === DEFAULT_KEY ? 'benchgate' : `benchgate (${key})`;
}

function externalIdOf({ key, run }: Pick<CheckPlace, 'key'> & Pick<ListedCheck, 'run'>): string {
	return `benchgate:${key}:${run.id}:${run.attempt}`;
}

export interface ListedCheck {
	readonly id: number;
	readonly url: string | null;
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** Null while open. */
	readonly conclusion: string | null;
	readonly title: string;
}

/** Returns the checks of all runs and attempts. Throws failed calls. */
export async function listChecks(github: GitHub, place: CheckPlace): Promise<readonly ListedCheck[]> {
	const checks = await github.paginate(github.rest.checks.listForRef, {
		...place.repository,
		ref: place.headSha,
		check_name: checkNameOf(place.key),
		filter: 'all',
		per_page: 100,
	});
	return checks.flatMap(({ id, html_url: url, external_id: externalId, conclusion, output }) => {
		const [, runId = '', attempt = ''] = /:(\d+):(\d+)$/.exec(externalId ?? '') ?? [];
		const run = { id: Number(runId), attempt: Number(attempt) };
		if (externalId !== externalIdOf({ ...place, run })) return [];
		return [{ id, url, run, conclusion, title: output.title ?? '' }];
	});
}

async function findCheck(github: GitHub, place: CheckPlace): Promise<{ id: number; url: string | null } | null> {
	const check = (await listChecks(github, place)).find(({ run }) => compareRuns(run, place.run) === 0);
	return check ? { id: check.id, url: check.url } : null;
}

/** Returns the open check of this attempt; `unknown` when the call fails. */
export async function findOpenCheck(github: GitHub, place: CheckPlace): Promise<number | null | 'unknown'> {
	try {
		const runChecks = (await listChecks(github, place)).filter(({ run }) => compareRuns(run, place.run) === 0);
		return runChecks.find(({ conclusion }) => conclusion === null)?.id ?? null;
	} catch (error) {
		warningOf(error, attemptOf('find the check run', place.fromFork));
		return 'unknown';
	}
}

/** Returns keys of an attempt's open checks; empty when the call fails. */
export async function findOpenChecks(
	github: GitHub,
	repository: Repository,
	{ headSha, run }: Pick<CheckPlace, 'headSha' | 'run'>,
): Promise<readonly string[]> {
	try {
		const checks = await github.paginate(github.rest.checks.listForRef, {
			...repository,
			ref: headSha,
			status: 'in_progress',
			filter: 'all',
			per_page: 100,
		});
		return checks.flatMap(({ external_id: id }) => {
			const [, key = ''] = /^benchgate:([A-Za-z0-9._-]{1,64}):/.exec(id ?? '') ?? [];
			return key !== '' && id === externalIdOf({ key, run }) ? [key] : [];
		});
	} catch (error) {
		// Writing the check will report it.
		warningOf(error, attemptOf('find the checks of the measuring run'));
		return [];
	}
}

async function create(github: GitHub, place: CheckPlace): Promise<{ id: number; url: string | null }> {
	const post = async () => {
		const { data } = await github.rest.checks.create({
			...place.repository,
			name: checkNameOf(place.key),
			head_sha: place.headSha,
			details_url: place.run.url,
			external_id: externalIdOf(place),
			status: 'in_progress',
		});
		return { id: data.id, url: data.html_url };
	};
	try {
		return await post();
	} catch (error) {
		// Perhaps only the answer was lost; a second check run would never be concluded.
		if ((statusOf(error) ?? 0) < 500) throw error;
		return (await findCheck(github, place)) ?? (await post());
	}
}

function fitOutput(output: CheckOutput): { title: string; summary: string; text?: string } {
	const { title, summary, text } = output;
	const fitted = {
		title: cut(title, TITLE_LIMIT),
		summary: isTooLong(summary) ? 'The report is too long for a check: it is in the summary of the run.' : summary,
	};
	return text === undefined || isTooLong(text) ? fitted : { ...fitted, text };
}

function fitAnnotation({ path, line, level, title, message }: Annotation) {
	return {
		path,
		start_line: Math.max(1, line),
		end_line: Math.max(1, line),
		annotation_level: level,
		title: cut(title, TITLE_LIMIT),
		message: cut(message, MESSAGE_LIMIT),
	};
}

function isTooLong(text: string): boolean {
	return Buffer.byteLength(text) > TEXT_LIMIT_BYTES;
}

/** Keeps characters whole. */
function cut(text: string, limit: number): string {
	if (text.length <= limit) return text;
	let kept = '';
	for (const character of text) {
		if (kept.length + character.length >= limit) break;
		kept += character;
	}
	return `${kept}…`;
}

interface EarlierRun {
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** `success`, `failure`, `neutral`, … */
	readonly conclusion: string;
	/** One line of plain text. */
	readonly title: string;
}

const QUOTED_TITLE_LIMIT = 120;
/** Limited, because more commits with the same files are no coincidence. */
const MOST_COMMITS = 10;

/** Returns finished checks of earlier runs and attempts, oldest first; empty when the token cannot see checks. */
export async function findEarlierRuns(github: GitHub, place: CheckPlace): Promise<readonly EarlierRun[]> {
	try {
		return (await listChecks(github, place))
			.flatMap(({ run, conclusion, title }) =>
				// An interrupted run is no evidence.
				conclusion === null || conclusion === 'cancelled' || compareRuns(run, place.run) >= 0
					? []
					: [{ run, conclusion, title: plainText(title, QUOTED_TITLE_LIMIT) }],
			)
			.sort((a, b) => compareRuns(a.run, b.run));
	} catch (error) {
		if (statusOf(error) === null) throw error;
		return [];
	}
}

/**
 * Returns the checks of the branch's commits with the same files, such as amended ones, which measure one change
 * repeatedly. Empty when the token cannot see runs.
 */
export async function findRunsOfSameFiles(
	github: GitHub,
	place: CheckPlace,
	{ headBranch, headRepository }: Pick<MeasuredRun, 'headBranch' | 'headRepository'>,
): Promise<readonly EarlierRun[]> {
	try {
		const request = { ...place.repository, branch: headBranch, event: 'pull_request', per_page: 100 };
		const { data } = await github.rest.actions.listWorkflowRunsForRepo(request);
		const headRuns = data.workflow_runs.filter(
			({ head_repository: from }) => from?.full_name?.toLowerCase() === headRepository.toLowerCase(),
		);
		const files = headRuns.find(({ head_sha: sha }) => sha === place.headSha)?.head_commit?.tree_id;
		const same = headRuns.filter(({ head_commit: commit }) => files !== undefined && commit?.tree_id === files);
		const others = new Set(same.map(({ head_sha: sha }) => sha).filter((sha) => sha !== place.headSha));
		const earlierRuns: EarlierRun[] = [];
		for (const headSha of [...others].slice(0, MOST_COMMITS))
			earlierRuns.push(...(await findEarlierRuns(github, { ...place, headSha })));
		return earlierRuns;
	} catch (error) {
		if (statusOf(error) === null) throw error;
		return [];
	}
}
