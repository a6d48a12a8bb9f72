import { BASELINE_SCHEMA, BASELINE_SCHEMA_VERSION, type BaselineRecord } from '../../types/baseline.ts';
import { fitToSchema } from '../fit-to-schema.ts';
import { orderKeys } from '../order-keys.ts';
import { validate } from './baseline-validator.ts';
import { placeInStore, readStored, type Unreadable } from './read-stored.ts';

/** A file of the store that cannot be read as a record. It is kept as it is: another version may read it. */
export interface UnreadFile extends Unreadable {
	readonly file: string;
}

export type ReadBaseline = { readonly record: BaselineRecord } | { readonly unread: UnreadFile };

/** Characters of a commit's hash, and of the machine's digest, in a file's name. */
const SHA_DIGITS = 12;
const ENVIRONMENT_DIGITS = 8;

/**
 * Returns a record with its texts and lists cut to what a store takes: whoever writes a commit chooses how long its author's name is,
 * and a record that is refused is lost.
 */
export function fitBaseline(record: BaselineRecord): BaselineRecord {
	return fitToSchema(record, BASELINE_SCHEMA, BASELINE_SCHEMA) as BaselineRecord;
}

/** Returns a record as one line of JSON ending in a line feed, keys in the order of the schema. */
export function renderBaseline(record: BaselineRecord): string {
	return `${JSON.stringify(orderKeys(record, BASELINE_SCHEMA, BASELINE_SCHEMA))}\n`;
}

/** Returns records as lines, which `benchgate baseline import` reads again; empty for none. */
export function renderBaselines(records: readonly BaselineRecord[]): string {
	return records.map(renderBaseline).join('');
}

/** Returns the record in `text`, or why it is none. Never throws: one bad file must not hide the others. */
export function readBaseline(text: string, file: string): ReadBaseline {
	const read = readStored<BaselineRecord>(text, {
		kind: 'benchgate-baseline',
		version: BASELINE_SCHEMA_VERSION,
		otherwise: 'the file is not a baseline of benchgate',
		validate,
	});
	return 'value' in read ? { record: read.value } : { unread: { file, ...read } };
}

/**
 * Returns where a record lies in the store: `2026/11/20261122T045900Z-1a2b3c4d5e6f-ENVIRONM-RUN.ATTEMPT-PURPOSE.json`. No two runs
 * give the same name, so that files are only ever added.
 */
export function baselinePath(
	record: Pick<BaselineRecord, 'createdAt' | 'commit' | 'anchor' | 'environmentId' | 'run' | 'purpose'>,
): string {
	const { createdAt, commit, environmentId, run, purpose } = record;
	const sha = (commit.sha ?? nameOf(commit.label)).slice(0, SHA_DIGITS);
	const name = `${sha}-${environmentId.slice(0, ENVIRONMENT_DIGITS)}-${run.id}.${run.attempt}`;
	return placeInStore(createdAt, `${name}${purpose === 'level' ? '' : `-${purpose}`}.json`);
}

/** A label without what file names cannot hold. */
function nameOf(label: string): string {
	return label.replace(/[^A-Za-z0-9.]+/g, '').toLowerCase() || 'unnamed';
}
