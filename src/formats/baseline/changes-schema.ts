import type { SchemaNode } from '../../types/schema.ts';
import { CHANGE_STATES, CHANGES_SCHEMA_VERSION } from '../../types/trend.ts';
import * as part from '../format-schema-parts.ts';
import { MOMENT, NAMED_COMMIT, RUN, SHA_OR_NULL, text } from './store-schema-parts.ts';

/** JSON Schema (2020-12) of what the store keeps about changes. */
export const CHANGES_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate changes',
	...part.objectOf({
		schemaVersion: { const: CHANGES_SCHEMA_VERSION },
		kind: { const: 'benchgate-changes' },
		tool: part.ref('tool'),
		createdAt: MOMENT,
		run: RUN,
		notes: {
			...part.listOf(
				part.objectOf(
					{
						id: text(400, { description: 'row and first suspected commit: SERVER/SCENARIO METRIC @HASH12' }),
						state: { enum: CHANGE_STATES },
						by: text(100, { description: 'a login, proof or bisect' }),
						at: MOMENT,
						issue: { type: ['integer', 'null'], minimum: 1 },
						commit: { ...SHA_OR_NULL, description: 'the first bad commit, once a bisect has named it' },
						named: { ...NAMED_COMMIT, description: 'what the bisect found, and the duet that proved it' },
					},
					['commit', 'named'],
				),
			),
			maxItems: 2_000,
		},
	}),
	$defs: { tool: part.COMMON_DEFS.tool },
};
