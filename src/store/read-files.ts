import { readBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import { isChangesFile, readChanges } from '../formats/baseline/changes-file.ts';
import { STORED_LIMITS } from '../formats/baseline/read-stored.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { ChangeNote } from '../types/trend.ts';
import type { StoredBaselines } from './store.ts';

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
