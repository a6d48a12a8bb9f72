import { chmod, lstat, mkdir, readlink, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChangedFile, FileMode, FileState, FileVersion } from '../../types/difference.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Sides } from '../../types/units.ts';
import { waysTo } from '../harness/harness.ts';
import { firstBlocked } from '../harness/lay-over.ts';
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

const UNSAFE = /^(?:\.{0,2}|\.git)$/i;

/**
 * Replaces files of an unbuilt checkout, never outside of it or through links. Throws UserError `file-blocked`.
 */
export async function writeVersions(top: string, versions: readonly FileVersion[], where: string): Promise<void> {
	for (const { path } of versions) {
		if (path.includes('\\') || path.split('/').some((part) => UNSAFE.test(part))) throw blockedError(path, where);
	}
	const removed = versions.filter(({ state }) => state === null);
	for (const { path } of removed) {
		if ((await firstBlocked(top, waysTo(path).slice(0, -1))) === null) await removeFile(join(top, path), path, where);
	}
	for (const { path, state } of versions) {
		if (state === null) continue;
		if ((await firstBlocked(top, waysTo(path).slice(0, -1))) !== null) throw blockedError(path, where);
		const target = join(top, path);
		await mkdir(dirname(target), { recursive: true });
		await removeFile(target, path, where);
		if (state.mode === '120000') await symlink(Buffer.from(state.content).toString('utf8'), target);
		else {
			await writeFile(target, state.content);
			await chmod(target, state.mode === '100755' ? 0o755 : 0o644);
		}
	}
}

async function removeFile(target: string, path: string, where: string): Promise<void> {
	const stats = await lstat(target).catch(() => null);
	if (!stats?.isDirectory()) return rm(target, { force: true });
	await rmdir(target).catch(() => {
		throw blockedError(path, where);
	});
}

function blockedError(path: string, where: string): UserError {
	return new UserError({
		code: 'file-blocked',
		where,
		message: `"${path}" cannot be put back: another file, link or folder is in its place`,
		exitCode: EXIT.nothingMeasured,
	});
}
