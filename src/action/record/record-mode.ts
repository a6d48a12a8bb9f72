/** Stores baselines, reports slowdowns, publishes the dashboard. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { readBaseline } from '../../formats/baseline/baseline-file.ts';
import { STORED_LIMITS } from '../../formats/baseline/read-stored.ts';
import { BISECTED_FILE, readBisected } from '../../formats/baseline/trend-files.ts';
import type { GitHub } from '../../github/github-client.ts';
import { ACTIONS_LOGIN } from '../../github/own-author.ts';
import { openBaselinesPull } from '../../github/pull-request.ts';
import { renderUnknownBisect } from '../../report/github/change-issue.ts';
import { openStore, readStorePlace, type StorePlace } from '../../store/open-store.ts';
import type { Appended, Store } from '../../store/store.ts';
import type { Remote } from '../../store/store-git.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { bisectedNote } from '../../trend/change-life.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type { RunIdentity, RunnerContext } from '../../types/action-run.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import type { Janitor } from '../../types/run-services.ts';
import { type Bisected, CHANGES_SCHEMA_VERSION, type ChangeNote, type ChangeNotes } from '../../types/trend.ts';
import type { Warning } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { withoutSecrets, withToken } from '../commits/git-access.ts';
import { type ModeOutcome, SILENT } from '../modes/mode-outcome.ts';
import { peek, REF } from '../request/payload.ts';
import { followChanges } from './follow-changes.ts';
import { type PublishedSite, publishSite, readSitePlace, type SitePlace } from './publish-site.ts';

/** Used if the event names no default branch. */
const USUAL_BRANCH = 'main';

/** GitHub's account for workflows. */
const AUTHOR = { name: ACTIONS_LOGIN, email: `41898282+${ACTIONS_LOGIN}@users.noreply.github.com` };

export interface RecordRequest {
	readonly place: StorePlace;
	readonly site: SitePlace;
	/** Relative to the workspace. */
	readonly folder: string;
	readonly defaultBranch: string;
	readonly runner: Pick<RunnerContext, 'repository' | 'run' | 'serverUrl' | 'workspace'>;
	readonly token: string;
	readonly github: GitHub | null;
	readonly cacheFolder: string;
	readonly janitor: Pick<Janitor, 'guardDirectory'>;
	readonly signal: AbortSignal;
	/** For tests and mirrors. */
	readonly url?: string;
	/** Receives problems that lose no data. */
	readonly warn: (warning: Warning) => void;
}

/**
 * Stores the measuring job's records, reports slowdowns in issues with a bisect's result, and publishes the dashboard.
 * Runs no code under test.
 */
export async function runRecord(request: RecordRequest): Promise<ModeOutcome> {
	const { folder, runner, place, defaultBranch } = request;
	const received = await readReceivedBaselines(
		isAbsolute(folder) ? folder : join(runner.workspace, folder),
		runner.run,
	);
	const { records, bisected } = received;
	const store = openRecordStore(request);
	// A bisect has no records, but its note needs the stored ones.
	if (records.length === 0 && bisected !== null) return outcomeOf(null, await tellAll(request, store, bisected), '0');
	const appended = await store.append(records);
	const pullUrl = place.kind === 'pull-request' ? await askForPull(request, place.branch) : null;
	if (appended.kind === 'pending') {
		request.warn({
			code: 'store-pending',
			message: `The baselines wait on ${appended.place}, because ${store.name} did not take them: ${plainText(appended.reason ?? '', MESSAGE_LIMIT)}. The next run adds them. If the branch is protected, let this workflow write to it, or use store: pull-request.`,
		});
	}
	const line = `${describe(records, appended)}${pullUrl === null ? '' : ` Pull request into ${defaultBranch}: ${pullUrl}`}`;
	return outcomeOf(line, await tellAll(request, store, bisected), String(appended.added));
}

interface Told {
	readonly site: PublishedSite | null;
	readonly changes: readonly string[];
}

function outcomeOf(line: string | null, { site, changes }: Told, stored: string): ModeOutcome {
	const lines = line === null ? [] : [line];
	const sections = ['### Baselines', ...lines, ...(site ? [site.line] : []), ...changeSection(changes)];
	return {
		...SILENT,
		log: line,
		notices: lines,
		summary: `${sections.join('\n\n')}\n`,
		outputs: { stored, ...(site?.folder && { site: site.folder }) },
	};
}

