import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import { SCHEMAS } from './description.ts';

/** OpenAPI 3.0. */
export interface OpenApiSchema {
	readonly [keyword: string]: unknown;
}

const COMBINATORS = ['allOf', 'oneOf', 'anyOf'] as const;
/** Other formats do not matter to tests. */
const FORMATS = {
	'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
	uri: (text: string) => URL.canParse(text.replace(/\{[^}]*\}/g, '')),
};

const options = { allErrors: true, verbose: true, strict: false, formats: FORMATS } as const;
const ajv = new Ajv2019({ ...options, logger: false });
// Paths and queries are text.
const coercing = new Ajv2019({ ...options, logger: false, coerceTypes: true });
for (const [name, schema] of Object.entries(SCHEMAS)) {
	ajv.addSchema({ $id: `https://closed/${name}`, ...(toJsonSchema(schema, true) as object) });
	ajv.addSchema({ $id: `https://open/${name}`, ...(toJsonSchema(schema, false) as object) });
}

const compiled = new WeakMap<OpenApiSchema, ValidateFunction>();

/** Returns a validator that also refuses unknown properties. */
export function validatorOf(schema: OpenApiSchema): ValidateFunction {
	return remember(schema, () => ajv.compile(toJsonSchema(schema, true)));
}

/** Returns a validator that converts an object's texts to the schema's types. */
export function textValidatorOf(schema: OpenApiSchema): ValidateFunction {
	return remember(schema, () => coercing.compile(toJsonSchema(schema, true)));
}

function remember(schema: OpenApiSchema, compile: () => ValidateFunction): ValidateFunction {
	const validator = compiled.get(schema) ?? compile();
	compiled.set(schema, validator);
	return validator;
}

/** Follows a `$ref`, if any. */
export function dereference(schema: OpenApiSchema): OpenApiSchema {
	if (typeof schema.$ref !== 'string') return schema;
	return dereference(SCHEMAS[schema.$ref.replace('#/components/schemas/', '')] ?? {});
}

/**
 * Converts to JSON Schema 2019-09. `closed` objects refuse properties unknown to them and their parts; parts of an
 * allOf, oneOf or anyOf stay open, since the whole or another part may define a property.
 */
function toJsonSchema(schema: OpenApiSchema, closed: boolean): OpenApiSchema {
	if (typeof schema.$ref === 'string') {
		return { $ref: schema.$ref.replace('#/components/schemas/', closed ? 'https://closed/' : 'https://open/') };
	}
	const { nullable, additionalProperties, ...rest } = schema;
	const hasParts = COMBINATORS.some((key) => key in rest);
	const isWhole = 'properties' in rest || 'allOf' in rest;
	const result: Record<string, unknown> = { ...rest };
	if ('properties' in rest) result.properties = mapValues(rest.properties, (part) => toJsonSchema(part, true));
	if ('items' in rest) result.items = toJsonSchema(rest.items as OpenApiSchema, true);
	for (const key of COMBINATORS) {
		if (!(key in rest)) continue;
		result[key] = (rest[key] as OpenApiSchema[]).map((part) => toJsonSchema(part, closed && !isWhole));
	}
	if (typeof additionalProperties === 'object') {
		result.additionalProperties = toJsonSchema(additionalProperties as OpenApiSchema, true);
	} else if (additionalProperties === false) {
		result.additionalProperties = false;
	} else if (closed && isWhole) {
		result.unevaluatedProperties = false;
	}
	return nullable === true ? orNull(result, hasParts) : result;
}

function orNull(schema: Record<string, unknown>, hasParts: boolean): OpenApiSchema {
	if (hasParts || typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
	const enumeration = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
	return { ...schema, ...enumeration, type: [schema.type, 'null'] };
}

function mapValues(map: unknown, change: (schema: OpenApiSchema) => OpenApiSchema): Record<string, OpenApiSchema> {
	return Object.fromEntries(
		Object.entries(map as Record<string, OpenApiSchema>).map(([key, schema]) => [key, change(schema)]),
	);
}
