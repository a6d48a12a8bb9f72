/** Reads baselines from the files of a store. */
import { readBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { isChangesFile, readChanges } from '../formats/baseline/changes-file.ts';
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNote } from '../types/trend.ts';
import type { StoredBaselines } from './store.ts';

/** How the names of records begin: with when they were measured. */
const STAMP = /^\d{8}T\d{6}Z-/;

interface ChosenFiles {
	/** In the order they were given. */
	readonly opened: readonly string[];
	/** Baselines that are left closed. */
	readonly older: number;
}

/** Why nobody has read a file, without a full stop. */
export interface NotRead {
	readonly why: string;
}
/** What is in a file, where it was read. */
export type StoredText = string | NotRead;

export const TOO_LARGE: NotRead = { why: `it has more than ${STORED_LIMITS.bytes} bytes` };

/** Returns the records in files given as path and text, what was said about changes, and which files are neither. */
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

// Which files of a store are opened when only the newest baselines are wanted.

/**
 * Chooses the `most` newest baselines by their names. What is not named as a record is always opened, so that it is told; notes on
 * changes are not.
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
