/** JSON Schema of the publication, in which every text and list has a limit. */

import { PUBLICATION } from '../../types/action-run.ts';
import { RESULT, RESULT_SCHEMA } from '../../types/result.ts';
import { limited, type SchemaNode } from '../../types/schema.ts';
import { LARGEST_NUMBER } from '../../types/units.ts';

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
	magnitude: LARGEST_NUMBER,
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

const { $schema, $defs = {} } = RESULT_SCHEMA;

/**
 * JSON Schema (2020-12, with ajv's `discriminator`) of `publication.json`: the published schema of the result inside a few
 * facts about the run. Closed, unlike that one: every object to keys it does not name, every text and list to a length.
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

/** Every key the schema names: what may be quoted of a path into a publication nobody vouches for. */
export const PUBLICATION_KEYS: ReadonlySet<string> = new Set(namesIn(PUBLICATION_SCHEMA));

function namesIn(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	const { properties = {} } = schema as SchemaNode;
	return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** Returns `schema` closed: no unknown keys, and a most of everything. `name` is the property its value stands in. */
function bound<S extends SchemaNode>(schema: S, name = ''): S {
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