/** Publishes the dashboard last, because it links to the issues. */
async function tellAll(request: RecordRequest, store: Store, bisected: Bisected | null): Promise<Told> {
	const { warn, github, runner } = request;
	try {
		const stored = await store.read();
		const now = new Date().toISOString();
		const page = `${runner.serverUrl}/${runner.repository.owner}/${runner.repository.repo}`;
		const bisectNote = bisected && bisectedNote(trendOf(stored.records, { notes: stored.notes }), bisected, now);
		const changeNotes = bisectNote === null ? stored.notes : [...stored.notes, bisectNote];
		const trend = trendOf(stored.records, { notes: changeNotes });
		const { notes, lines } = await followChanges({ trend, github, repository: runner.repository, page, now, warn });
		const fresh = bisectNote === null ? notes : [bisectNote, ...notes];
		if (fresh.length > 0) await store.append([notesOf(runner.run, now, fresh)]);
		const site = await publishSite({
			...request,
			place: request.site,
			remote: remoteOf(request),
			author: AUTHOR,
			stored: { ...stored, notes: [...stored.notes, ...fresh] },
			read: () => store.read(),
		});
		const unknown = bisected !== null && bisectNote === null ? [renderUnknownBisect(bisected, page)] : [];
		return { site, changes: [...lines, ...unknown] };
	} catch (error) {
		if (!isUserError(error) || request.signal.aborted) throw error;
		const message = `The baselines are stored, but the steps after that were left out: ${error.message}. The next run does them.`;
		warn({ code: 'record-incomplete', message });
		return { site: null, changes: [] };
	}
}

function changeSection(lines: readonly string[]): string[] {
	return lines.length === 0 ? [] : ['**Slowdowns of main**', lines.map((line) => `- ${line}`).join('\n')];
}

function notesOf(run: RecordRequest['runner']['run'], now: string, notes: readonly ChangeNote[]): ChangeNotes {
	return {
		schemaVersion: CHANGES_SCHEMA_VERSION,
		kind: 'benchgate-changes',
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: now,
		run: { id: String(run.id), attempt: run.attempt, url: run.url },
		notes,
	};
}

type StoreRequest = Omit<RecordRequest, 'folder' | 'warn' | 'github' | 'site'>;

export function openRecordStore(request: StoreRequest): Store {
	const { place, defaultBranch, runner } = request;
	const remote = remoteOf(request);
	return openStore({ ...remote, place, cwd: runner.workspace, remote, defaultBranch, author: AUTHOR });
}

function remoteOf({ runner, token, cacheFolder, janitor, signal, url }: StoreRequest): Remote {
	const { owner, repo } = runner.repository;
	const credentials = { environment: plainEnvironment(), serverUrl: runner.serverUrl, token };
	return {
		url: url ?? `${runner.serverUrl}/${owner}/${repo}.git`,
		name: `${owner}/${repo}`,
		cacheFolder,
		environment: withToken(credentials),
		withoutSecrets: (text) => withoutSecrets(text, { token }),
		janitor,
		signal,
	};
}

/** Keeps programs, certificates and proxies, but no variables of the runner. */
function plainEnvironment(): Record<string, string> {
	const kept = /^(?:PATH|HOME|TMPDIR|LANG|SSL_CERT_\w+|(?:https?|no|all)_proxy|GIT_SSL_\w+)$/i;
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) =>
			kept.test(name) && value !== undefined ? [[name, value]] : [],
		),
	);
}

async function askForPull(
	{ github, runner, defaultBranch, warn }: RecordRequest,
	branch: string,
): Promise<string | null> {
	if (github === null) return null;
	const opened = await openBaselinesPull(github, runner.repository, { branch, base: defaultBranch });
	if ('url' in opened) return opened.url;
	warn(opened);
	return null;
}

