/** JSON Schema of what every file of the store has. */
import { FULL_HASH } from '../../types/identifiers.ts';
import { COUNT, METRIC, NUMBER_OR_NULL, objectOf, TEXT, TEXT_OR_NULL } from '../format-schema-parts.ts';

/** Returns the schema of a text that is no longer than that: titles, names and warnings are shorter by far. */
export const text = (maxLength: number, more: object = {}) => ({ ...TEXT, maxLength, ...more });
const SHA_PATTERN = `^${FULL_HASH}$`;
export const SHA = { ...TEXT, pattern: SHA_PATTERN };
export const SHA_OR_NULL = { ...TEXT_OR_NULL, pattern: SHA_PATTERN };
/** A server or a scenario. */
export const NAME = text(64, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
export const MOMENT = {
	...TEXT,
	pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z$',
	description: 'ISO 8601, UTC',
};
/** The workflow run that wrote it. */
export const RUN = objectOf({
	id: text(40, { pattern: '^[0-9A-Za-z]+$' }),
	attempt: { ...COUNT, maximum: 100_000 },
	url: { ...TEXT_OR_NULL, maxLength: 500 },
});

const CHANGE = { ...NUMBER_OR_NULL, description: 'fraction: −0.03 is −3 %' };

/** What a bisect found. */
export const NAMED_COMMIT = objectOf({
	before: { ...SHA, description: 'last commit before it that could be measured' },
	commit: { ...SHA, description: 'first bad commit; with skipped ones the last that it may be' },
	skipped: { ...COUNT, maximum: 1_000_000, description: 'commits between the two, which could not be measured' },
	title: text(200, { description: 'first line of its message' }),
	probability: { type: 'number', minimum: 0, maximum: 1 },
	judgedBy: METRIC,
	change: CHANGE,
	low: CHANGE,
	high: CHANGE,
	rounds: { ...COUNT, maximum: 1_000_000 },
});
