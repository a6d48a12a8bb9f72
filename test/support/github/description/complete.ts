import { dereference, type OpenApiSchema } from './schemas.ts';

type Properties = Readonly<Record<string, OpenApiSchema>>;

/**
 * Returns `value` with missing required properties: null where allowed, else an empty value of the right type. Given
 * values never change.
 */
export function complete(schema: OpenApiSchema, value: unknown): unknown {
	const whole = dereference(schema);
	const alternatives = (whole.oneOf ?? whole.anyOf) as OpenApiSchema[] | undefined;
	if (value === null || (value === undefined && whole.nullable === true)) return null;
	if (alternatives && !('properties' in whole)) return complete(choose(alternatives, value), value);
	if (Array.isArray(value)) return value.map((item) => complete((whole.items ?? {}) as OpenApiSchema, item));
	const properties = propertiesOf(whole);
	const required = requiredOf(whole);
	if (Object.keys(properties).length > 0 && (value === undefined || typeof value === 'object')) {
		return completeObject(properties, required, (value ?? {}) as Record<string, unknown>);
	}
	return value === undefined ? emptyOf(whole) : value;
}

function completeObject(properties: Properties, required: readonly string[], given: Record<string, unknown>): object {
	const names = new Set([...Object.keys(given), ...required]);
	const entries = [...names].map((name) => [name, complete(properties[name] ?? {}, given[name])]);
	return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns the alternative with the most given properties. */
function choose(alternatives: readonly OpenApiSchema[], value: unknown): OpenApiSchema {
	const score = (schema: OpenApiSchema) => {
		const whole = dereference(schema);
		if (Array.isArray(value) !== (whole.type === 'array')) return -1;
		if (typeof value !== 'object' || value === null) return whole.type === typeof value ? 1 : 0;
		const properties = propertiesOf(whole);
		return Object.keys(value).filter((key) => key in properties).length;
	};
	return alternatives.reduce((best, candidate) => (score(candidate) > score(best) ? candidate : best));
}

function propertiesOf(schema: OpenApiSchema): Properties {
	const parts = ((schema.allOf ?? []) as OpenApiSchema[]).map((part) => propertiesOf(dereference(part)));
	return Object.assign({}, ...parts, schema.properties);
}

function requiredOf(schema: OpenApiSchema): string[] {
	const parts = ((schema.allOf ?? []) as OpenApiSchema[]).flatMap((part) => requiredOf(dereference(part)));
	return [...parts, ...((schema.required ?? []) as string[])];
}

function emptyOf(schema: OpenApiSchema): unknown {
	if (Array.isArray(schema.enum)) return schema.enum[0];
	switch (schema.type) {
		case 'string':
			return { uri: 'https://github.com/', 'date-time': '2026-01-01T00:00:00Z' }[String(schema.format)] ?? '';
		case 'integer':
		case 'number':
			return 0;
		case 'boolean':
			return false;
		case 'array':
			return [];
		case 'object':
			return {};
		default:
			return undefined;
	}
}
