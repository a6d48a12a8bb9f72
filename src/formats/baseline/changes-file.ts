import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { plainText } from '../../text/escape.ts';
import { CHANGE_STATES, CHANGES_SCHEMA_VERSION, type ChangeNotes } from '../../types/trend.ts';
import * as part from '../format-schema-parts.ts';
import { orderKeys, type SchemaNode } from '../order-keys.ts';
import type { UnreadFile } from './baseline-file.ts';
import { MOMENT, NAMED_COMMIT, RUN, SHA_OR_NULL, text } from './store-schema-parts.ts';

export type ReadChanges = { readonly changes: ChangeNotes } | { readonly unread: UnreadFile };

/** How the names of such files end. */
const ENDING = '-changes.json';
const QUOTE_LIMIT = 120;

/** JSON Schema (2020-12) of what the store keeps about changes. */
export const CHANGES_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate changes',
	...part.objectOf({
		schemaVersion: { const: CHANGES_SCHEMA_VERSION },
		kind: { const: 'benchgate-changes' },
		tool: part.ref('tool'),
		createdAt: MOMENT,
		run: RUN,
		notes: {
			...part.listOf(
				part.objectOf(
					{
						id: text(400, { description: 'row and first suspected commit: SERVER/SCENARIO METRIC @HASH12' }),
						state: { enum: CHANGE_STATES },
						by: text(100, { description: 'a login, proof or bisect' }),
						at: MOMENT,
						issue: { type: ['integer', 'null'], minimum: 1 },
						commit: { ...SHA_OR_NULL, description: 'the first bad commit, once a bisect has named it' },
						named: { ...NAMED_COMMIT, description: 'what the bisect found, and the duet that proved it' },
					},
					['commit', 'named'],
				),
			),
			maxItems: 2_000,
		},
	}),
	$defs: { tool: part.COMMON_DEFS.tool },
};

let validate: ValidateFunction<ChangeNotes> | undefined;

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
	validate ??= new Ajv2020({ allowUnionTypes: true }).compile<ChangeNotes>(CHANGES_SCHEMA);
	if (validate(value)) return { changes: value };
	const [error] = validate.errors ?? [];
	return unread('foreign', plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT));
}
