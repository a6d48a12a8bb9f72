import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { guessSubjectName, readBaselineRequest } from '../../config/load-request.ts';
import type { BaselineRequest } from '../../config/resolve-request.ts';
import { renderBaseline, renderBaselines } from '../../formats/baseline/baseline-file.ts';
import { findLatestRelease } from '../../github/repository.ts';
import { baselineExitCode, driftOf } from '../../judge/baseline/drift.ts';
import { findNode } from '../../measure/machine.ts';
import { writeOutput } from '../../output/write-files.ts';
import { baselineDocument } from '../../report/baseline-document.ts';
import { describeRow, placedRows } from '../../report/baseline-words.ts';
import { toMarkdown } from '../../report/document/markdown-writer.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { FORMATS, type PageFormat } from '../../report/formats.ts';
import { SUMMARY } from '../../report/github/comment.ts';
import { pageRenderers } from '../../report/render-formats.ts';
import { openLocalCommits } from '../../runs/baseline/local-commits.ts';
import { type BaselineOptions, runBaseline } from '../../runs/baseline/run-baseline.ts';
import type { StoredBaselines } from '../../store/store.ts';
import type { RequestOf } from '../../types/action-run.ts';
import type { Anchor, BaselineRecord, BaselineRun } from '../../types/baseline.ts';
import { EXIT } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { findRelease } from '../commits/anchor.ts';
import { fetchCommits } from '../commits/fetch-commits.ts';
import { type GitAccess, openGitAccess } from '../commits/git-access.ts';
import type { ArtifactFile, ArtifactStore } from '../publish/artifact-store.ts';
import { LOG_STYLE } from '../publish/speak.ts';
import { openRecordStore, storeRequestOf } from '../record/record-mode.ts';
import { runForeignCode } from '../services/foreign-code.ts';
import { keepInstalls } from '../services/install-cache.ts';
import { openServices } from '../services/open-services.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

type BaselineRequestOf = RequestOf<'baseline'>;

const MOST_TOLD = 20;
const PAGES = pageRenderers(baselineDocument);

export const BASELINE_ARTIFACT = 'benchgate-baselines';

/**
 * Measures the branch against its last release. Another job stores the records, because this one runs code under test.
 */
export async function runBaselineMode(session: ActionSession, actionRequest: BaselineRequestOf): Promise<ModeOutcome> {
	const { inputs, runner, signal, janitor, progress } = session;
	const services = openServices(session);
	const access = openGitAccess({ runner, token: inputs.token, janitor, progress, signal });
	const request = await readBaselineRequest(runner.workspace, { ...inputs.options, spelling: 'input' });
	const options = await findOptions(session, actionRequest, request, access);
	const base = options.release?.sha ?? options.head.commit.sha ?? options.head.revision;
	const installs = {
		config: request.config,
		revisions: { base, head: options.head.revision },
		revisionsGiven: inputs.options.head !== undefined || options.given !== null,
		fromFork: false,
	};
	const isWhole = ({ records }: BaselineRun) => records.length > 0;
	const { value: run, rewritten } = await runForeignCode(session, () =>
		keepInstalls(session, services.cache, installs, () => runBaseline(options), isWhole),
	);
	if (rewritten !== null) return { ...SILENT, failure: rewritten, fail: [rewritten.message] };
	return outcomeOf(session, run, request, services.store);
}

async function findOptions(
	session: ActionSession,
	actionRequest: BaselineRequestOf,
	{ config, precision, reproduce, reproduceDuet }: BaselineRequest,
	access: GitAccess,
): Promise<BaselineOptions> {
	const { inputs, runner, signal, janitor, progress, github } = session;
	const cwd = runner.workspace;
	const node = findNode(inputs.options.node);
	if (isFullHash(actionRequest.head)) await fetchCommits([{ sha: actionRequest.head, side: 'head' }], access);
	const commits = openLocalCommits({ cwd, node, janitor, signal, subject: config.subject });
	const head = await commits.findHead(actionRequest.head, actionRequest.branch);
	const named = inputs.options.anchor ?? 'auto';
	const name = guessSubjectName(cwd, head.revision, config.subject);
	const latest = github && (() => findLatestRelease(github, runner.repository));
	const { release, warnings } =
		named === 'auto' ? await findRelease(access, latest, name) : { release: null, warnings: [] };
	session.warnings.push(...warnings);
	if (release !== null) commits.vouch(release.sha);
	const stored = await readEarlier(session);
	return {
		config,
		precision,
		cwd,
		node,
		janitor,
		progress,
		signal,
		cacheFolder: cacheFolderOf(session),
		withheld: session.withheld,
		head,
		// The config is that of this commit.
		...(head.commit.sha !== null && { harnessFrom: head.revision }),
		given: named === 'auto' ? null : await commits.findGiven(named),
		release: release && { sha: release.sha, label: release.tag, kind: 'release' },
		earlier: stored.records,
		proving: { changeNotes: stored.notes, reproduceDuet },
		run: { id: String(runner.run.id), attempt: runner.run.attempt, url: runner.run.url },
		skipUnchanged: inputs.skipUnchanged,
		findAnchor: async (anchor: Anchor) => {
			if (anchor.sha !== null) await fetchCommits([{ sha: anchor.sha, side: 'base' }], access);
			return commits.findAnchor(anchor);
		},
		reproduce: ({ base, head: measured }) => reproduce(base, measured),
		keep: async () => {},
	};
}

