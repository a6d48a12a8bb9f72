/** Reads the files of a branch without a checkout. */
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import type { Bytes } from '../types/units.ts';
import {
	type BranchOptions,
	chooseNewest,
	isStored,
	type NotRead,
	type ReadOptions,
	readFiles,
	type StoredBaselines,
	type StoredText,
	TOO_LARGE,
} from './store.ts';
import {
	fetchBlobs,
	fetchTips,
	listBranches,
	openPrivateRepository,
	type PrivateRepository,
	type Remote,
	unreachable,
} from './store-git.ts';

/** Bytes read at once. A large store in one piece would exceed the maximum string length. */
const AT_ONCE: Bytes = 64 * 1024 * 1024;

type Listed = readonly [path: string, blob: string];

/** Prefix of branches whose files belong on the store's branch. */
export const PENDING = 'benchgate-pending/';

/** More paths would not fit into a command line. */
const MOST_NAMED = 1000;
const TRIES = 3;
/** Limit for all files: ten thousand records of fifty rows. */
const MOST_BYTES: Bytes = 512 * 1024 * 1024;

export interface StoredFile {
	/** Relative to the store's folder. */
	readonly path: string;
	readonly blob: string;
}

/**
 * Returns the records of the branch and of pending branches. Once a pull request is merged, its branch is gone, and its
 * records are on the target branch. With `newest`, no other files are fetched.
 */
export async function readBranch(
	remote: Remote,
	options: BranchOptions,
	wanted: ReadOptions = {},
): Promise<StoredBaselines> {
	const few = wanted.newest === undefined ? null : await readFetched(remote, options, wanted, 'names');
	// A server that serves no objects by hash still serves whole branches.
	return few ?? ((await readFetched(remote, options, wanted, 'files')) as StoredBaselines);
}

/** Null if the server does not serve objects by hash. */
async function readFetched(
	remote: Remote,
	options: BranchOptions,
	{ newest }: ReadOptions,
	what: 'names' | 'files',
): Promise<StoredBaselines | null> {
	await using repository = await openPrivateRepository(remote);
	const files = await listAll(repository, remote, options, what);
	const { opened, ...counts } =
		newest === undefined ? { opened: [...files.keys()] } : chooseNewest([...files.keys()], newest);
	const entries = opened.map((path) => [path, files.get(path) as string] as const);
	if (what === 'names' && !(await fetchBlobs(repository, new Set(entries.map(([, blob]) => blob))))) return null;
	return { ...readFiles(await readBlobs(repository, entries, options.mostBytes ?? MOST_BYTES)), ...counts };
}

async function listAll(
	repository: PrivateRepository,
	remote: Remote,
	options: BranchOptions,
	what: 'names' | 'files',
): Promise<ReadonlyMap<string, string>> {
	const files = new Map<string, string>();
	for (const branch of await fetchAll(repository, remote, options, what)) {
		for (const { path, blob } of await listFiles(repository, branch, options.folder)) {
			if (isStored(path) && !files.has(path)) files.set(path, blob);
		}
	}
	return new Map([...files].sort());
}

/** Retries, because a writer may meanwhile delete a pending branch. */
async function fetchAll(
	repository: PrivateRepository,
	remote: Remote,
	{ branch: storeBranch, from }: BranchOptions,
	what: 'names' | 'files',
): Promise<readonly string[]> {
	for (let tries = 1; tries <= TRIES; tries++) {
		const there = await listBranches(repository, remote, [storeBranch, `${PENDING}*`, ...(from ? [from] : [])]);
		const branches = [...there.keys()].filter((name) => name !== from || !there.has(storeBranch));
		if (await fetchTips(repository, branches, what)) return branches;
	}
	throw unreachable(remote, `its branches could not be fetched, ${TRIES} times`);
}

/** Returns the files below `folder` of a fetched branch, restricted to `only` unless empty or too long. */
export async function listFiles(
	repository: PrivateRepository,
	branch: string,
	folder: string,
	only: readonly string[] = [],
): Promise<StoredFile[]> {
	const fullPaths = only.length > MOST_NAMED ? [] : only.map((path) => `${folder}/${path}`);
	const listed = await repository.must([
		...['ls-tree', '-r', '-z', '--full-tree', `refs/tips/${branch}`, '--'],
		...(fullPaths.length === 0 ? [`${folder}/`] : fullPaths),
	]);
	return listed.split('\0').flatMap((line) => {
		const [, mode, blob, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
		// A symbolic link could lead anywhere.
		return name && blob && mode !== '120000' ? [{ path: name.slice(folder.length + 1), blob }] : [];
	});
}

async function readBlobs(
	repository: PrivateRepository,
	files: readonly Listed[],
	most: Bytes,
): Promise<(readonly [string, StoredText])[]> {
	const sizes = await sizesOf(repository, [...new Set(files.map(([, blob]) => blob))]);
	const refused = refuseLarge(files, sizes, most);
	const wanted = new Set(files.flatMap(([path, blob]) => (refused.has(path) ? [] : [blob])));
	const texts = new Map<string, string>();
	let group: string[] = [];
	let together = 0;
	for (const blob of wanted) {
		group.push(blob);
		together += sizes.get(blob) ?? 0;
		if (together < AT_ONCE) continue;
		await readGroup(repository, group, texts);
		group = [];
		together = 0;
	}
	await readGroup(repository, group, texts);
	return files.map(([path, blob]) => [path, refused.get(path) ?? texts.get(blob) ?? ''] as const);
}

/**
 * Refuses large files: git packs gigabytes of repetition into kilobytes, which would exhaust memory. The newest, whose
 * names come last, have priority.
 */
function refuseLarge(
	files: readonly Listed[],
	sizes: ReadonlyMap<string, Bytes>,
	most: Bytes,
): ReadonlyMap<string, NotRead> {
	const refused = new Map<string, NotRead>();
	let bytesLeft = most;
	for (const [path, blob] of files.toReversed()) {
		const size = sizes.get(blob) ?? 0;
		if (size > STORED_LIMITS.bytes) refused.set(path, TOO_LARGE);
		else if (size > bytesLeft) refused.set(path, { why: `the store has more than ${most} bytes; prune it` });
		else bytesLeft -= size;
	}
	return refused;
}

async function sizesOf(repository: PrivateRepository, blobs: readonly string[]): Promise<ReadonlyMap<string, Bytes>> {
	if (blobs.length === 0) return new Map();
	const sizeLines = await repository.must(['cat-file', '--batch-check=%(objectsize)'], {
		input: `${blobs.join('\n')}\n`,
	});
	const sizes = sizeLines.trim().split('\n').map(Number);
	return new Map(blobs.map((blob, index) => [blob, sizes[index] || 0]));
}

/** One process for each of ten thousand files would take minutes. Git counts bytes. */
async function readGroup(
	repository: PrivateRepository,
	blobs: readonly string[],
	texts: Map<string, string>,
): Promise<void> {
	if (blobs.length === 0) return;
	const bytes = Buffer.from(await repository.bytes(['cat-file', '--batch'], { input: `${blobs.join('\n')}\n` }));
	let at = 0;
	for (const blob of blobs) {
		const end = bytes.indexOf(10, at);
		const size = Number(bytes.toString('latin1', at, end).split(' ')[2]);
		texts.set(blob, bytes.toString('utf8', end + 1, end + 1 + size));
		at = end + 1 + size + 1;
	}
}
