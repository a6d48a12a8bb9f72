import type { SchemaNode } from '../../types/schema.ts';
import { BISECTED_SCHEMA_VERSION } from '../../types/trend.ts';
import * as part from '../format-schema-parts.ts';
import { MOMENT, NAME, NAMED_COMMIT, RUN, SHA } from './store-schema-parts.ts';

/** JSON Schema (2020-12) of what a bisect hands on. */
export const BISECTED_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate bisected',
	...part.objectOf({
		schemaVersion: { const: BISECTED_SCHEMA_VERSION },
		kind: { const: 'benchgate-bisected' },
		tool: part.ref('tool'),
		createdAt: MOMENT,
		run: RUN,
		server: NAME,
		scenario: NAME,
		metric: part.METRIC,
		good: SHA,
		bad: SHA,
		step: part.NUMBER,
		named: NAMED_COMMIT,
	}),
	$defs: { tool: part.COMMON_DEFS.tool },
};
