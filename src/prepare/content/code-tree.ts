import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../prepare-context.ts';
import { runGit } from '../revision/git.ts';
import { type DirSource, type GitSource, SUBMODULE } from '../revision/source.ts';

/**
 * Maps each file's path (with `/`) to mode and git hash. Submodules end with `/`, so their names never make them
 * documents.
 */
export type CodeTree = ReadonlyMap<string, string>;

/** Lists files without a checkout; null if git cannot list the commit. */
export async function readCodeTree(session: Session, source: GitSource | DirSource): Promise<CodeTree | null> {
	return source.kind === 'git' ? listCommit(session, source) : hashFolder(source);
}

async function listCommit(session: Session, { repository, sha }: GitSource): Promise<CodeTree | null> {
	const outcome = await runGit(session, repository, ['ls-tree', '-r', '-z', '--full-tree', sha]);
	if (!outcome.succeeded) return null;
	const entries = outcome.stdout.split('\0').filter((entry) => entry !== '');
	return new Map(
		entries.map((entry) => {
			const tab = entry.indexOf('\t');
			const [mode = '', , name = ''] = entry.slice(0, tab).split(' ');
			return [pathOf(entry.slice(tab + 1), mode), `${mode} ${name}`];
		}),
	);
}

function pathOf(path: string, mode: string): string {
	return mode === SUBMODULE ? `${path}/` : path;
}

/** Hashes as git does, for comparison with a commit. */
async function hashFolder({ folder, files }: DirSource): Promise<CodeTree> {
	const tree = new Map<string, string>();
	for (const { path, link, indexed } of files) {
		if (indexed !== undefined) {
			tree.set(pathOf(path, indexed.mode), `${indexed.mode} ${indexed.hash}`);
			continue;
		}
		const content = link === undefined ? await readFile(join(folder, path)) : Buffer.from(link);
		const name = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
		tree.set(path, `${link === undefined ? await modeOf(join(folder, path)) : '120000'} ${name}`);
	}
	return tree;
}

async function modeOf(path: string): Promise<string> {
	return ((await lstat(path)).mode & 0o100) === 0 ? '100644' : '100755';
}
