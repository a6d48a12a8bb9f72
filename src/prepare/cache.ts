import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import { makeLogFolder } from '../process/logs.ts';
import type { PrepareContext } from './prepare-context.ts';

export const ENTRY_KINDS = ['checkouts', 'tarballs', 'workspaces', 'runtimes', 'submodules'] as const;
/** `workspaces` are installed servers; `submodules` are commits of other repositories. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Without folders. */
const NOTES = 'coverage';

const UNUSED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const LOCK_RETRY_MS = 250;
const LOCK_STALE_MS = 15_000;

/** A folder named by the hash of its inputs. Its marker and lock lie beside it. */
export interface Entry {
	readonly folder: string;
	/** Written last: without it the folder is incomplete. */
	readonly marker: string;
	readonly lock: string;
	readonly log: string;
}

/** Returns a hash of 64 hex digits, equal on every machine. */
export function keyOf(parts: Readonly<Record<string, unknown>>): string {
	// Raise `layout` when the same parts are used differently.
	return createHash('sha256')
		.update(JSON.stringify({ layout: 3, ...parts }))
		.digest('hex');
}

/** Creates the folder. */
export async function locateNote(cacheFolder: string, key: string): Promise<string> {
	return (await locateEntry(cacheFolder, NOTES, key)).marker;
}

/** Creates the parent folder. */
export async function locateEntry(cacheFolder: string, kind: EntryKind | typeof NOTES, key: string): Promise<Entry> {
	const stem = join(cacheFolder, kind, key);
	await mkdir(join(cacheFolder, kind), { recursive: true });
	const log = join(makeLogFolder(cacheFolder), `${kind}-${key}.log`);
	return { folder: stem, marker: `${stem}.json`, lock: `${stem}.lock`, log };
}

/** Returns null if the entry is incomplete. */
export async function readEntry<Note>(entry: Entry): Promise<Note | null> {
	try {
		await stat(entry.folder);
		return await readNote<Note>(entry.marker);
	} catch {
		return null;
	}
}

/** Records a use. Throws if the file is missing or incomplete. */
export async function readNote<Note>(file: string): Promise<Note> {
	const note = JSON.parse(await readFile(file, 'utf8')) as Note;
	const now = new Date();
	await utimes(file, now, now);
	return note;
}

export async function completeEntry(entry: Entry, note: unknown): Promise<void> {
	await writeFileAtomic(entry.marker, JSON.stringify(note));
}

/** Removes an entry except its log. Reclaims it first: an interrupted build may have left it to a side's user. */
export async function removeEntry({ isolation }: Pick<PrepareContext, 'isolation'>, entry: Entry): Promise<void> {
	await rm(entry.marker, { force: true });
	await isolation?.reclaim(entry.folder);
	await rm(entry.folder, { recursive: true, force: true, maxRetries: 3 });
}

export async function withLock<T>(context: PrepareContext, entry: Entry, work: () => Promise<T>): Promise<T> {
	const unlock = await acquire(context, entry);
	try {
		return await work();
	} finally {
		await unlock().catch(() => {});
	}
}

async function acquire(context: PrepareContext, entry: Entry): Promise<() => Promise<void>> {
	for (;;) {
		context.signal.throwIfAborted();
		try {
			// A holder that slept too long loses its lock. Both then write the same content.
			const options = { realpath: false, lockfilePath: entry.lock, stale: LOCK_STALE_MS, onCompromised: () => {} };
			const unlock = await lock(entry.folder, options);
			const release = context.janitor.guardLock(entry.lock);
			return async () => {
				await unlock();
				release();
			};
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
			context.progress.status('waiting for another benchgate that prepares the same revision');
			await delay(LOCK_RETRY_MS, undefined, { signal: context.signal }).catch(() => {});
		}
	}
}

/**
 * Returns the complete entry, its note, and whether this call built it. If `build` fails, the folder remains for
 * inspection until the next attempt; if it is interrupted, the folder is removed.
 */
export async function useEntry<Note>(
	context: PrepareContext,
	kind: EntryKind,
	key: string,
	build: (entry: Entry) => Promise<Note>,
): Promise<{ readonly entry: Entry; readonly note: Note; readonly built: boolean }> {
	const entry = await locateEntry(context.cacheFolder, kind, key);
	const ready = await readEntry<Note>(entry);
	if (ready !== null) return { entry, note: ready, built: false };
	return withLock(context, entry, async () => {
		const meanwhile = await readEntry<Note>(entry);
		if (meanwhile !== null) return { entry, note: meanwhile, built: false };
		const note = await buildEntry(context, entry, build);
		return { entry, note, built: true };
	});
}

async function buildEntry<Note>(context: PrepareContext, entry: Entry, build: (entry: Entry) => Promise<Note>) {
	await removeEntry(context, entry);
	await rm(entry.log, { force: true });
	const release = context.janitor.guardDirectory(entry.folder);
	try {
		await mkdir(entry.folder);
		const note = await build(entry);
		await completeEntry(entry, note);
		return note;
	} finally {
		if (context.signal.aborted) await removeEntry(context, entry);
		release();
	}
}

/** Removes entries, logs and leftovers unused for 30 days; skips undeletable ones. */
export async function pruneCache(context: Pick<PrepareContext, 'cacheFolder' | 'isolation'>): Promise<void> {
	const { cacheFolder } = context;
	const oldest = Date.now() - UNUSED_DAYS * DAY_MS;
	const logs = makeLogFolder(cacheFolder);
	for (const name of await readdir(logs)) {
		if ((await timeOf(join(logs, name))) < oldest) await rm(join(logs, name), { force: true });
	}
	for (const kind of [...ENTRY_KINDS, NOTES] as const) {
		const names = await readdir(join(cacheFolder, kind)).catch(() => []);
		for (const key of new Set(names.map((name) => name.replace(/\..*$/, '')))) {
			const entry = await locateEntry(cacheFolder, kind, key);
			if ((await lastUse(entry)) >= oldest) continue;
			try {
				await removeEntry(context, entry);
				await rm(entry.lock, { recursive: true, force: true });
				for (const name of names.filter((one) => one.startsWith(`${key}.`))) {
					await rm(join(cacheFolder, kind, name), { recursive: true, force: true });
				}
			} catch {
				// It belongs to another user; this run does not need it.
			}
		}
	}
}

async function lastUse(entry: Entry): Promise<number> {
	return (
		(await timeOf(entry.marker)) ||
		Math.max(await timeOf(entry.folder), await timeOf(entry.lock), await timeOf(entry.log))
	);
}

/** In ms; 0 if missing. */
async function timeOf(path: string): Promise<number> {
	return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
