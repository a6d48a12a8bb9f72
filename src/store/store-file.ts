import { baselinePath, renderBaseline } from '../formats/baseline/baseline-file.ts';
import { changesPath, renderChanges } from '../formats/baseline/changes-file.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNotes } from '../types/trend.ts';

/** What a store keeps: each is one file. */
export type Storable = BaselineRecord | ChangeNotes;

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
