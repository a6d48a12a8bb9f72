import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Session } from '../prepare-context.ts';
import { findRepository, readBlobs, runGit } from '../revision/git.ts';
import { type IndexEntry, type ListedFile, SUBMODULE } from '../revision/source.ts';

const SKIPPED = new Set(['node_modules', '.git']);

/**
 * Returns the code files of a folder, sorted: in a git work tree those not ignored, elsewhere all except `node_modules`
 * and `.git`. Excludes the cache.
 */
export async function listFiles(session: Session, folder: string): Promise<ListedFile[]> {
	const repository = await findRepository(session, folder);
	const named = repository === null ? { paths: [], lacking: [] } : await nameByGit(session, folder);
	// git lists nothing in an ignored folder, but the user named this one.
	const paths = named.paths.length > 0 ? named.paths : await walkFolder(folder);
	const cache = relative(folder, session.cacheFolder).split(sep).join('/');
	const inCache = (path: string) => cache !== '' && path.startsWith(`${cache}/`);
	const there = await inspectFiles(
		folder,
		paths.filter((path) => !inCache(path)),
	);
	return [...there, ...named.lacking].sort(byPath);
}

function byPath(one: ListedFile, other: ListedFile): number {
	return one.path < other.path ? -1 : 1;
}

/** Returns the regular files and symlinks, sorted. */
export async function inspectFiles(folder: string, paths: readonly string[]): Promise<ListedFile[]> {
	const files = await Promise.all([...new Set(paths)].map((path) => inspect(folder, path)));
	return files.filter((file) => file !== null).sort(byPath);
}

/** Returns a SHA-256 (64 hex digits) of names, kinds, modes and contents. */
export async function hashFiles(folder: string, files: readonly ListedFile[]): Promise<string> {
	const hash = createHash('sha256');
	for (const { path, link, indexed } of files) {
		if (indexed !== undefined) {
			hash.update(JSON.stringify([path, 'indexed', indexed.mode, indexed.hash]));
			continue;
		}
		const content = link ?? (await readFile(join(folder, path)));
		const executable = link === undefined && ((await lstat(join(folder, path))).mode & 0o100) !== 0;
		hash.update(JSON.stringify([path, link === undefined ? 'file' : 'link', executable, content.length]));
		hash.update(content);
	}
	return hash.digest('hex');
}

/** Copies files, keeping symlinks and modes. Skips missing tracked files; see `copyIndexed`. */
export async function copyFiles(folder: string, files: readonly ListedFile[], to: string): Promise<void> {
	for (const { path, link, indexed } of files) {
		if (indexed !== undefined) continue;
		const target = join(to, path);
		await mkdir(dirname(target), { recursive: true });
		if (link === undefined) await copyFile(join(folder, path), target);
		else await symlink(link, target);
	}
}

/** Writes missing tracked files from git's index. A submodule becomes an empty folder. */
export async function copyIndexed(session: Session, files: readonly ListedFile[], to: string): Promise<void> {
	for (const { path, indexed } of files) {
		if (indexed === undefined) continue;
		await mkdir(dirname(join(to, path)), { recursive: true });
		await writeIndexed(session, indexed, join(to, path));
	}
}

async function writeIndexed(session: Session, { mode, hash, folder }: IndexEntry, target: string): Promise<void> {
	if (mode === SUBMODULE) return void (await mkdir(target));
	const [content = Buffer.alloc(0)] = await readBlobs(session, folder, [hash]);
	if (mode === '120000') await symlink(content.toString('utf8'), target);
	else await writeFile(target, content, { mode: mode === '100755' ? 0o755 : 0o644 });
}

interface Named {
	readonly paths: readonly string[];
	/** Missing tracked files that the user did not delete. */
	readonly lacking: readonly ListedFile[];
}

async function nameByGit(session: Session, folder: string): Promise<Named> {
	const { stdout } = await runGit(session, folder, ['ls-files', '-z', '-c', '-o', '--exclude-standard']);
	const paths: string[] = [];
	const lacking: ListedFile[] = [];
	for (const name of new Set(stdout.split('\0').filter((part) => part !== ''))) {
		const path = name.replace(/\/$/, '');
		const stats = await lstat(join(folder, path)).catch(() => null);
		if (!stats?.isDirectory()) paths.push(path);
		else if (await lstat(join(folder, path, '.git')).catch(() => null)) {
			const inner = await nameByGit(session, join(folder, path));
			paths.push(...inner.paths.map((below) => `${path}/${below}`));
			lacking.push(...inner.lacking.map((below) => ({ ...below, path: `${path}/${below.path}` })));
		}
	}
	return { paths, lacking: [...lacking, ...(await listLacking(session, folder))] };
}

async function listLacking(session: Session, folder: string): Promise<ListedFile[]> {
	const { stdout } = await runGit(session, folder, ['ls-files', '-z', '-s', '-t']);
	const lacking: ListedFile[] = [];
	for (const line of stdout.split('\0')) {
		const [, tag = '', mode = '', hash = '', path = ''] = /^(\S) (\d+) (\w+) 0\t(.+)$/s.exec(line) ?? [];
		if (path === '' || (tag !== 'S' && mode !== SUBMODULE)) continue;
		const stats = await lstat(join(folder, path)).catch(() => null);
		const isEmpty = stats?.isDirectory() && (await readdir(join(folder, path))).length === 0;
		const isLacking = mode === SUBMODULE ? isEmpty || (stats === null && tag === 'S') : stats === null;
		if (isLacking) lacking.push({ path, indexed: { mode, hash, folder, path } });
	}
	return lacking;
}

/** Skips `node_modules` and `.git`. */
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

/** Null for deleted files, sockets and pipes. */
async function inspect(folder: string, path: string): Promise<ListedFile | null> {
	const stats = await lstat(join(folder, path)).catch(() => null);
	if (stats?.isSymbolicLink()) return { path, link: await readlink(join(folder, path)) };
	return stats?.isFile() ? { path } : null;
}
