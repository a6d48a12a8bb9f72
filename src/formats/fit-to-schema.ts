import type { SchemaNode } from '../types/schema.ts';

/**
 * Returns a copy of `value` that fits `schema` and its limits: without unknown keys, in schema order, with long texts
 * (cut with `…`) and lists cut to length. Lists of cells stay whole, because a report must include every row. `root`
 * resolves references into `$defs`.
 */
export function fitToSchema(value: unknown, schema: SchemaNode, root: SchemaNode, name = ''): unknown {
	const node = resolve(schema, value, root);
	if (typeof value === 'string') return cut(value, node.maxLength);
	if (Array.isArray(value)) {
		const { items } = node;
		const kept = name === 'cells' ? value : value.slice(0, numberOr(node.maxItems, value.length));
		return typeof items === 'object' ? kept.map((item) => fitToSchema(item, items, root, name)) : kept;
	}
	if (typeof value !== 'object' || value === null) return value;
	const parts = partsOf(value as Record<string, unknown>, node).filter(([, , part]) => part !== undefined);
	return Object.fromEntries(parts.map(([key, shape, part]) => [key, fitToSchema(part, shape, root, key)]));
}

function partsOf(value: Record<string, unknown>, node: SchemaNode): (readonly [string, SchemaNode, unknown])[] {
	const { properties, additionalProperties: values } = node;
	if (properties) return Object.entries(properties).map(([key, shape]) => [key, shape, ownValue(value, key)] as const);
	if (typeof values !== 'object') return [];
	const most = numberOr(node.maxProperties, Number.POSITIVE_INFINITY);
	const entries = Object.entries(value).slice(0, most);
	return entries.map(([key, part]) => [key, values, part] as const);
}

function ownValue(value: Record<string, unknown>, key: string): unknown {
	return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Follows a reference. Of alternatives, takes the one with the value's kind, or else the first that is not null. */
function resolve(schema: SchemaNode, value: unknown, root: SchemaNode): SchemaNode {
	if (schema.$ref) return resolve(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, value, root);
	const choices = (schema.anyOf ?? (Array.isArray(schema.oneOf) ? schema.oneOf : [])) as readonly SchemaNode[];
	const kind = kindOf(value);
	const chosen =
		choices.find((choice) => kind !== undefined && choice.properties?.kind?.const === kind) ??
		choices.find((choice) => choice.type !== 'null');
	return chosen ? resolve(chosen, value, root) : schema;
}

function kindOf(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? ownValue(value as Record<string, unknown>, 'kind') : undefined;
}

function cut(text: string, limit: unknown): string {
	const most = numberOr(limit, Number.POSITIVE_INFINITY);
	return text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function numberOr(value: unknown, otherwise: number): number {
	return typeof value === 'number' ? value : otherwise;
}
