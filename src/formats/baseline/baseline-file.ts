import { plainText } from '../../text/escape.ts';
import { BASELINE_SCHEMA_VERSION, type BaselineRecord } from '../../types/baseline.ts';
import { orderKeys } from '../order-keys.ts';
import { BASELINE_SCHEMA } from './baseline-schema.ts';
import { validate } from './baseline-validator.ts';

/** A file of the store that cannot be read as a record. It is kept as it is: another version may read it. */
export interface UnreadFile {
	readonly file: string;
	/** `truncated`: no JSON. `foreign`: of another kind, or of a wrong shape. `newer`: written by a later version of benchgate. */
	readonly kind: 'truncated' | 'foreign' | 'newer';
	/** What is wrong, without a full stop. */
	readonly why: string;
}

export type ReadBaseline = { readonly record: BaselineRecord } | { readonly unread: UnreadFile };

/** Characters of a commit's hash, and of the machine's digest, in a file's name. */
const SHA_DIGITS = 12;
const ENVIRONMENT_DIGITS = 8;
const QUOTE_LIMIT = 120;

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
	const unread = (kind: UnreadFile['kind'], why: string): ReadBaseline => ({ unread: { file, kind, why } });
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return unread('truncated', text === '' ? 'the file is empty' : 'the file is no whole JSON');
	}
	const { kind, schemaVersion, tool } = (value ?? {}) as Partial<Record<keyof BaselineRecord, unknown>>;
	if (kind !== 'benchgate-baseline') return unread('foreign', 'the file is no baseline of benchgate');
	if (typeof schemaVersion === 'number' && schemaVersion > BASELINE_SCHEMA_VERSION) {
		const { version } = (tool ?? {}) as { readonly version?: unknown };
		const writer = typeof version === 'string' ? `benchgate ${plainText(version, QUOTE_LIMIT)}` : 'a newer benchgate';
		return unread(
			'newer',
			`written by ${writer} with schema version ${schemaVersion}; this one reads ${BASELINE_SCHEMA_VERSION}`,
		);
	}
	if (validate(value)) return { record: value };
	const [error] = validate.errors ?? [];
	return unread('foreign', plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT));
}

/**
 * Returns where a record lies in the store: `2026/11/20261122T045900Z-1a2b3c4d5e6f-ENVIRONM-RUN.ATTEMPT-PURPOSE.json`. No two runs
 * give the same name, so that files are only ever added.
 */
export function baselinePath(
	record: Pick<BaselineRecord, 'createdAt' | 'commit' | 'anchor' | 'environmentId' | 'run' | 'purpose'>,
): string {
	const { createdAt, commit, environmentId, run, purpose } = record;
	const moment = `${createdAt.slice(0, 19).replace(/[-:]/g, '')}Z`;
	const sha = (commit.sha ?? nameOf(commit.label)).slice(0, SHA_DIGITS);
	const name = `${moment}-${sha}-${environmentId.slice(0, ENVIRONMENT_DIGITS)}-${run.id}.${run.attempt}`;
	return `${createdAt.slice(0, 4)}/${createdAt.slice(5, 7)}/${name}${purpose === 'level' ? '' : `-${purpose}`}.json`;
}

/** A label without what file names cannot hold. */
function nameOf(label: string): string {
	return label.replace(/[^A-Za-z0-9.]+/g, '').toLowerCase() || 'unnamed';
}