function describe(records: readonly BaselineRecord[], { kind, place, added, folded, tries }: Appended): string {
	const duplicates = records.length - added;
	const what = added === 0 ? 'No new baseline' : countOf(added, 'baseline');
	const more = [
		...(duplicates > 0 ? [`${duplicates} ${duplicates === 1 ? 'was' : 'were'} there already`] : []),
		...(folded > 0 ? [`${countOf(folded, 'baseline')} that waited came along`] : []),
		...(tries > 1 ? [`it took ${tries} tries`] : []),
	];
	return `${what} ${kind === 'stored' ? 'stored on' : 'waiting on'} ${place}${more.length > 0 ? ` (${more.join('; ')})` : ''}.`;
}

export function storeRequestOf(
	session: Pick<ActionSession, 'inputs' | 'runner' | 'janitor' | 'signal'>,
): Omit<RecordRequest, 'folder' | 'warn' | 'github' | 'site'> {
	const { inputs, runner, janitor, signal } = session;
	const place = readStorePlace(inputs.store);
	if (place === null) {
		throw new UserError({
			code: 'bad-input',
			where: 'input store',
			message: `"${inputs.store}" is not a place for baselines`,
			remedy: 'use branch:NAME, pull-request or dir:PATH',
		});
	}
	const branch = peek(runner.payload, 'repository.default_branch');
	return {
		place,
		defaultBranch: REF.accepts(branch) ? branch : USUAL_BRANCH,
		runner,
		token: inputs.token,
		cacheFolder: cacheFolderOf(session),
		janitor,
		signal,
	};
}

export function sitePlaceOf({ inputs }: Pick<ActionSession, 'inputs'>): SitePlace {
	const place = readSitePlace(inputs.site);
	if (place !== null) return place;
	throw new UserError({
		code: 'bad-input',
		where: 'input site',
		message: `"${inputs.site}" is not a place for the dashboard`,
		remedy: 'use branch:NAME, dir:PATH or none',
	});
}

/** A run measures one commit; after a release it also measures a link and a closure. */
const MOST_FILES = 20;

interface Received {
	readonly records: readonly BaselineRecord[];
	readonly bisected: Bisected | null;
}

/**
 * Returns another job's records. Code under test ran in that job, so every file is hostile and must belong to this run.
 *
 * @throws UserError `no-baselines`, `bad-baselines` with the file.
 */
async function readReceivedBaselines(folder: string, run: Pick<RunIdentity, 'id' | 'attempt'>): Promise<Received> {
	const files = await listFiles(folder);
	if (files.length > MOST_FILES) throw bad(folder, `there are more than ${MOST_FILES} files in it`);
	const records: BaselineRecord[] = [];
	let bisected: Bisected | null = null;
	for (const file of files) {
		const path = join(folder, file);
		const { size } = await stat(path);
		if (size > STORED_LIMITS.bytes) throw bad(file, `it has more than ${STORED_LIMITS.bytes} bytes`);
		const read = readOne(await readFile(path, 'utf8'), file);
		if (read.run.id !== String(run.id) || read.run.attempt > run.attempt) {
			throw bad(file, 'it names another run as the one that measured it');
		}
		if (read.kind === 'benchgate-bisected') bisected = read;
		else records.push(read);
	}
	if (records.length > 0 || bisected !== null) return { records, bisected };
	throw new UserError({
		code: 'no-baselines',
		where: 'input records',
		message: `there are no baselines in ${folder}`,
		remedy: 'download the artifact of the measuring job into it first (docs/baselines.md has both jobs)',
		exitCode: EXIT.nothingMeasured,
	});
}

function readOne(text: string, file: string): BaselineRecord | Bisected {
	if (basename(file) === BISECTED_FILE) {
		const read = readBisected(text);
		if ('why' in read) throw bad(file, read.why);
		return read.bisected;
	}
	const read = readBaseline(text, file);
	if ('unread' in read) throw bad(file, read.unread.why);
	return read.record;
}

/** Lists only plain files, because a link could lead anywhere. */
async function listFiles(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true, recursive: true });
		const plain = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
		return plain.map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, '')).sort();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
}

function bad(where: string, why: string): UserError {
	return new UserError({
		code: 'bad-baselines',
		where: plainText(where, NAME_LIMIT),
		message: `the baselines of the measuring job were refused, so nothing was stored: ${plainText(why, 4 * NAME_LIMIT)}`,
		remedy: 'run the workflow again; when it happens again, look at what the measured code does',
		exitCode: EXIT.nothingMeasured,
	});
}
