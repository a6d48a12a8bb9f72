/** Ends a run if base's files were changed. */

import { createHash } from 'node:crypto';
import { constants, lstatSync, type Stats } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { EXIT, UserError } from '../types/errors.ts';
import { readPlainFile } from './content/plain-file.ts';

const CODE =
	/\.(?:[cm]?[jt]sx?|node|wasm|so|dylib|dll|exe|py|pyc|rb|php|phar|jar|class|war|pl|lua|ex|exs|beam|go|rs|java|kt|cs|sh)(?:\.\d+)*$/i;

const MANIFEST = /(?:^|\/)(?:package\.json|\.npmrc|\.env[\w.]*)$/;

/** Folders that tools and servers write at run time. */
const SCRATCH = /(?:^|\/)(?:\.cache|\.next\/cache|\.vite|\.turbo)\//;

/** Dotted names in `node_modules` belong to tools: `.bin`, `.package-lock.json`, `.prisma`. */
const INSTALLED = /(?:^|\/)node_modules\/(?!\.)/;

const EXECUTABLE = 0o111;

const NAMED = 5;

/** Base's files before any code of head ran. */
export interface BaseWatch {
	/** Before any server runs: throws UserError `workspace-changed` if a file was changed, removed or added. */
	checkUntouched(): Promise<void>;
	/**
	 * Between rounds: throws the same for a changed or removed program file, or one added to installed packages. Base's
	 * servers may write other files (data, logs, caches).
	 */
	checkProgram(): Promise<void>;
}

export async function watchBase(folders: Iterable<string>): Promise<BaseWatch> {
	const snapshots: SideFiles[] = [];
	for (const folder of new Set(folders)) snapshots.push(await readSideFiles(folder));
	const installed = snapshots.some(({ files }) => [...files.keys()].some(isInstalled));
	const compare = async (counts: Counts) => {
		const touched: string[] = [];
		for (const side of snapshots) touched.push(...(await findTouched(side, counts)));
		if (touched.length > 0) throw changedError(touched);
	};
	return {
		checkUntouched: () => compare({ changed: () => true, added: () => true }),
		// If nothing is installed yet, the server may install when it starts.
		checkProgram: () => compare({ changed: isProgram, added: (path) => installed && isInstalled(path) }),
	};
}

interface Counts {
	readonly changed: (path: string, mode: number) => boolean;
	readonly added: (path: string) => boolean;
}

async function findTouched(side: SideFiles, counts: Counts): Promise<string[]> {
	const { changed, added } = await compareSideFiles(side);
	return [
		...changed.filter(({ path, mode }) => counts.changed(path, mode)).map(({ path }) => path),
		...added.filter(counts.added).map((path) => `${path} (new)`),
	];
}

function changedError(paths: readonly string[]): UserError {
	const sorted = [...paths].sort();
	const moreCount = sorted.length - NAMED;
	const listed = sorted.slice(0, NAMED).join(', ') + (moreCount > 0 ? `, and ${moreCount} more` : '');
	return new UserError({
		code: 'workspace-changed',
		where: 'the installed files of base',
		message: `they were changed after base was finished, while code of head could run: ${listed}. What base measures from then on is not base`,
		remedy:
			'look at what the build and the servers of head write; a server of your own that rewrites its own program when it starts has to do that in "prepare:" instead',
		exitCode: EXIT.nothingMeasured,
	});
}

/** Counts code, by extension or executable bit, and files in `node_modules`. */
function isProgram(path: string, mode: number): boolean {
	if (SCRATCH.test(path)) return false;
	if (CODE.test(path) || MANIFEST.test(path) || INSTALLED.test(path)) return true;
	return (mode & constants.S_IFMT) === constants.S_IFREG && (mode & EXECUTABLE) !== 0;
}

/** In installed packages, an added file can shadow another. */
function isInstalled(path: string): boolean {
	return INSTALLED.test(path) && !SCRATCH.test(path);
}

/** Files with more bytes are compared by metadata. */
const LARGEST_READ = 4 * 1024 * 1024;
const QUIETLY = { throwIfNoEntry: false } as const;
const BATCH = 32;

export interface SideFiles {
	readonly folder: string;
	/** Keys are relative paths with `/`. */
	readonly files: Map<string, FileState>;
	/** ctime of each inner folder, and of itself at `.`; changes if an entry is added or removed. */
	readonly folders: Map<string, number>;
}

