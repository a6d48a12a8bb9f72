import type { ErrorObject } from 'ajv';
import { plainText } from '../../text/escape.ts';
import { UserError } from '../../types/errors.ts';
import { RAW_SCHEMA, RAW_SCHEMA_VERSION, type Raw } from '../../types/result.ts';
import { ROUND, type Round } from '../../types/round.ts';
import { findExcess } from '../json-scan.ts';
import { orderKeys } from '../order-keys.ts';
import { findRawExcess, RAW_LIMITS } from './raw-limits.ts';
import { validate } from './raw-validator.ts';

const QUOTE_LIMIT = 80;

/** Returns one line of JSON ending in a line feed; `parseRaw` restores numbers bit for bit. */
export function renderRaw(raw: Raw): string {
	return [...renderRawPieces(raw)].join('');
}

/** Returns the same text by rounds, to avoid copying a gathered run. */
export function* renderRawPieces(raw: Raw): Generator<string> {
	const ordered = orderKeys({ ...raw, rounds: [] }, RAW_SCHEMA, RAW_SCHEMA) as Raw;
	let before = '{';
	for (const [key, value] of Object.entries(ordered)) {
		if (value === undefined) continue;
		yield `${before}${JSON.stringify(key)}:`;
		if (key === 'rounds') yield* renderRounds(raw.rounds);
		else yield JSON.stringify(value);
		before = ',';
	}
	yield '}\n';
}

/** A run writes its file anew after each round; to render all rounds again would leave more garbage than the run. */
const TEXTS = new WeakMap<Round, string>();

function* renderRounds(rounds: Raw['rounds']): Generator<string> {
	let before = '[';
	for (const round of rounds) {
		const text = TEXTS.get(round) ?? JSON.stringify(orderKeys(round, ROUND, RAW_SCHEMA));
		TEXTS.set(round, text);
		yield `${before}${text}`;
		before = ',';
	}
	yield rounds.length === 0 ? '[]' : ']';
}

/**
 * Parses and validates raw data. `where` (the file's name) and `version` (of this benchgate) are for messages. Throws
 * UserError for invalid JSON, another kind of file, a wrong shape (with its JSON path), counts beyond RAW_LIMITS, and
 * another schema version (with the version that reads it).
 */
export function parseRaw(text: string, where = 'raw file', version?: string): Raw {
	const excess = findExcess(text, RAW_LIMITS);
	if (excess !== null) throw badShape(where, excess);
	const value = parseJson(text, where);
	checkKind(value, where);
	checkVersion(value as Partial<Raw>, where, version);
	if (!validate(value)) {
		const path = validate.errors?.[0]?.instancePath || '/';
		throw badShape(`${where}: ${plainText(path, QUOTE_LIMIT)}`, describe(validate.errors?.[0]));
	}
	const surplus = findRawExcess(value);
	if (surplus !== null) throw badShape(where, surplus);
	return value;
}

function badShape(where: string, what: string): UserError {
	return new UserError({
		code: 'raw-shape',
		where,
		message: `the raw data are not as benchgate writes them: ${what}`,
		remedy: 'use the file exactly as `benchgate compare --raw` wrote it',
	});
}

function parseJson(text: string, where: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		const reason = cause instanceof Error ? plainText(cause.message, 2 * QUOTE_LIMIT) : 'unreadable';
		throw new UserError({
			code: 'raw-not-json',
			where,
			message: `the file is not JSON (${reason}); perhaps it was cut off while being copied`,
			remedy: 'use the file exactly as `benchgate compare --raw` wrote it',
			cause,
		});
	}
}

function checkKind(value: unknown, where: string): void {
	const { kind } = (value ?? {}) as Partial<Record<keyof Raw, unknown>>;
	if (kind !== 'benchgate-raw') {
		throw new UserError({
			code: 'raw-kind',
			where: `${where}: /kind`,
			message: 'the file does not contain raw windows of benchgate',
			remedy: 'give a file written by `benchgate compare --raw`; the one written by --json has no windows in it',
		});
	}
}

/** Needs no quotes in a shell. */
const PLAIN_VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
/** Needs no quotes in a shell. */
const PLAIN_FILE = /^[\w./][\w./-]*$/;

function checkVersion(raw: Partial<Record<keyof Raw, unknown>>, where: string, ownVersion: string | undefined): void {
	const { schemaVersion, context } = raw;
	if (schemaVersion === RAW_SCHEMA_VERSION) return;
	const writer = (context as Partial<Raw['context']> | null | undefined)?.tool?.version;
	const writerVersion = typeof writer === 'string' ? writer : null;
	const by =
		writerVersion === null ? 'an unknown version of benchgate' : `benchgate ${plainText(writerVersion, QUOTE_LIMIT)}`;
	const reader = ownVersion === undefined ? 'this benchgate' : `this is benchgate ${ownVersion}, which`;
	throw new UserError({
		code: 'raw-version',
		where: `${where}: /schemaVersion`,
		message: `the file was written by ${by} with schema version ${plainText(String(JSON.stringify(schemaVersion)), QUOTE_LIMIT)}; ${reader} reads version ${RAW_SCHEMA_VERSION}`,
		remedy: howToRead(writerVersion, where, ownVersion),
	});
}

function howToRead(writer: string | null, file: string, ownVersion: string | undefined): string {
	if (writer !== null && writer === ownVersion) return 'use the file exactly as `benchgate compare --raw` wrote it';
	if (writer === null || !PLAIN_VERSION.test(writer)) return 'judge it with the version of benchgate that wrote it';
	return `run npx benchgate@${writer} judge ${PLAIN_FILE.test(file) ? file : 'FILE'}`;
}

function describe(error: ErrorObject | undefined): string {
	if (!error) return 'unknown difference';
	const allowed = error.params.allowedValues ?? error.params.allowedValue;
	const detail = allowed === undefined ? '' : ` ${JSON.stringify(allowed)}`;
	return `${plainText(error.message ?? error.keyword, 2 * QUOTE_LIMIT)}${detail}`;
}
