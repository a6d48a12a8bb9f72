import { baselinePath, renderBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { changesPath, renderChanges } from '../formats/baseline/trend-files.ts';
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
