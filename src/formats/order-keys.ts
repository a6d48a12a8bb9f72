import { createHash } from 'node:crypto';
import type { SchemaNode } from '../types/schema.ts';

/**
 * Returns a deterministic copy of `value`: known keys in schema order, then others by name, without undefined values.
 * `root` resolves references into `$defs`. Lists without objects are not copied.
 */
export function orderKeys(value: unknown, schema: SchemaNode | undefined, root: SchemaNode): unknown {
	const node = resolve(schema, root);
	if (Array.isArray(value)) {
		// A raw file is mostly lists of two numbers.
		if (value.every(isPlain)) return value;
		const items = typeof node?.items === 'object' ? node.items : undefined;
		return value.map((item) => orderKeys(item, items, root));
	}
	if (typeof value !== 'object' || value === null) return value;
	const named = node?.properties ?? {};
	const otherSchema = typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
	const namedKeys = Object.keys(named).filter((key) => Object.hasOwn(value, key));
	const others = Object.keys(value).filter((key) => !Object.hasOwn(named, key));
	const keys = [...namedKeys, ...others.sort()];
	return Object.fromEntries(
		keys.map((key) => [key, orderKeys((value as Record<string, unknown>)[key], named[key] ?? otherSchema, root)]),
	);
}

function isPlain(value: unknown): boolean {
	return typeof value !== 'object' || value === null;
}

/** Follows a reference. Of a structured alternative and null, takes the structured one. */
function resolve(schema: SchemaNode | undefined, root: SchemaNode): SchemaNode | undefined {
	if (schema?.$ref) return resolve(root.$defs?.[schema.$ref.replace('#/$defs/', '')], root);
	if (schema?.anyOf)
		return resolve(
			schema.anyOf.find((each) => each.$ref ?? each.properties ?? each.items),
			root,
		);
	return schema;
}

/** Returns the hexadecimal SHA-256 of a JSON value, regardless of key order. */
export function hashOf(value: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(orderKeys(value, undefined, {})))
		.digest('hex');
}
