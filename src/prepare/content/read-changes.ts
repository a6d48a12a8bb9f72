import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile, FileMode, FileState } from '../../types/difference.ts';
import type { Sides } from '../../types/units.ts';
import type { Session } from '../prepare-context.ts';
import { readBlobs } from '../revision/git.ts';
import { type DirSource, type GitSource, SUBMODULE } from '../revision/source.ts';
import { type CodeTree, readCodeTree } from './code-tree.ts';
import { readPlainFile } from './plain-file.ts';

type TreeSource = GitSource | DirSource;

const MOST_FILES = 3_000;

/**
 * Returns the files that differ, with contents as git stores them, or why they cannot be listed.
 */
export async function readChanges(
	session: Session,
	sources: Sides<TreeSource>,
	counts: (path: string) => boolean,
): Promise<readonly ChangedFile[] | string> {
	const [base, head] = [await readCodeTree(session, sources.base), await readCodeTree(session, sources.head)];
	if (base === null || head === null) return 'git cannot list the files of both sides';
	const paths = [...new Set([...base.keys(), ...head.keys()])].filter(
		(path) => base.get(path) !== head.get(path) && counts(path),
	);
	if (paths.length > MOST_FILES) return `${paths.length} files differ, and at most ${MOST_FILES} are divided`;
	const states = {
		base: await readStates(session, sources.base, base, paths),
		head: await readStates(session, sources.head, head, paths),
	};
	return paths.map((path) => ({ path, base: states.base.get(path) ?? null, head: states.head.get(path) ?? null }));
}

async function readStates(
	session: Session,
	source: TreeSource,
	tree: CodeTree,
	paths: readonly string[],
): Promise<ReadonlyMap<string, FileState>> {
	const states = new Map<string, FileState>();
	const indexed = new Set(
		source.kind === 'dir' ? source.files.flatMap((file) => (file.indexed === undefined ? [] : [file.path])) : [],
	);
	const blobs: { readonly path: string; readonly mode: FileMode; readonly hash: string }[] = [];
	for (const path of paths) {
		const [mode, hash = ''] = (tree.get(path)?.split(' ') ?? []) as [FileMode?, string?];
		if (mode === undefined) continue;
		if (mode === SUBMODULE) states.set(path, { mode, content: Buffer.from(hash) });
		else if (source.kind === 'git' || indexed.has(path)) blobs.push({ path, mode, hash });
		else states.set(path, { mode, content: await readState(join(source.folder, path), mode) });
	}
	if (blobs.length === 0) return states;
	const repository = source.kind === 'git' ? source.repository : source.folder;
	const contents = await readBlobs(
		session,
		repository,
		blobs.map(({ hash }) => hash),
	);
	blobs.forEach(({ path, mode }, at) => {
		states.set(path, { mode, content: contents[at] as Buffer });
	});
	return states;
}

async function readState(file: string, mode: FileMode): Promise<Uint8Array> {
	return mode === '120000' ? Buffer.from(await readlink(file)) : readPlainFile(file);
}