interface FileState {
	/** Absolute: joining thousands of paths between rounds costs as much as the stats. */
	readonly at: string;
	/** The kernel sets it at every change of content or mode. Only root can reset it. */
	readonly ctimeMs: number;
	readonly ino: number;
	readonly links: number;
	readonly mode: number;
	readonly size: number;
	readonly mtimeMs: number;
	/** Hash, or target of a symlink; null for a file too large to read. */
	readonly content: string | null;
}

export interface Differences {
	/** Changed or removed; `mode` is the old one. */
	readonly changed: readonly { readonly path: string; readonly mode: number }[];
	readonly added: readonly string[];
}

/** Reads a snapshot, contents included; empty for a missing folder. */
async function readSideFiles(folder: string): Promise<SideFiles> {
	const snapshot: SideFiles = { folder, files: new Map(), folders: new Map() };
	const paths = await listAll(snapshot, '.');
	for (let at = 0; at < paths.length; at += BATCH) {
		await Promise.all(paths.slice(at, at + BATCH).map((path) => remember(snapshot, path)));
	}
	return snapshot;
}

/**
 * The changes since a snapshot. Rereads only files whose ctime or inode differs. Equal content (a new hard
 * link, a repeated install) is no change, and updates the snapshot.
 */
async function compareSideFiles(snapshot: SideFiles): Promise<Differences> {
	const changed: { path: string; mode: number }[] = [];
	for (const [path, before] of snapshot.files) {
		const stats = statOf(before.at);
		if (stats !== null && stats.ctimeMs === before.ctimeMs && stats.ino === before.ino) continue;
		const now = stats === null || stats.isDirectory() ? null : await stateOf(before.at, stats);
		if (now === null || !isSame(before, now)) changed.push({ path, mode: before.mode });
		else snapshot.files.set(path, now);
	}
	return { changed, added: await findAdded(snapshot) };
}

async function findAdded(snapshot: SideFiles): Promise<string[]> {
	const added: string[] = [];
	for (const [path, changedAt] of [...snapshot.folders]) {
		const stats = statOf(join(snapshot.folder, path));
		if (stats === null || stats.ctimeMs === changedAt) continue;
		snapshot.folders.set(path, stats.ctimeMs);
		for (const entry of await entriesOf(snapshot, path)) {
			const inside = posix.join(path, entry.name);
			if (!entry.isDirectory()) {
				if (!snapshot.files.has(inside)) added.push(inside);
			} else if (!snapshot.folders.has(inside)) added.push(...(await listAll(snapshot, inside)));
		}
	}
	return added;
}

async function listAll(snapshot: SideFiles, path: string): Promise<string[]> {
	const stats = statOf(join(snapshot.folder, path));
	if (stats === null) return [];
	snapshot.folders.set(path, stats.ctimeMs);
	const files: string[] = [];
	for (const entry of await entriesOf(snapshot, path)) {
		const inside = posix.join(path, entry.name);
		if (entry.isDirectory()) files.push(...(await listAll(snapshot, inside)));
		else files.push(inside);
	}
	return files;
}

function entriesOf({ folder }: SideFiles, path: string) {
	return readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
}

async function remember(snapshot: SideFiles, path: string): Promise<void> {
	const at = join(snapshot.folder, path);
	const stats = statOf(at);
	if (stats !== null) snapshot.files.set(path, await stateOf(at, stats));
}

async function stateOf(at: string, stats: Stats): Promise<FileState> {
	const { ctimeMs, ino, nlink: links, mode, size, mtimeMs } = stats;
	return { at, ctimeMs, ino, links, mode, size, mtimeMs, content: await contentOf(at, stats) };
}

async function contentOf(path: string, stats: Stats): Promise<string | null> {
	if (stats.isSymbolicLink()) return readlink(path).catch(() => '');
	if (!stats.isFile() || stats.size > LARGEST_READ) return null;
	const content = await readPlainFile(path).catch(() => null);
	return content === null ? null : createHash('sha1').update(content).digest('base64');
}

function isSame(before: FileState, now: FileState): boolean {
	if (before.mode !== now.mode || before.size !== now.size) return false;
	if (before.content !== null) return before.content === now.content;
	// A large file with only a new link count is unchanged: package managers make hard links.
	return before.mtimeMs === now.mtimeMs && before.links !== now.links;
}

function statOf(path: string): Stats | null {
	try {
		return lstatSync(path, QUIETLY) ?? null;
	} catch {
		return null;
	}
}
