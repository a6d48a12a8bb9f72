import { baselinePath, renderBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { changesPath, renderChanges } from '../formats/baseline/changes-file.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNote, ChangeNotes } from '../types/trend.ts';
import type { Bytes } from '../types/units.ts';

/** What a store keeps: each is one file. */
export type Storable = BaselineRecord | ChangeNotes;

/** What a store holds. Files that cannot be read are named and stay where they are. */
export interface StoredBaselines {
	readonly records: readonly BaselineRecord[];
	/** What was said about changes, in no order. */
	readonly notes: readonly ChangeNote[];
	readonly unread: readonly UnreadFile[];
	/** Baselines that were not opened, because only the newest were wanted; absent where everything was read. */
	readonly older?: number;
}

/** What of a store is read. */
export interface ReadOptions {
	/** Only so many baselines, the newest, and no notes; everything when absent. */
	readonly newest?: number;
}

/** What became of records that were to be stored. */
export interface Appended {
	/** `stored`: where they belong. `pending`: on a branch beside it, which the next writer folds in. */
	readonly kind: 'stored' | 'pending';
	/** Where they are now, for messages: `branch benchgate`. */
	readonly place: string;
	/** Files that were not there before. */
	readonly added: number;
	/** Files of other runs, waiting on branches of their own, that came along. */
	readonly folded: number;
	/** Times the branch was tried. */
	readonly tries: number;
	/** Why it is not where it belongs, without a full stop; null when it is. */
	readonly reason: string | null;
}

/** Where baselines are kept. Records are added, never changed. */
export interface Store {
	/** For messages: `branch benchgate of origin`, `folder baselines`. */
	readonly name: string;
	/** Returns what is stored. A store that does not exist yet has nothing. Throws UserError when it cannot be reached. */
	read(options?: ReadOptions): Promise<StoredBaselines>;
	/** Adds files; those that are there already are left alone. Throws UserError when they could be put nowhere. */
	append(items: readonly Storable[]): Promise<Appended>;
	/** Takes files away, by their path below the store's folder. Their history stays with git. */
	remove(paths: readonly string[]): Promise<void>;
}

/** Which branch, and how long to insist. */
export interface BranchOptions {
	readonly branch: string;
	/** Folder of the branch that holds the records. */
	readonly folder: string;
	/** Branch it begins at when it does not exist yet; without one it begins with nothing, beside the code. */
	readonly from?: string;
	/** Name and address of who commits. */
	readonly author: { readonly name: string; readonly email: string };
	/** How long writers that are in each other's way try again, in seconds. A time and no count: a count fails the busiest. */
	readonly patience?: number;
	/** Most that is read of it, unpacked; a default that no honest store reaches when absent. */
	readonly mostBytes?: Bytes;
	/** In [0, 1): spreads writers that were refused together. */
	readonly random?: () => number;
}

/** Returns whether a file, by its path below the store's folder, may be one of the store's. A folder that is no year is another store. */
export function isStored(path: string): boolean {
	return path.endsWith('.json') && (!path.includes('/') || /^\d{4}\//.test(path));
}

/** Returns where it lies below the store's folder. */
export function storedPath(item: Storable): string {
	return item.kind === 'benchgate-changes' ? changesPath(item) : baselinePath(item);
}

/** Returns the text of its file. */
export function storedText(item: Storable): string {
	return item.kind === 'benchgate-changes' ? renderChanges(item) : renderBaseline(item);
}

/** Returns what `count` files are called in the message of a commit. */
export function storedWords(items: readonly Pick<Storable, 'kind'>[], count: number): string {
	if (items.every(({ kind }) => kind === 'benchgate-changes') && count === items.length) return 'notes on changes';
	return count === 1 ? 'a baseline' : `${count} baselines`;
}
