/** What the files of a folder are, and whether they have changed since. */
import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readPlainFile } from './content/plain-file.ts';

/** Larger files are compared by what the file system knows of them. */
const LARGEST_READ = 4 * 1024 * 1024;
const QUIETLY = { throwIfNoEntry: false } as const;
/** Files read at once. */
const BATCH = 32;

/** What a folder of files was at one moment. */
export interface SideFiles {
	readonly folder: string;
	/** By path relative to the folder, with `/`. */
	readonly files: Map<string, FileState>;
	/** Change times of the folders inside, and of itself at `.`: equal as long as nothing was added or removed. */
	readonly folders: Map<string, number>;
}

interface FileState {
	/** Absolute: made once, because joining thousands of paths between rounds costs as much as asking for them. */
	readonly at: string;
	/** Set by the kernel at every change of content or mode; nobody can put it back without root. */
	readonly ctimeMs: number;
	readonly ino: number;
	readonly links: number;
	readonly mode: number;
	readonly size: number;
	readonly mtimeMs: number;
	/** Of the content, or the target of a link; null for a file too large to be read. */
	readonly content: string | null;
}

/** How files of a folder differ from what they were. */
export interface Differences {
	/** With another content or mode, or gone; the mode is what it was. */
	readonly changed: readonly { readonly path: string; readonly mode: number }[];
	readonly added: readonly string[];
}

/** Returns what the files of a folder are now, contents included. A folder that is not there has no files. */
export async function readSideFiles(folder: string): Promise<SideFiles> {
	const known: SideFiles = { folder, files: new Map(), folders: new Map() };
	const paths = await listAll(known, '.');
	for (let at = 0; at < paths.length; at += BATCH) {
		await Promise.all(paths.slice(at, at + BATCH).map((path) => remember(known, path)));
	}
	return known;
}

/**
 * Returns how the files differ from what is known. Only what the kernel says was touched is read again; what has the same
 * content after all (a second link to it, an install that was repeated) is no difference, and is known as it is now.
 */
export async function compareSideFiles(known: SideFiles): Promise<Differences> {
	const changed: { path: string; mode: number }[] = [];
	for (const [path, before] of known.files) {
		const stats = statOf(before.at);
		if (stats !== null && stats.ctimeMs === before.ctimeMs && stats.ino === before.ino) continue;
		const now = stats === null || stats.isDirectory() ? null : await stateOf(before.at, stats);
		if (now === null || !isSame(before, now)) changed.push({ path, mode: before.mode });
		else known.files.set(path, now);
	}
	return { changed, added: await findAdded(known) };
}

async function findAdded(known: SideFiles): Promise<string[]> {
	const added: string[] = [];
	for (const [path, changedAt] of [...known.folders]) {
		const stats = statOf(join(known.folder, path));
		if (stats === null || stats.ctimeMs === changedAt) continue;
		known.folders.set(path, stats.ctimeMs);
		for (const entry of await entriesOf(known, path)) {
			const inside = posix.join(path, entry.name);
			if (!entry.isDirectory()) {
				if (!known.files.has(inside)) added.push(inside);
			} else if (!known.folders.has(inside)) added.push(...(await listAll(known, inside)));
		}
	}
	return added;
}

/** Returns the files below `path`, and remembers the folders. */
async function listAll(known: SideFiles, path: string): Promise<string[]> {
	const stats = statOf(join(known.folder, path));
	if (stats === null) return [];
	known.folders.set(path, stats.ctimeMs);
	const files: string[] = [];
	for (const entry of await entriesOf(known, path)) {
		const inside = posix.join(path, entry.name);
		if (entry.isDirectory()) files.push(...(await listAll(known, inside)));
		else files.push(inside);
	}
	return files;
}

function entriesOf({ folder }: SideFiles, path: string) {
	return readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
}

async function remember(known: SideFiles, path: string): Promise<void> {
	const at = join(known.folder, path);
	const stats = statOf(at);
	if (stats !== null) known.files.set(path, await stateOf(at, stats));
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
	// Another link to a file that nobody reads, such as a package manager makes.
	return before.mtimeMs === now.mtimeMs && before.links !== now.links;
}

function statOf(path: string): Stats | null {
	try {
		return lstatSync(path, QUIETLY) ?? null;
	} catch {
		return null;
	}
}
