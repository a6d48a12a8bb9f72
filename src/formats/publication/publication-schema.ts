/** JSON Schema of the publication, in which every text and list has a limit. */

import { GATE_MODES, PUBLICATION_SCHEMA_VERSION } from '../../types/action-run.ts';
import { COMMENT_KEY, FULL_HASH } from '../../types/identifiers.ts';
import { RESULT_SCHEMA } from '../../types/result.ts';
import type { SchemaNode } from '../../types/schema.ts';
import * as part from '../format-schema-parts.ts';

const { FLAG, TEXT, listOf, objectOf, orNull, ref } = part;

/** Of runs and attempts: GitHub counts from 1. */
const ID = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** Most a publication may hold. What benchgate writes stays far below; beyond it somebody else wrote it. */
export const PUBLICATION_LIMITS = {
	/** UTF-8 bytes of the whole text. */
	bytes: 20_000_000,
	/** Objects and lists inside each other. */
	depth: 16,
	/** Values, keys not counted. */
	values: 1_000_000,
	/** Cells, warnings, reasons: entries of any one list. */
	entries: 2_000,
	/** Warnings of one cell: every one of a different kind is a footnote. */
	cellWarnings: 12,
	/** Packages of one server, servers of one side. */
	keys: 5_000,
	/** Size of a number: a benchmark has none beyond, and reports write those below digit by digit. */
	magnitude: 1e16,
} as const;

/** Characters of names, labels, codes, versions and whatever else is not in TEXT_LIMITS. */
const NAME_LIMIT = 1_000;
/** Characters of longer texts, by the property they stand in. */
const TEXT_LIMITS: ReadonlyMap<string, number> = new Map([
	['message', 10_000],
	['reasons', 10_000],
	['remedy', 10_000],
	['reproduce', 20_000],
	['details', 50_000],
]);

const CONCLUSION: SchemaNode = {
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: [
		objectOf({ kind: { const: 'compared' }, result: ref('result') }),
		objectOf({ kind: { const: 'unchanged' }, base: objectOf({ label: TEXT }), head: objectOf({ label: TEXT }) }),
		objectOf({
			kind: { const: 'failed' },
			failure: objectOf({
				code: TEXT,
				side: part.SIDE_OR_NULL,
				message: TEXT,
				where: orNull(TEXT),
				remedy: orNull(TEXT),
				details: orNull(TEXT),
				usage: FLAG,
			}),
		}),
		objectOf({ kind: { const: 'cancelled' } }),
	],
};

const { $schema, $defs = {}, title: _title, ...RESULT } = RESULT_SCHEMA;

/**
 * JSON Schema (2020-12, with ajv's `discriminator`) of `publication.json`: the published schema of the result inside a few
 * facts about the run. Closed, unlike that one: every object to keys it does not name, every text and list to a length.
 */
export const PUBLICATION_SCHEMA: SchemaNode = {
	$schema,
	title: 'benchgate publication',
	...bound(
		objectOf(
			{
				schemaVersion: { const: PUBLICATION_SCHEMA_VERSION },
				kind: { const: 'benchgate-publication' },
				run: objectOf({ id: ID, attempt: ID }),
				headSha: { ...TEXT, pattern: `^${FULL_HASH}$` },
				commentKey: { ...TEXT, pattern: `^${COMMENT_KEY}$` },
				gate: { enum: GATE_MODES },
				onInconclusive: part.POLICY,
				conclusion: CONCLUSION,
				warnings: listOf(ref('warning')),
			},
			['run'],
		),
	),
	$defs: mapValues({ ...$defs, cell: fewerWarnings($defs.cell), result: RESULT }, (schema) => bound(schema)),
};

function fewerWarnings({ properties, ...cell }: SchemaNode = {}): SchemaNode {
	const warnings = { ...properties?.warnings, maxItems: PUBLICATION_LIMITS.cellWarnings };
	return { ...cell, properties: { ...properties, warnings } };
}

/** Every key the schema names: what may be quoted of a path into a publication nobody vouches for. */
export const PUBLICATION_KEYS: ReadonlySet<string> = new Set(namesIn(PUBLICATION_SCHEMA));

function namesIn(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	const { properties = {} } = schema as SchemaNode;
	return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** Returns `schema` closed: no unknown keys, and a most of everything. `name` is the property its value stands in. */
function bound(schema: SchemaNode, name = ''): SchemaNode {
	const { properties, items, additionalProperties: values } = schema;
	const { entries, keys } = PUBLICATION_LIMITS;
	const inner = (each: SchemaNode): SchemaNode => bound(each, name);
	return {
		...schema,
		...(schema.type === 'string' && { maxLength: TEXT_LIMITS.get(name) ?? NAME_LIMIT }),
		...(typeof items === 'object' && { maxItems: schema.maxItems ?? entries, items: inner(items) }),
		...(properties && { additionalProperties: false, properties: mapValues(properties, bound) }),
		...(typeof values === 'object' && {
			maxProperties: keys,
			propertyNames: { maxLength: NAME_LIMIT },
			additionalProperties: inner(values),
		}),
		...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
		...(Array.isArray(schema.oneOf) && { oneOf: schema.oneOf.map(inner) }),
	};
}

function mapValues(
	map: Readonly<Record<string, SchemaNode>>,
	change: (schema: SchemaNode, name: string) => SchemaNode,
): Record<string, SchemaNode> {
	return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, change(schema, name)]));
}
