/** JSON Schema of the publication, with limits on every text and list. */

import { PUBLICATION } from '../../types/action-run.ts';
import { RESULT, RESULT_SCHEMA } from '../../types/result.ts';
import { limited, type SchemaNode } from '../../types/schema.ts';
import { LARGEST_NUMBER } from '../../types/units.ts';

/** Far above any publication that benchgate writes. */
export const PUBLICATION_LIMITS = {
	/** UTF-8 bytes of the whole text. */
	bytes: 20_000_000,
	/** Nested objects and lists. */
	depth: 16,
	/** Without keys. */
	values: 1_000_000,
	/** Entries of any one list: cells, warnings, reasons. */
	entries: 2_000,
	/** Small, because each kind is a footnote. */
	cellWarnings: 12,
	/** Keys of one object: packages of a server, servers of a side. */
	keys: 5_000,
	magnitude: LARGEST_NUMBER,
} as const;

/** Characters of any text not in TEXT_LIMITS. */
const NAME_LIMIT = 1_000;
/** Characters by property. */
const TEXT_LIMITS: ReadonlyMap<string, number> = new Map([
	['message', 10_000],
	['reasons', 10_000],
	['sentence', 10_000],
	['remedy', 10_000],
	['reproduce', 20_000],
	['details', 50_000],
]);

const { $schema, $defs = {} } = RESULT_SCHEMA;

/**
 * JSON Schema (2020-12, with ajv's `discriminator`) of `publication.json`: the result's schema and facts about the run.
 * Unlike the published schema it refuses unknown keys, and it limits every text and list.
 */
export const PUBLICATION_SCHEMA = limited(bound(PUBLICATION), {
	$schema,
	title: 'benchgate publication',
	$defs: mapValues({ ...$defs, cell: fewerWarnings($defs.cell), result: RESULT.schema }, (schema) => bound(schema)),
});

function fewerWarnings({ properties, ...cell }: SchemaNode = {}): SchemaNode {
	const warnings = { ...properties?.warnings, maxItems: PUBLICATION_LIMITS.cellWarnings };
	return { ...cell, properties: { ...properties, warnings } };
}

/** Keys that are safe to quote from an untrusted publication. */
export const PUBLICATION_KEYS: ReadonlySet<string> = new Set(namesIn(PUBLICATION_SCHEMA));

function namesIn(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	const { properties = {} } = schema as SchemaNode;
	return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** Returns `schema` without unknown keys and with limits on everything. `name` is its property. */
export function bound<S extends SchemaNode>(schema: S, name = ''): S {
	const { properties, items, additionalProperties: values } = schema;
	const { entries, keys } = PUBLICATION_LIMITS;
	const inner = (each: SchemaNode): SchemaNode => bound(each, name);
	return {
		...schema,
		...([schema.type].flat().includes('string') && { maxLength: TEXT_LIMITS.get(name) ?? NAME_LIMIT }),
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
