import type { SchemaNode } from '../../src/types/schema.ts';

/** Returns the schema with every object closed to keys it does not name, to find what types have and schemas lack. */
export function strictly(schema: SchemaNode): SchemaNode {
	return close(schema) as SchemaNode;
}

function close(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(close);
	if (typeof value !== 'object' || value === null) return value;
	const closed = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, close(part)]));
	return 'properties' in value && 'type' in value ? { additionalProperties: false, ...closed } : closed;
}
