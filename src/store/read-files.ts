/** Reads baselines from the files of a store. */
import { readBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import { isChangesFile, readChanges } from '../formats/baseline/trend-files.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNote } from '../types/trend.ts';
import type { StoredBaselines } from './store.ts';

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
