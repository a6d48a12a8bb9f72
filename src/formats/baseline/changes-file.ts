import { plainText } from '../../text/escape.ts';
import { CHANGES_SCHEMA_VERSION, type ChangeNotes } from '../../types/trend.ts';
import { orderKeys } from '../order-keys.ts';
import type { UnreadFile } from './baseline-file.ts';
import { CHANGES_SCHEMA } from './changes-schema.ts';
import { validate } from './changes-validator.ts';

export type ReadChanges = { readonly changes: ChangeNotes } | { readonly unread: UnreadFile };

/** How the names of such files end. */
const ENDING = '-changes.json';
const QUOTE_LIMIT = 120;

/** Returns notes on changes as one line of JSON ending in a line feed. */
export function renderChanges(changes: ChangeNotes): string {
	return `${JSON.stringify(orderKeys(changes, CHANGES_SCHEMA, CHANGES_SCHEMA))}\n`;
}

/** Returns whether a file of the store is one of these, by its name. */
export function isChangesFile(path: string): boolean {
	return path.endsWith(ENDING);
}

/** Returns where notes lie in the store: `2026/11/20261122T045900Z-RUN.ATTEMPT-changes.json`. */
export function changesPath({ createdAt, run }: Pick<ChangeNotes, 'createdAt' | 'run'>): string {
	const moment = `${createdAt.slice(0, 19).replace(/[-:]/g, '')}Z`;
	return `${createdAt.slice(0, 4)}/${createdAt.slice(5, 7)}/${moment}-${run.id}.${run.attempt}${ENDING}`;
}

/** Returns the notes in `text`, or why there are none. Never throws. */
export function readChanges(text: string, file: string): ReadChanges {
	const unread = (kind: UnreadFile['kind'], why: string): ReadChanges => ({ unread: { file, kind, why } });
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return unread('truncated', text === '' ? 'the file is empty' : 'the file is no whole JSON');
	}
	const { kind, schemaVersion } = (value ?? {}) as Partial<Record<keyof ChangeNotes, unknown>>;
	if (kind !== 'benchgate-changes') return unread('foreign', 'the file has no notes of benchgate about changes');
	if (typeof schemaVersion === 'number' && schemaVersion > CHANGES_SCHEMA_VERSION) {
		return unread('newer', `schema version ${schemaVersion}; this one reads ${CHANGES_SCHEMA_VERSION}`);
	}
	if (validate(value)) return { changes: value };
	const [error] = validate.errors ?? [];
	return unread('foreign', plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT));
}
