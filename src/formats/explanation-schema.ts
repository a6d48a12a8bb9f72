import { EXPLANATION_SCHEMA } from '../types/explain.ts';
import { limited } from '../types/schema.ts';
import { bound } from './publication/publication-schema.ts';

/** Far above what benchgate writes: a row has some 100 kB. */
export const EXPLANATION_LIMITS = {
	/** UTF-8 bytes of the whole text. */
	bytes: 20_000_000,
	/** Likewise, of one row. */
	rowBytes: 5_000_000,
	depth: 16,
	values: 1_000_000,
} as const;

const { $defs = {} } = EXPLANATION_SCHEMA;

/** Unlike the published schema, it refuses unknown keys, and limits every text and list. */
export const BOUND_EXPLANATION = limited(bound(EXPLANATION_SCHEMA), {
	$defs: Object.fromEntries(Object.entries($defs).map(([name, schema]) => [name, bound(schema)])),
});
