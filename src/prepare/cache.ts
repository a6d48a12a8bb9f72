import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import { makeLogFolder } from '../process/logs.ts';
import type { PrepareContext } from './prepare-context.ts';

export const ENTRY_KINDS = ['checkouts', 'tarballs', 'workspaces', 'runtimes', 'submodules'] as const;
/** Kinds of cache entries: a prepared checkout, a packed subject, an installed server, a runtime, a commit of another repository. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

const UNUSED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const LOCK_RETRY_MS = 250;
/** A lock whose holder was killed is taken over after this long without a sign of life. */
const LOCK_STALE_MS = 15_000;

/** A folder of the cache named by what decides its content, with its marker and lock beside it, and its log among the logs. */
export interface Entry {
	readonly folder: string;
	/** Written last: without it the folder is incomplete. */
	readonly marker: string;
	readonly lock: string;
	readonly log: string;
}

/** Returns the key of everything given, 64 hex digits. Keys of the same parts are equal on every machine. */
export function keyOf(parts: Readonly<Record<string, unknown>>): string {
	// Raised when what is done with the same parts changes, so that entries of other releases are not taken for ours.
	return createHash('sha256')
		.update(JSON.stringify({ layout: 3, ...parts }))
		.digest('hex');
}

/** Returns where the entry lives, and makes the folder around it. */
export async function locateEntry(cacheFolder: string, kind: EntryKind, key: string): Promise<Entry> {
	const stem = join(cacheFolder, kind, key);
	await mkdir(join(cacheFolder, kind), { recursive: true });
	const log = join(makeLogFolder(cacheFolder), `${kind}-${key}.log`);
	return { folder: stem, marker: `${stem}.json`, lock: `${stem}.lock`, log };
}

/** Returns what was noted about a complete entry, and counts this as a use; null when there is none. */
export async function readEntry<Note>(entry: Entry): Promise<Note | null> {
	try {
		await stat(entry.folder);
		const note = JSON.parse(await readFile(entry.marker, 'utf8')) as Note;
		const now = new Date();
		await utimes(entry.marker, now, now);
		return note;
	} catch {
		return null;
	}
}

/** Marks an entry complete, with a note for whoever uses it later. */
export async function completeEntry(entry: Entry, note: unknown): Promise<void> {
	await writeFileAtomic(entry.marker, JSON.stringify(note));
}

/** Removes the folder of an entry and its marker; the log stays. A build that was cut off may have left it a side's. */
export async function removeEntry({ isolation }: Pick<PrepareContext, 'isolation'>, entry: Entry): Promise<void> {
	await rm(entry.marker, { force: true });
	await isolation?.reclaim(entry.folder);
	await rm(entry.folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs `work` while no other benchgate process holds the entry, waiting for as long as one does. */
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
			// A holder that slept too long loses its lock; both then write the same content, and the marker comes last.
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
 * Returns the complete entry and its note, and whether it was built now. `build` fills the empty folder; when it fails
 * the folder stays incomplete (for the user to look at) and is built again next time; on interruption it is removed.
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

/** Removes entries, logs, and remains of interrupted runs, that nobody used for 30 days. What cannot be removed stays. */
export async function pruneCache(context: Pick<PrepareContext, 'cacheFolder' | 'isolation'>): Promise<void> {
	const { cacheFolder } = context;
	const oldest = Date.now() - UNUSED_DAYS * DAY_MS;
	const logs = makeLogFolder(cacheFolder);
	for (const name of await readdir(logs)) {
		if ((await timeOf(join(logs, name))) < oldest) await rm(join(logs, name), { force: true });
	}
	for (const kind of ENTRY_KINDS) {
		const names = await readdir(join(cacheFolder, kind)).catch(() => []);
		for (const key of new Set(names.map((name) => name.replace(/\..*$/, '')))) {
			const entry = await locateEntry(cacheFolder, kind, key);
			if ((await lastUse(entry)) >= oldest) continue;
			try {
				await removeEntry(context, entry);
				await rm(entry.lock, { recursive: true, force: true });
				// The half of a marker that a killed run left.
				for (const name of names.filter((one) => one.startsWith(`${key}.`))) {
					await rm(join(cacheFolder, kind, name), { recursive: true, force: true });
				}
			} catch {
				// Somebody else's: it is nothing that this run needs.
			}
		}
	}
}

/** The marker's time when there is one (each use touches it), else the newest of what is there. */
async function lastUse(entry: Entry): Promise<number> {
	return (
		(await timeOf(entry.marker)) ||
		Math.max(await timeOf(entry.folder), await timeOf(entry.lock), await timeOf(entry.log))
	);
}

/** When it was changed last, as `Date.now()` counts; 0 when it is not there. */
async function timeOf(path: string): Promise<number> {
	return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
