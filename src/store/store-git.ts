import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { endInTime } from '../process/processes.ts';
import { UserError } from '../types/errors.ts';
import type { Janitor } from '../types/run-services.ts';

export interface Remote {
	/** For push and fetch. */
	readonly url: string;
	/** Name in messages: `origin`. */
	readonly name: string;
	readonly cacheFolder: string;
	/** Variables for git, including credentials. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly withoutSecrets?: (text: string) => string;
	readonly janitor: Pick<Janitor, 'guardDirectory'>;
	readonly signal?: AbortSignal;
}

export interface GitOutcome {
	readonly ok: boolean;
	readonly stdout: string;
	/** Without secrets. */
	readonly stderr: string;
}

/** A temporary repository. It never touches the user's repository. */
export interface PrivateRepository extends AsyncDisposable {
	git(args: readonly string[], options?: GitOptions): Promise<GitOutcome>;
	/** Returns stdout. Throws if git fails. */
	must(args: readonly string[], options?: GitOptions): Promise<string>;
	/** Returns the bytes of stdout, because file contents need not be UTF-8. */
	bytes(args: readonly string[], options?: GitOptions): Promise<Uint8Array>;
	path(name: string): string;
}

export interface GitOptions {
	readonly input?: string;
	readonly environment?: Readonly<Record<string, string>>;
}

/** Limit of one network operation; a whole append may take longer. */
const GIT_TIMEOUT_MS = 2 * 60_000;
/** Variables that would lead git to another repository or to a prompt. */
const MISLEADING = /^GIT_(?!CONFIG|SSL|SSH|PROXY|HTTP|CURL|TRACE)/;
const SETTINGS = ['core.hooksPath=/dev/null', 'gc.auto=0', 'protocol.version=2', 'fetch.unpackLimit=1'];
const REMOTE = 'store';

/** Creates an empty repository with the store as remote; removed on disposal, also after kill -9. */
export async function openPrivateRepository(remote: Remote): Promise<PrivateRepository> {
	const parent = join(remote.cacheFolder, 'store');
	await mkdir(parent, { recursive: true });
	const folder = await mkdtemp(join(parent, 'repository-'));
	const release = remote.janitor.guardDirectory(folder);
	const kept = Object.entries(remote.environment).filter(([name]) => !MISLEADING.test(name));
	const environment = { ...Object.fromEntries(kept), GIT_DIR: folder, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
	const clean = remote.withoutSecrets ?? ((text: string) => text);
	const run = async (args: readonly string[], options: GitOptions = {}) => {
		remote.signal?.throwIfAborted();
		const running = execa('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
			env: { ...environment, ...options.environment },
			extendEnv: false,
			reject: false,
			stripFinalNewline: false,
			encoding: 'buffer',
			maxBuffer: 1 << 30,
			...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
		});
		const { outcome: done, timedOut } = await endInTime(running, { ms: GIT_TIMEOUT_MS, signal: remote.signal });
		remote.signal?.throwIfAborted();
		if (done.code === 'ENOENT')
			throw new UserError({ code: 'no-git', message: 'git is not installed', remedy: 'install git' });
		const [stdout, stderr] = [done.stdout, done.stderr] as (Uint8Array | undefined)[];
		const errorText = timedOut ? `no answer within ${GIT_TIMEOUT_MS / 1000} s` : textOf(stderr);
		return { ok: !done.failed, stdout: stdout ?? new Uint8Array(), stderr: clean(errorText) };
	};
	const bytes: PrivateRepository['bytes'] = async (args, options) => {
		const { ok, stdout, stderr } = await run(args, options);
		if (!ok) throw new Error(`git ${args[0]} failed: ${stderr}`);
		return stdout;
	};
	const git: PrivateRepository['git'] = async (args, options) => {
		const done = await run(args, options);
		return { ...done, stdout: textOf(done.stdout) };
	};
	const must: PrivateRepository['must'] = async (args, options) => textOf(await bytes(args, options));
	const repository: PrivateRepository = {
		git,
		must,
		bytes,
		path: (name) => join(folder, name),
		async [Symbol.asyncDispose]() {
			await rm(folder, { recursive: true, force: true, maxRetries: 3 });
			release();
		},
	};
	await must(['init', '--quiet', '--bare', folder]);
	await must(['config', `remote.${REMOTE}.url`, remote.url]);
	return repository;
}

function textOf(bytes: Uint8Array | undefined): string {
	return new TextDecoder().decode(bytes);
}

/** Throws UserError if the remote is unreachable. */
export async function listBranches(
	repository: PrivateRepository,
	remote: Remote,
	patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const refs = patterns.map((pattern) => `refs/heads/${pattern}`);
	const { ok, stdout, stderr } = await repository.git(['ls-remote', REMOTE, ...refs]);
	if (!ok) throw unreachable(remote, stderr);
	const lines = stdout.split('\n').map((line) => line.split('\t'));
	return new Map(
		lines.flatMap(([sha, name]) => (sha && name ? [[name.replace('refs/heads/', ''), sha] as const] : [])),
	);
}

