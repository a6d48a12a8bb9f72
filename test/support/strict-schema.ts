import type { SchemaNode } from '../../src/types/schema.ts';

/** Closes every object to unknown keys, to find type properties missing in a schema. */
export function strictly(schema: SchemaNode): SchemaNode {
	return close(schema) as SchemaNode;
}

function close(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(close);
	if (typeof value !== 'object' || value === null) return value;
	const closed = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, close(part)]));
	return 'properties' in value && 'type' in value ? { additionalProperties: false, ...closed } : closed;
}
