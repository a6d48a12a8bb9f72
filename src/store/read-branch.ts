import type { Bytes } from '../types/units.ts';
import { chooseNewest } from './choose-newest.ts';
import { readBlobs } from './read-blobs.ts';
import { readFiles } from './read-files.ts';
import type { BranchOptions, ReadOptions, StoredBaselines } from './store.ts';
import { isStored } from './store-file.ts';
import {
	fetchBlobs,
	fetchTips,
	listBranches,
	openPrivateRepository,
	type PrivateRepository,
	type Remote,
	unreachable,
} from './store-git.ts';

/** Branches that wait to be folded into the store's. */
export const PENDING = 'benchgate-pending/';

/** More names do not fit into one command line. */
const MOST_NAMED = 1000;
/** Times it is looked again. */
const TRIES = 3;
/** Of all files together: ten thousand records of fifty rows. */
const MOST_BYTES: Bytes = 512 * 1024 * 1024;

/** A file of a branch. */
export interface StoredFile {
	/** Below the store's folder. */
	readonly path: string;
	readonly blob: string;
}

/**
 * Returns all records on the branch, those on pending branches included. A branch that is made for a pull request is gone once that
 * is merged: then its records are on the branch that it was merged into. Where only the newest are wanted, nothing else is fetched.
 */
export async function readBranch(
	remote: Remote,
	options: BranchOptions,
	wanted: ReadOptions = {},
): Promise<StoredBaselines> {
	const few = wanted.newest === undefined ? null : await readFetched(remote, options, wanted, 'names');
	// A server that gives out no file by its hash gives out all of them.
	return few ?? ((await readFetched(remote, options, wanted, 'files')) as StoredBaselines);
}

/** Null where files are asked for by their hash, and the server does not know that. */
async function readFetched(
	remote: Remote,
	options: BranchOptions,
	{ newest }: ReadOptions,
	what: 'names' | 'files',
): Promise<StoredBaselines | null> {
	await using repository = await openPrivateRepository(remote);
	const files = await listAll(repository, remote, options, what);
	const { opened, ...left } =
		newest === undefined ? { opened: [...files.keys()] } : chooseNewest([...files.keys()], newest);
	const asked = opened.map((path) => [path, files.get(path) as string] as const);
	if (what === 'names' && !(await fetchBlobs(repository, new Set(asked.map(([, blob]) => blob))))) return null;
	return { ...readFiles(await readBlobs(repository, asked, options.mostBytes ?? MOST_BYTES)), ...left };
}

/** Returns the files of the store by path, in order. */
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

/** Returns the branches that hold records, fetched. A writer may fold one into another, and delete it, while we look. */
async function fetchAll(
	repository: PrivateRepository,
	remote: Remote,
	{ branch: own, from }: BranchOptions,
	what: 'names' | 'files',
): Promise<readonly string[]> {
	for (let tries = 1; tries <= TRIES; tries++) {
		const there = await listBranches(repository, remote, [own, `${PENDING}*`, ...(from ? [from] : [])]);
		const branches = [...there.keys()].filter((name) => name !== from || !there.has(own));
		if (await fetchTips(repository, branches, what)) return branches;
	}
	throw unreachable(remote, `its branches could not be fetched, ${TRIES} times`);
}

/** Returns the files below `folder` of a branch that was fetched; with `only`, those of them that are there. */
export async function listFiles(
	repository: PrivateRepository,
	branch: string,
	folder: string,
	only: readonly string[] = [],
): Promise<StoredFile[]> {
	const asked = only.length > MOST_NAMED ? [] : only.map((path) => `${folder}/${path}`);
	const listed = await repository.must([
		...['ls-tree', '-r', '-z', '--full-tree', `refs/tips/${branch}`, '--'],
		...(asked.length === 0 ? [`${folder}/`] : asked),
	]);
	return listed.split('\0').flatMap((line) => {
		const [, mode, blob, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
		// A link could lead anywhere.
		return name && blob && mode !== '120000' ? [{ path: name.slice(folder.length + 1), blob }] : [];
	});
}
