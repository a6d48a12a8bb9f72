import {
	BISECTED_SCHEMA,
	BISECTED_SCHEMA_VERSION,
	type Bisected,
	CHANGES_SCHEMA,
	CHANGES_SCHEMA_VERSION,
	type ChangeNotes,
} from '../../types/trend.ts';
import { orderKeys } from '../order-keys.ts';
import type { UnreadFile } from './baseline-file.ts';
import { validate as validateBisected } from './bisected-validator.ts';
import { validate as validateChanges } from './changes-validator.ts';
import { placeInStore, readStored } from './read-stored.ts';

export type ReadChanges = { readonly changes: ChangeNotes } | { readonly unread: UnreadFile };

const ENDING = '-changes.json';

export function renderChanges(changes: ChangeNotes): string {
	return `${JSON.stringify(orderKeys(changes, CHANGES_SCHEMA, CHANGES_SCHEMA))}\n`;
}

export function isChangesFile(path: string): boolean {
	return path.endsWith(ENDING);
}

/** Returns the path in the store: `2026/11/20261122T045900Z-RUN.ATTEMPT-changes.json`. */
export function changesPath({ createdAt, run }: Pick<ChangeNotes, 'createdAt' | 'run'>): string {
	return placeInStore(createdAt, `${run.id}.${run.attempt}${ENDING}`);
}

/** Returns the notes in `text`, or why it is invalid. Never throws. */
export function readChanges(text: string, file: string): ReadChanges {
	const read = readStored<ChangeNotes>(text, {
		kind: 'benchgate-changes',
		version: CHANGES_SCHEMA_VERSION,
		otherwise: 'the file does not hold notes of benchgate about changes',
		validate: validateChanges,
	});
	return 'value' in read ? { changes: read.value } : { unread: { file, ...read } };
}

type ReadBisected = { readonly bisected: Bisected } | { readonly why: string };

/** File of the artifact that the measuring job passes to the writing job. */
export const BISECTED_FILE = 'bisected.json';

export function renderBisected(bisected: Bisected): string {
	return `${JSON.stringify(orderKeys(bisected, BISECTED_SCHEMA, BISECTED_SCHEMA))}\n`;
}

/** Returns a bisect's result, or why the text is invalid. Never throws. */
export function readBisected(text: string): ReadBisected {
	const read = readStored<Bisected>(text, {
		kind: 'benchgate-bisected',
		version: BISECTED_SCHEMA_VERSION,
		otherwise: 'the file does not hold what a bisect found',
		validate: validateBisected,
	});
	return 'value' in read ? { bisected: read.value } : { why: read.why };
}
