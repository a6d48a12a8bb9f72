/** JSON Schema of what every file of the store has. */
import { COUNT, objectOf, TEXT, TEXT_OR_NULL } from '../format-schema-parts.ts';

/** Returns the schema of a text that is no longer than that: titles, names and warnings are shorter by far. */
export const text = (maxLength: number, more: object = {}) => ({ ...TEXT, maxLength, ...more });
export const SHA_OR_NULL = { ...TEXT_OR_NULL, pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' };
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
