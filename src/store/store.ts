/** A store of baselines, and its files. */
import { baselinePath, readBaseline, renderBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import { changesPath, isChangesFile, readChanges, renderChanges } from '../formats/baseline/trend-files.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNote, ChangeNotes } from '../types/trend.ts';
import type { Bytes } from '../types/units.ts';

export type Storable = BaselineRecord | ChangeNotes;

/** Files that cannot be read are listed in `unread`, and stay in place. */
export interface StoredBaselines {
	readonly records: readonly BaselineRecord[];
	readonly notes: readonly ChangeNote[];
	readonly unread: readonly UnreadFile[];
	/** Not opened because of `newest`. */
	readonly older?: number;
}

export interface ReadOptions {
	/** Number of baselines, without notes. Default: everything. */
	readonly newest?: number;
}

export interface Appended {
	/** `pending`: on a separate branch, whose files the next writer adds. */
	readonly kind: 'stored' | 'pending';
	/** For messages: `branch benchgate`. */
	readonly place: string;
	readonly added: number;
	/** Files from pending branches of other runs. */
	readonly folded: number;
	readonly tries: number;
	/** Why the files are pending, without a full stop; else null. */
	readonly reason: string | null;
}

/** Adds records, never changes them. */
export interface Store {
	/** For messages: `branch benchgate of origin`, `folder baselines`. */
	readonly name: string;
	/** Returns nothing if the store does not exist. Throws UserError if it is unreachable. */
	read(options?: ReadOptions): Promise<StoredBaselines>;
	/** Does not change existing files. Throws UserError if files cannot be stored. */
	append(items: readonly Storable[]): Promise<Appended>;
	/** Paths are below the store's folder; git keeps their history. */
	remove(paths: readonly string[]): Promise<void>;
}

export interface BranchOptions {
	readonly branch: string;
	readonly folder: string;
	/** Start of a new branch. Default: an orphan. */
	readonly from?: string;
	readonly author: { readonly name: string; readonly email: string };
	/** Seconds for which competing writers retry. A count of tries would fail the busiest. */
	readonly patience?: number;
	/** Limit after unpacking. Default: more than any honest store has. */
	readonly mostBytes?: Bytes;
	/** In [0, 1): spreads competing writers. */
	readonly random?: () => number;
}

/** Takes a path below the store's folder. Subfolders other than years belong to other stores. */
export function isStored(path: string): boolean {
	return path.endsWith('.json') && (!path.includes('/') || /^\d{4}\//.test(path));
}

/** The path is below the store's folder. */
export function storedPath(item: Storable): string {
	return item.kind === 'benchgate-changes' ? changesPath(item) : baselinePath(item);
}

export function storedText(item: Storable): string {
	return item.kind === 'benchgate-changes' ? renderChanges(item) : renderBaseline(item);
}

export function storedWords(items: readonly Pick<Storable, 'kind'>[], count: number): string {
	if (items.every(({ kind }) => kind === 'benchgate-changes') && count === items.length) return 'notes on changes';
	return count === 1 ? 'a baseline' : `${count} baselines`;
}

/** File names of records begin with the time of measurement. */
const STAMP = /^\d{8}T\d{6}Z-/;

interface ChosenFiles {
	readonly opened: readonly string[];
	/** Count of baselines not opened. */
	readonly older: number;
}

/** `why` has no full stop. */
export interface NotRead {
	readonly why: string;
}
export type StoredText = string | NotRead;

export const TOO_LARGE: NotRead = { why: `it has more than ${STORED_LIMITS.bytes} bytes` };

export function readFiles(files: Iterable<readonly [path: string, text: StoredText]>): StoredBaselines {
	const records: BaselineRecord[] = [];
	const notes: ChangeNote[] = [];
	const unread: UnreadFile[] = [];
	for (const [path, text] of files) {
		if (typeof text !== 'string') {
			unread.push({ file: path, kind: 'foreign', ...text });
			continue;
		}
		const read = isChangesFile(path) ? readChanges(text, path) : readBaseline(text, path);
		if ('record' in read) records.push(read.record);
		else if ('changes' in read) notes.push(...read.changes.notes);
		else unread.push(read.unread);
	}
	return { records, notes, unread };
}

/**
 * Chooses the `most` newest baselines by name. Files with other names are always opened, to be reported; notes on
 * changes never.
 */
export function chooseNewest(paths: readonly string[], most: number): ChosenFiles {
	const records = paths.filter((path) => !isChangesFile(path) && STAMP.test(nameOf(path)));
	const byAge = records.toSorted((one, other) => (nameOf(one) < nameOf(other) ? 1 : -1));
	const closed = new Set(byAge.slice(most));
	return { opened: paths.filter((path) => !isChangesFile(path) && !closed.has(path)), older: closed.size };
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
