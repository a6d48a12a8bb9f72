import { readBaseline, type UnreadFile } from '../formats/baseline/baseline-file.ts';
import type { BaselineRecord } from '../types/baseline.ts';
import type { StoredBaselines } from './store.ts';

/** Returns the records in files given as path and text, and which of them are none. */
export function readFiles(files: Iterable<readonly [path: string, text: string]>): StoredBaselines {
	const records: BaselineRecord[] = [];
	const unread: UnreadFile[] = [];
	for (const [path, text] of files) {
		const read = readBaseline(text, path);
		if ('record' in read) records.push(read.record);
		else unread.push(read.unread);
	}
	return { records, unread };
}
