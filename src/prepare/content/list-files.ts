import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Session } from '../prepare-context.ts';
import { findRepository, runGit } from '../revision/git.ts';
import type { ListedFile } from '../revision/source.ts';

const SKIPPED = new Set(['node_modules', '.git']);

/**
 * Returns the files of a folder that make up its code, sorted: inside a git work tree those git tracks or would track
 * (changes not committed included), else everything but `node_modules` and `.git`. The cache is never among them.
 */
export async function listFiles(session: Session, folder: string): Promise<ListedFile[]> {
	const named = (await findRepository(session, folder)) === null ? [] : await nameByGit(session, folder);
	// A folder that git ignores as a whole names nothing, yet is what the user asked for.
	const paths = named.length > 0 ? named : await walkFolder(folder);
	const cache = relative(folder, session.cacheFolder).split(sep).join('/');
	const inCache = (path: string) => cache !== '' && path.startsWith(`${cache}/`);
	return inspectFiles(
		folder,
		paths.filter((path) => !inCache(path)),
	);
}

/** Returns the regular files and symbolic links among the paths, sorted. */
export async function inspectFiles(folder: string, paths: readonly string[]): Promise<ListedFile[]> {
	const files = await Promise.all([...new Set(paths)].map((path) => inspect(folder, path)));
	return files.filter((file) => file !== null).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the SHA-256 of names, kinds, modes and contents of the files, as 64 hex digits. */
export async function hashFiles(folder: string, files: readonly ListedFile[]): Promise<string> {
	const hash = createHash('sha256');
	for (const { path, link } of files) {
		const content = link ?? (await readFile(join(folder, path)));
		const executable = link === undefined && ((await lstat(join(folder, path))).mode & 0o100) !== 0;
		hash.update(JSON.stringify([path, link === undefined ? 'file' : 'link', executable, content.length]));
		hash.update(content);
	}
	return hash.digest('hex');
}

/** Copies the files of one folder to another, symbolic links as links, modes kept. */
export async function copyFiles(folder: string, files: readonly ListedFile[], to: string): Promise<void> {
	for (const { path, link } of files) {
		const target = join(to, path);
		await mkdir(dirname(target), { recursive: true });
		if (link === undefined) await copyFile(join(folder, path), target);
		else await symlink(link, target);
	}
}

/** Names of a work tree; an entry that is a repository of its own (a submodule) is listed by itself. */
async function nameByGit(session: Session, folder: string): Promise<string[]> {
	const { stdout } = await runGit(session, folder, ['ls-files', '-z', '-c', '-o', '--exclude-standard']);
	const names: string[] = [];
	for (const name of stdout.split('\0').filter((part) => part !== '')) {
		const path = name.replace(/\/$/, '');
		const stats = await lstat(join(folder, path)).catch(() => null);
		if (!stats?.isDirectory()) names.push(path);
		else if (await lstat(join(folder, path, '.git')).catch(() => null)) {
			names.push(...(await nameByGit(session, join(folder, path))).map((inner) => `${path}/${inner}`));
		}
	}
	return names;
}

/** Returns the paths of everything below `folder` but `node_modules` and `.git`, relative to it. */
export async function walkFolder(folder: string, prefix = ''): Promise<string[]> {
	const paths: string[] = [];
	for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
		if (SKIPPED.has(entry.name)) continue;
		const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
		if (entry.isDirectory()) paths.push(...(await walkFolder(folder, path)));
		else paths.push(path);
	}
	return paths;
}

/** Null for what is deleted but still tracked, and for sockets and pipes. */
async function inspect(folder: string, path: string): Promise<ListedFile | null> {
	const stats = await lstat(join(folder, path)).catch(() => null);
	if (stats?.isSymbolicLink()) return { path, link: await readlink(join(folder, path)) };
	return stats?.isFile() ? { path } : null;
}