/** An unreachable store is an error, because an empty history would begin a new era. */
async function readEarlier(session: ActionSession): Promise<StoredBaselines> {
	const stored = await openRecordStore(storeRequestOf(session)).read();
	const { unread } = stored;
	const messages = unread.slice(0, MOST_TOLD).map(({ file, why }) => `${file} was left out: ${why}.`);
	if (unread.length > MOST_TOLD) messages.push(`${unread.length - MOST_TOLD} more files were left out.`);
	for (const message of messages) session.warnings.push({ code: 'unread-baseline', message });
	return stored;
}

async function outcomeOf(
	session: ActionSession,
	run: BaselineRun,
	request: BaselineRequest,
	store: ArtifactStore,
): Promise<ModeOutcome> {
	const code = baselineExitCode(run, request.drift);
	const drifted = driftOf(run, request.drift);
	const regressed = run.records
		.filter(({ purpose }) => purpose === 'level')
		.flatMap(({ cells }) => cells.filter(({ verdict }) => verdict === 'regressed'));
	for (const row of placedRows(run).filter(({ place }) => place === 'below')) {
		session.warnings.push({ code: 'slower-than-anchor', message: describeRow(row, run.anchor) });
	}
	const report = baselineDocument(run);
	const folder = join(session.runner.tempFolder, BASELINE_ARTIFACT);
	await mkdir(folder, { recursive: true });
	const files = {
		json: await write(folder, FORMATS.json.file, renderBaselines(run.records)),
		...(await writePages(folder, run)),
	};
	const kept = run.interrupted ? [] : await writeRecords(folder, run.records);
	if (kept.length > 0) {
		const uploaded = await store.upload(BASELINE_ARTIFACT, kept);
		if ('code' in uploaded) session.warnings.push(uploaded);
	}
	return {
		...SILENT,
		summary: toMarkdown(report, SUMMARY),
		outputs: {
			outcome: OUTCOMES.get(code) ?? 'error',
			records: String(kept.length),
			regressed: String(regressed.length),
		},
		files,
		log: toTerminal(report, LOG_STYLE),
		fail: failureOf(code, drifted.length),
		cutOff: run.interrupted,
	};
}

const OUTCOMES: ReadonlyMap<number, string> = new Map([
	[EXIT.passed, 'pass'],
	[EXIT.gateFailed, 'fail'],
]);

function failureOf(code: number, drifted: number): string[] {
	if (code === EXIT.nothingMeasured) return ['nothing could be measured: see the summary of the job'];
	if (code !== EXIT.gateFailed) return [];
	return [`${drifted} ${drifted === 1 ? 'row has' : 'rows have'} drifted from the anchor: see the summary of the job`];
}

async function writeRecords(folder: string, records: readonly BaselineRecord[]): Promise<ArtifactFile[]> {
	const files: ArtifactFile[] = [];
	for (const [index, record] of records.entries()) {
		// One run may prove several changes.
		const earlier = records.slice(0, index).filter(({ purpose }) => purpose === record.purpose).length;
		const name = `baseline-${record.purpose}${earlier === 0 ? '' : `-${earlier + 1}`}.json`;
		files.push({ name, path: await write(folder, name, renderBaseline(record)) });
	}
	return files;
}

async function writePages(folder: string, run: BaselineRun): Promise<Partial<Record<PageFormat, string>>> {
	const paths: Partial<Record<PageFormat, string>> = {};
	for (const name of Object.keys(PAGES) as PageFormat[]) {
		paths[name] = await write(folder, FORMATS[name].file, PAGES[name](run));
	}
	return paths;
}

async function write(folder: string, name: string, content: string): Promise<string> {
	const path = join(folder, name);
	await writeOutput({ flag: 'report', path, content });
	return path;
}
