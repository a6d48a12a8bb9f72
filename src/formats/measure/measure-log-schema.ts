import { MEASURE_SCHEMA_VERSION } from '../../types/ranking/measure.ts';
import type { SchemaNode } from '../../types/schema.ts';
import * as part from '../format-schema-parts.ts';
import { MEASURE_DEFS } from './measure-schema-parts.ts';

const { NUMBER, TEXT, listOf, objectOf, ref } = part;

/** JSON Schema of one line of the log of a ranking. */
export const LINE_SCHEMA: SchemaNode = {
	$defs: MEASURE_DEFS,
	anyOf: [
		objectOf(
			{
				kind: { const: 'benchgate-measure-log' },
				schemaVersion: { const: MEASURE_SCHEMA_VERSION },
				tool: ref('tool'),
				createdAt: TEXT,
				seed: NUMBER,
				setup: ref('setup'),
				precision: NUMBER,
				shard: ref('rankingShard'),
			},
			['shard'],
		),
		objectOf(
			{
				kind: { const: 'session' },
				environment: ref('environment'),
				servers: listOf(ref('server')),
				unmeasured: listOf(ref('unmeasured')),
				reproduce: TEXT,
				precision: NUMBER,
			},
			['precision'],
		),
		objectOf({ kind: { const: 'samples' }, samples: listOf(ref('sample')) }),
		objectOf({ kind: { const: 'end' }, ended: ref('ended'), warnings: listOf(ref('warning')) }),
	],
};
