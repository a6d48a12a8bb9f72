import { readFiles } from './read-files.ts';
import type { BranchOptions, StoredBaselines } from './store.ts';
import {
	fetchTip,
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

/** A file of a branch. */
export interface StoredFile {
	/** Below the store's folder. */
	readonly path: string;
	readonly blob: string;
}

/** Returns all records on the branch, those on pending branches included. */
export async function readBranch(remote: Remote, options: BranchOptions): Promise<StoredBaselines> {
	await using repository = await openPrivateRepository(remote);
	const branches = await listBranches(repository, remote, [options.branch, `${PENDING}*`]);
	const files = new Map<string, string>();
	for (const branch of branches.keys()) {
		if (!(await fetchTip(repository, branch, 'files')))
			throw unreachable(remote, `branch ${branch} could not be fetched`);
		for (const { path, blob } of await listFiles(repository, branch, options.folder)) {
			if (path.endsWith('.json') && !files.has(path)) files.set(path, blob);
		}
	}
	return readFiles(await readBlobs(repository, [...files].sort()));
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

/** One process for all of them: one for each would take minutes for ten thousand. */
async function readBlobs(
	repository: PrivateRepository,
	files: readonly (readonly [path: string, blob: string])[],
): Promise<(readonly [string, string])[]> {
	if (files.length === 0) return [];
	const input = `${files.map(([, blob]) => blob).join('\n')}\n`;
	const bytes = Buffer.from(await repository.must(['cat-file', '--batch'], { input }));
	let at = 0;
	return files.map(([path]) => {
		const end = bytes.indexOf(10, at);
		const size = Number(bytes.toString('latin1', at, end).split(' ')[2]);
		const text = bytes.toString('utf8', end + 1, end + 1 + size);
		at = end + 1 + size + 1;
		return [path, text] as const;
	});
}
