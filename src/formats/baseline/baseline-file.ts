import { BASELINE_SCHEMA, BASELINE_SCHEMA_VERSION, type BaselineRecord } from '../../types/baseline.ts';
import { fitToSchema } from '../fit-to-schema.ts';
import { orderKeys } from '../order-keys.ts';
import { validate } from './baseline-validator.ts';
import { placeInStore, readStored, type Unreadable } from './read-stored.ts';

/** An unreadable file of the store. It is kept, because another version may read it. */
export interface UnreadFile extends Unreadable {
	readonly file: string;
}

export type ReadBaseline = { readonly record: BaselineRecord } | { readonly unread: UnreadFile };

/** Digits of the commit's hash and the machine's digest in a file name. */
const SHA_DIGITS = 12;
const ENVIRONMENT_DIGITS = 8;

/** Cuts texts and lists to the store's limits, because the store would refuse a record with a long name. */
export function fitBaseline(record: BaselineRecord): BaselineRecord {
	return fitToSchema(record, BASELINE_SCHEMA, BASELINE_SCHEMA) as BaselineRecord;
}

/** Returns one line of JSON, keys in schema order, ending in a line feed. */
export function renderBaseline(record: BaselineRecord): string {
	return `${JSON.stringify(orderKeys(record, BASELINE_SCHEMA, BASELINE_SCHEMA))}\n`;
}

export function renderBaselines(records: readonly BaselineRecord[]): string {
	return records.map(renderBaseline).join('');
}

/** Returns the record in `text`, or why it is invalid. Never throws, so one bad file does not hide others. */
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
 * Returns a record's path in the store: `2026/11/20261122T045900Z-1a2b3c4d5e6f-ENVIRONM-RUN.ATTEMPT-PURPOSE.json`.
 * Unique per run, so files are only ever added.
 */
export function baselinePath(
	record: Pick<BaselineRecord, 'createdAt' | 'commit' | 'anchor' | 'environmentId' | 'run' | 'purpose'>,
): string {
	const { createdAt, commit, environmentId, run, purpose } = record;
	const sha = (commit.sha ?? nameOf(commit.label)).slice(0, SHA_DIGITS);
	const name = `${sha}-${environmentId.slice(0, ENVIRONMENT_DIGITS)}-${run.id}.${run.attempt}`;
	return placeInStore(createdAt, `${name}${purpose === 'level' ? '' : `-${purpose}`}.json`);
}

function nameOf(label: string): string {
	return label.replace(/[^A-Za-z0-9.]+/g, '').toLowerCase() || 'unnamed';
}
