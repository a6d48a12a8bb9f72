/** Writes the publication, and reads it as untrusted text. */
import type { ErrorObject } from 'ajv';
import { PUBLICATION_SCHEMA_VERSION, type Publication } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { fitToSchema } from '../fit-to-schema.ts';
import { findExcess, findOddity } from '../json-scan.ts';
import { PUBLICATION_KEYS, PUBLICATION_SCHEMA } from './publication-schema.ts';
import { validate } from './publication-validator.ts';

const INDEX = /^\d{1,7}$/;
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[a-z0-9.]{1,20})?$/;
/** Replace messages of ajv that would quote the artifact. Its other messages quote only values of the schema. */
const WORDS: Readonly<Record<string, string>> = {
	additionalProperties: 'there is a key that benchgate does not write',
	propertyNames: 'there is a key that is too long',
	pattern: 'the text does not have the form it must have',
	const: 'the value is not the only one allowed here',
	enum: 'the value is not one of the allowed words',
	discriminator: 'there is no such kind of conclusion',
};

/** Returns one line of JSON, which ends in a line feed. Texts and lists are cut to the schema's limits. */
export function renderPublication(publication: Publication): string {
	return `${JSON.stringify(fitToSchema(publication, PUBLICATION_SCHEMA, PUBLICATION_SCHEMA))}\n`;
}

/**
 * Parses an untrusted publication. It checks only shape and sizes: texts stay hostile, so escape them. The gate is
 * unverified: the reporting job uses `receivePublication`, which recomputes it.
 *
 * @throws UserError `bad-artifact` with the place; `artifact-version` for another schema version, with the benchgate
 * version that reads it.
 */
export function readPublication(text: string): Publication {
	const excess = findExcess(text);
	if (excess) throw badPublication('', excess);
	const value = parseJson(text);
	checkVersion(value);
	const oddity = findOddity(value);
	if (oddity) throw badPublication(oddity.path, `the value ${oddity.what}`);
	if (!validate(value)) throw describe(validate.errors?.[0]);
	return value;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The parser's own message would quote the text.
		throw badPublication('', 'it is not JSON');
	}
}

function checkVersion(value: unknown): void {
	if (ownValue(value, 'kind') !== 'benchgate-publication') {
		throw badPublication('/kind', 'it is not a publication of benchgate');
	}
	const version = ownValue(value, 'schemaVersion');
	if (version === PUBLICATION_SCHEMA_VERSION) return;
	if (!Number.isSafeInteger(version)) throw badPublication('/schemaVersion', 'there is no schema version');
	const writer = ['conclusion', 'result', 'tool', 'version'].reduce(ownValue, value);
	const reader =
		typeof writer === 'string' && VERSION.test(writer) ? `benchgate ${writer}` : 'the version that wrote it';
	throw new UserError({
		code: 'artifact-version',
		where: `${PUBLICATION_FILE}: /schemaVersion`,
		message: `the artifact has schema version ${version}; this benchgate reads version ${PUBLICATION_SCHEMA_VERSION}`,
		remedy: `use one version of benchgate in the measuring and in the reporting workflow; ${reader} reads this artifact`,
	});
}

function ownValue(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}

function describe(error: ErrorObject | undefined): UserError {
	const { keyword = '', instancePath = '', message = 'it has another shape' } = error ?? {};
	return badPublication(instancePath, WORDS[keyword] ?? message);
}

function badPublication(path: string, what: string): UserError {
	const keys = path.split('/').slice(1);
	// Other keys come from the artifact, e.g. names of packages.
	const plain = keys.map((key) => (PUBLICATION_KEYS.has(key) || INDEX.test(key) ? key : '*'));
	return badArtifact(plain.length === 0 ? PUBLICATION_FILE : `${PUBLICATION_FILE}: /${plain.join('/')}`, what);
}

/** Returns the error for a refused artifact. `where` and `what` must not quote the artifact. */
export function badArtifact(where: string, what: string): UserError {
	return new UserError({
		code: 'bad-artifact',
		where,
		message: `the artifact of the measuring run was refused: ${what}`,
		remedy:
			'look at what that run did: benchgate does not write such an artifact, so a step or the code under test has',
	});
}
