/**
 * Builders of JSON Schemas that carry their TypeScript type, for one definition per stored field. Files are written in
 * the order of properties.
 */

/** The part of a JSON Schema that determines keys and their order. */
export interface SchemaNode {
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, SchemaNode>>;
	readonly additionalProperties?: SchemaNode | boolean;
	readonly items?: SchemaNode | boolean;
	readonly anyOf?: readonly SchemaNode[];
	readonly $defs?: Readonly<Record<string, SchemaNode>>;
	readonly [keyword: string]: unknown;
}

declare const TYPE: unique symbol;
/** Not a schema key, because JSON and ajv ignore symbols. */
const OPTIONAL: unique symbol = Symbol('optional');

export interface Typed<T> {
	readonly [TYPE]: T;
}

export interface Schema<T> extends SchemaNode, Typed<T> {}

export interface Optional<T> extends Schema<T> {
	readonly [OPTIONAL]: true;
}

export interface Definition<T> extends Typed<T> {
	readonly name: string;
	readonly schema: Schema<T>;
}

export type Infer<S extends Typed<unknown>> = S[typeof TYPE];

type Properties = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] };
/** Mapped over the keys of P, to preserve the comments on its properties. */
type ObjectOf<P extends Properties> = Flat<
	{ readonly [K in keyof P as P[K] extends Optional<unknown> ? never : K]: Infer<P[K]> } & {
		readonly [K in keyof P as P[K] extends Optional<unknown> ? K : never]?: Infer<P[K]>;
	}
>;

/** Casts a schema to type T, if no other builder fits. */
export function schemaOf<T>(schema: SchemaNode): Schema<T> {
	return schema as Schema<T>;
}

export const TEXT = schemaOf<string>({ type: 'string' });
export const TEXT_OR_NULL = schemaOf<string | null>({ type: ['string', 'null'] });
export const NUMBER = schemaOf<number>({ type: 'number' });
/** Null means unknown or unavailable, unless the property documents null. */
export const NUMBER_OR_NULL = schemaOf<number | null>({ type: ['number', 'null'] });
export const COUNT = schemaOf<number>({ type: 'integer', minimum: 0 });
/** Number of a shard, lane or attempt. */
export const ORDINAL = schemaOf<number>({ type: 'integer', minimum: 1 });
export const SECONDS = schemaOf<number>({ type: 'number', minimum: 0, description: 'seconds' });
export const FRACTION = schemaOf<number>({ type: 'number', description: 'fraction: 0.05 is 5 %' });
export const FLAG = schemaOf<boolean>({ type: 'boolean' });

export function literal<const T>(value: T): Schema<T> {
	return schemaOf({ const: value });
}

export function enumOf<const T>(values: readonly T[]): Schema<T> {
	return schemaOf({ enum: values });
}

export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
	return schemaOf({ type: 'array', items });
}

/** Returns the schema of an object with arbitrary keys. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
	return schemaOf({ type: 'object', additionalProperties: values });
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
	return schemaOf({ anyOf: [schema, { type: 'null' }] });
}

export function unionOf<S extends Schema<unknown>>(schemas: readonly S[]): Schema<Infer<S>> {
	return schemaOf({ anyOf: schemas });
}

/** Returns a union whose members differ in `kind` (ajv's `discriminator`). */
export function kindsOf<S extends Schema<{ readonly kind: string }>>(schemas: readonly S[]): Schema<Infer<S>> {
	return schemaOf({
		type: 'object',
		required: ['kind'],
		discriminator: { propertyName: 'kind' },
		oneOf: schemas,
	});
}

/** Marks a property as optional. Older files lack properties added after the first release. */
export function optional<T>(schema: Schema<T>): Optional<T> {
	return { ...schema, [OPTIONAL]: true };
}

/** Returns the schema of an object. Properties are required unless optional; additional ones are allowed. */
export function objectOf<P extends Properties>(properties: P): Schema<ObjectOf<P>> {
	const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
	return schemaOf({ type: 'object', required, properties });
}

export function described<S extends SchemaNode>(schema: S, description: string): S {
	return { ...schema, description };
}

export function limited<S extends SchemaNode>(schema: S, keywords: Readonly<Record<string, unknown>>): S {
	return { ...schema, ...keywords };
}

export function define<T>(name: string, schema: Schema<T>): Definition<T> {
	return { name, schema } as Definition<T>;
}

export function ref<T>({ name }: Definition<T>): Schema<T> {
	return schemaOf({ $ref: `#/$defs/${name}` });
}

/** Returns the schema (2020-12) of a file. Its `$defs` are the given definitions, in this order. */
export function documentOf<T>(title: string, root: Schema<T>, definitions: readonly Definition<unknown>[]): Schema<T> {
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		title,
		...root,
		$defs: Object.fromEntries(definitions.map(({ name, schema }) => [name, schema])),
	};
}
