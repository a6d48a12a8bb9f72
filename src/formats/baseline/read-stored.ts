/** What all files of the store share: where they lie, and how they are read. Nothing is thrown: one bad file must not hide others. */
import { plainText } from '../../text/escape.ts';
import { findExcess } from '../publication/publication-scan.ts';
import type { Validator } from '../validator-of.ts';

/** Why a text is not what it should be. */
export interface Unreadable {
	/** `truncated`: no JSON. `foreign`: of another kind, or of a wrong shape. `newer`: written by a later version of benchgate. */
	readonly kind: 'truncated' | 'foreign' | 'newer';
	/** What is wrong, without a full stop. */
	readonly why: string;
}

/** What a file has to be. */
export interface StoredKind<T> {
	/** Its key `kind`. */
	readonly kind: string;
	/** The newest version of its schema that is read. */
	readonly version: number;
	/** What is said of a file of another kind. */
	readonly otherwise: string;
	/** Whether a value has its shape. */
	readonly validate: Validator<T>;
}

/** Most that one file of a store holds, or one that is to be stored. A record of 5,000 rows is 4 MB. */
export const STORED_LIMITS = { bytes: 4 * 1024 * 1024, depth: 12, values: 500_000 } as const;

const QUOTE_LIMIT = 120;

/** Returns what `text` holds, or why it holds nothing of that kind. */
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

/** Returns where a file of that moment (ISO 8601) and name lies in the store: `2026/11/20261122T045900Z-NAME`. */
export function placeInStore(moment: string, name: string): string {
	const stamp = `${moment.slice(0, 19).replace(/[-:]/g, '')}Z`;
	return `${moment.slice(0, 4)}/${moment.slice(5, 7)}/${stamp}-${name}`;
}