/** Fetches the last commit; `names` omits file contents. Returns false if the branch is gone. */
export function fetchTip(repository: PrivateRepository, branch: string, what: 'names' | 'files'): Promise<boolean> {
	return fetchTips(repository, [branch], what);
}

/** If one branch is gone, returns false, and any commit may be missing. */
export async function fetchTips(
	repository: PrivateRepository,
	branches: readonly string[],
	what: 'names' | 'files',
): Promise<boolean> {
	const filter = what === 'names' ? ['--filter=blob:none'] : [];
	const sources = branches.map((branch) => `+refs/heads/${branch}:refs/tips/${branch}\n`).join('');
	const args = ['fetch', '--quiet', '--no-tags', '--depth=1', '--no-write-fetch-head', ...filter, '--stdin', REMOTE];
	return sources === '' || (await repository.git(args, { input: sources })).ok;
}

/** Returns false if the server does not serve objects by hash. */
export async function fetchBlobs(repository: PrivateRepository, blobs: ReadonlySet<string>): Promise<boolean> {
	if (blobs.size === 0) return true;
	const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin', REMOTE];
	const input = [...blobs].map((blob) => `${blob}\n`).join('');
	// Nothing to negotiate: exactly these objects are wanted.
	return (await repository.git(['-c', 'fetch.negotiationAlgorithm=noop', ...args], { input })).ok;
}

/** Pushes without force: git refuses if another writer was first. `null` deletes a branch. */
export function push(
	repository: PrivateRepository,
	branches: Readonly<Record<string, string | null>>,
): Promise<GitOutcome> {
	const specs = Object.entries(branches).map(([branch, commit]) => `${commit ?? ''}:refs/heads/${branch}`);
	return repository.git(['push', '--quiet', '--porcelain', REMOTE, ...specs]);
}

/** Replaces a branch if it is still at `instead` (null: if it does not exist). */
export function pushOver(
	repository: PrivateRepository,
	{ branch, commit, instead }: { readonly branch: string; readonly commit: string; readonly instead: string | null },
): Promise<GitOutcome> {
	const ref = `refs/heads/${branch}`;
	const lease = `--force-with-lease=${ref}:${instead ?? ''}`;
	return repository.git(['push', '--quiet', '--porcelain', lease, REMOTE, `${commit}:${ref}`]);
}

export function unreachable(remote: Remote, details: string): UserError {
	return new UserError({
		code: 'store-unreachable',
		where: remote.name,
		message: 'the baselines could not be read',
		remedy: 'check the network and the address of the remote; in a workflow give the job contents: read',
		details: details.trim() || 'git gave no reason',
	});
}

/** Text, or an existing object. */
export type NewFile = { readonly path: string } & ({ readonly text: string } | { readonly blob: string });

export interface NewCommit {
	/** A fetched branch; null for a first commit. */
	readonly parent: string | null;
	readonly message: string;
	readonly author: { readonly name: string; readonly email: string };
	readonly added: readonly NewFile[];
	readonly removed?: readonly string[];
}

/** Commits without a work tree and without the content of other files. Returns the hash. */
export async function commitTree(repository: PrivateRepository, commit: NewCommit): Promise<string> {
	const { parent, author, message, added, removed = [] } = commit;
	const environment = {
		GIT_INDEX_FILE: repository.path('private-index'),
		GIT_AUTHOR_NAME: author.name,
		GIT_AUTHOR_EMAIL: author.email,
		GIT_COMMITTER_NAME: author.name,
		GIT_COMMITTER_EMAIL: author.email,
	};
	const tip = parent === null ? null : `refs/tips/${parent}`;
	await repository.must(['read-tree', ...(tip === null ? ['--empty'] : [tip])], { environment });
	const lines = (await blobsOf(repository, added)).map((blob, at) => `100644 ${blob}\t${added[at]?.path}`);
	for (const path of removed) lines.push(`0 ${'0'.repeat(40)}\t${path}`);
	await repository.must(['update-index', '-z', '--index-info'], {
		environment,
		input: lines.map((line) => `${line}\0`).join(''),
	});
	// The parent's files were not fetched, but their hashes are enough.
	const tree = (await repository.must(['write-tree', '--missing-ok'], { environment })).trim();
	const parents = tip === null ? [] : ['-p', tip];
	return (await repository.must(['commit-tree', tree, ...parents], { environment, input: message })).trim();
}

/** One process for all files, because a dashboard has a file for each row. */
async function blobsOf(repository: PrivateRepository, files: readonly NewFile[]): Promise<string[]> {
	const fresh = files.flatMap((file) => ('text' in file ? [file] : []));
	for (const [at, { text }] of fresh.entries()) await writeFile(pathOf(repository, at), text);
	const paths = fresh.map((_, at) => `${pathOf(repository, at)}\n`).join('');
	const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
	const hashes = fresh.length === 0 ? [] : (await repository.must(args, { input: paths })).trim().split('\n');
	return files.map((file) => ('blob' in file ? file.blob : (hashes.shift() ?? '')));
}

function pathOf(repository: PrivateRepository, at: number): string {
	return repository.path(`new-file-${at}`);
}
