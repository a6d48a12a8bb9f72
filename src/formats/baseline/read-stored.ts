/** Paths and parsing of all files of the store. Parsing never throws: one bad file must not hide others. */
import { plainText } from '../../text/escape.ts';
import { findExcess } from '../json-scan.ts';
import type { Validator } from '../validator-of.ts';

export interface Unreadable {
	/** `truncated`: invalid JSON. `foreign`: another kind or shape. `newer`: a later benchgate wrote it. */
	readonly kind: 'truncated' | 'foreign' | 'newer';
	/** Without a full stop. */
	readonly why: string;
}

export interface StoredKind<T> {
	/** Value of its key `kind`. */
	readonly kind: string;
	/** Newest supported schema version. */
	readonly version: number;
	/** Error message for another kind. */
	readonly otherwise: string;
	readonly validate: Validator<T>;
}

/** Per file, checked before storing or reading. A record of 5,000 rows is 4 MB. */
export const STORED_LIMITS = { bytes: 4 * 1024 * 1024, depth: 12, values: 500_000 } as const;

const QUOTE_LIMIT = 120;

/** Returns the parsed value, or why the text is invalid. */
export function readStored<T>(text: string, wanted: StoredKind<T>): { readonly value: T } | Unreadable {
	const excess = findExcess(text, STORED_LIMITS);
	if (excess !== null) return { kind: 'foreign', why: excess };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { kind: 'truncated', why: text === '' ? 'the file is empty' : 'the file is not complete JSON' };
	}
	const { kind, schemaVersion, tool } = (value ?? {}) as Readonly<Record<string, unknown>>;
	if (kind !== wanted.kind) return { kind: 'foreign', why: wanted.otherwise };
	if (typeof schemaVersion === 'number' && schemaVersion > wanted.version) {
		const why = `written by ${nameWriter(tool)} with schema version ${schemaVersion}; this one reads ${wanted.version}`;
		return { kind: 'newer', why };
	}
	const { validate } = wanted;
	if (validate(value)) return { value };
	const [error] = validate.errors ?? [];
	return {
		kind: 'foreign',
		why: plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT),
	};
}

function nameWriter(tool: unknown): string {
	const { version } = (tool ?? {}) as { readonly version?: unknown };
	return typeof version === 'string' ? `benchgate ${plainText(version, QUOTE_LIMIT)}` : 'a newer benchgate';
}

export function placeInStore(moment: string, name: string): string {
	const stamp = `${moment.slice(0, 19).replace(/[-:]/g, '')}Z`;
	return `${moment.slice(0, 4)}/${moment.slice(5, 7)}/${stamp}-${name}`;
}
