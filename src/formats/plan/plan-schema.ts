import { DRIFT_POLICIES } from '../../types/config.ts';
import type { SchemaNode } from '../../types/schema.ts';
import { COST_SOURCES, MOST_SHARDS, PLAN_SCHEMA_VERSION } from '../../types/shards.ts';
import * as part from '../format-schema-parts.ts';
import { CELLS, LIMITS, LOOKS, ONE_SIDED } from '../plan-schema-parts.ts';

const { COUNT, FLAG, NUMBER, SECONDS, TEXT, listOf, mapOf, objectOf, ref } = part;

const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;

/** JSON Schema (2020-12) of what `benchgate plan` writes and every shard reads. */
export const PLAN_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate plan',
	...objectOf(
		{
			schemaVersion: { const: PLAN_SCHEMA_VERSION },
			kind: { const: 'benchgate-plan' },
			tool: ref('tool'),
			createdAt: { ...TEXT, description: 'ISO 8601' },
			planHash: { ...HASH, description: 'SHA-256 of everything else, keys in order' },
			seed: NUMBER,
			design: part.DESIGN,
			metrics: { ...listOf(part.METRIC), minItems: 1 },
			m: { ...COUNT, minimum: 1, description: 'rows of the one family: cells × metrics' },
			looks: {
				...LOOKS,
				minItems: 1,
				maxItems: 100,
			},
			budget: { ...SECONDS, description: 'longest time each shard may measure' },
			threshold: NUMBER,
			tolerance: NUMBER,
			gate: objectOf(
				{
					onInconclusive: part.POLICY,
					metrics: listOf(part.METRIC),
					enforceAfter: TEXT,
					drift: { enum: DRIFT_POLICIES },
					driftThreshold: NUMBER,
					margins: mapOf(objectOf(LIMITS)),
				},
				['enforceAfter', 'drift', 'driftThreshold', 'margins'],
			),
			configHash: HASH,
			base: ref('side'),
			head: ref('side'),
			options: { ...mapOf(TEXT), description: 'options of compare as they were typed, with the seed' },
			cells: { ...CELLS, minItems: 1, maxItems: 500 },
			oneSided: ONE_SIDED,
			shards: {
				...listOf(objectOf({ index: { ...COUNT, minimum: 1 }, cells: listOf(TEXT), expectedSeconds: SECONDS })),
				minItems: 1,
				maxItems: MOST_SHARDS,
			},
			costs: objectOf({
				source: { enum: COST_SOURCES },
				cells: { ...mapOf(SECONDS), description: 'cell → all its rounds' },
				servers: { ...mapOf(SECONDS), description: 'server → starting and first warm-up, over all rounds' },
				setup: { ...SECONDS, description: 'of a machine before it measures' },
			}),
			skipUnchanged: {
				const: true,
				description: 'servers that run the same packed code on both sides are not measured',
			},
			run: {
				...objectOf(
					{
						id: TEXT,
						attempt: { ...COUNT, minimum: 1 },
						tip: { ...TEXT, description: 'commit whose config applies' },
						adopting: FLAG,
						mayBeUnchanged: FLAG,
						ordered: { const: true, description: 'a comment asked for it, beside the gate' },
						warnings: { ...listOf(objectOf({ code: TEXT, message: TEXT })), maxItems: 100 },
					},
					['tip', 'ordered'],
				),
				description: 'the run of a workflow that made it',
			},
		},
		['skipUnchanged', 'run'],
	),
	$defs: {
		tool: part.COMMON_DEFS.tool,
		side: objectOf(
			{
				revision: { ...TEXT, description: 'as the user typed it' },
				kind: { enum: ['git', 'dir', 'npm', 'file'] },
				label: TEXT,
				content: { ...TEXT, description: 'equal for equal code' },
				sha: TEXT,
			},
			['sha'],
		),
	},
};
