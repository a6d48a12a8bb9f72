/**
 * Builders of JSON Schemas that carry the type of the values they accept, so that one definition gives the schema of a stored
 * field, its type, and its check. The order of properties is the order in which files are written.
 */

/** The part of JSON Schema that gives structure: which keys there are, and in which order. */
export interface SchemaNode {
	readonly $ref?: string;
	readonly properties?: Readonly<Record<string, SchemaNode>>;
	readonly additionalProperties?: SchemaNode | boolean;
	readonly items?: SchemaNode | boolean;
	readonly anyOf?: readonly SchemaNode[];
	readonly $defs?: Readonly<Record<string, SchemaNode>>;
	readonly [keyword: string]: unknown;
}

/** Exists in types only. */
declare const TYPE: unique symbol;
/** No key of a schema: JSON and ajv do not see symbols. */
const OPTIONAL: unique symbol = Symbol('optional');

/** Anything that `Infer` gives the type of. */
export interface Typed<T> {
	readonly [TYPE]: T;
}

/** A JSON Schema of values of the type T. */
export interface Schema<T> extends SchemaNode, Typed<T> {}

/** The schema of a property that may be absent. */
export interface Optional<T> extends Schema<T> {
	readonly [OPTIONAL]: true;
}

/** A schema in the `$defs` of a document, under its name. */
export interface Definition<T> extends Typed<T> {
	readonly name: string;
	readonly schema: Schema<T>;
}

/** The type of the values that a schema accepts. */
export type Infer<S extends Typed<unknown>> = S[typeof TYPE];

type Properties = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { [K in keyof T]: T[K] };
/** Mapped over the keys of P, so that comments on its properties are those of the type's. */
type ObjectOf<P extends Properties> = Flat<
	{ readonly [K in keyof P as P[K] extends Optional<unknown> ? never : K]: Infer<P[K]> } & {
		readonly [K in keyof P as P[K] extends Optional<unknown> ? K : never]?: Infer<P[K]>;
	}
>;

/** Returns a schema as that of values of the type T, where no other builder says so. */
export function schemaOf<T>(schema: SchemaNode): Schema<T> {
	return schema as Schema<T>;
}

export const TEXT = schemaOf<string>({ type: 'string' });
export const TEXT_OR_NULL = schemaOf<string | null>({ type: ['string', 'null'] });
export const NUMBER = schemaOf<number>({ type: 'number' });
export const NUMBER_OR_NULL = schemaOf<number | null>({ type: ['number', 'null'] });
export const COUNT = schemaOf<number>({ type: 'integer', minimum: 0 });
/** Number of a shard, a lane or an attempt, from 1. */
export const ORDINAL = schemaOf<number>({ type: 'integer', minimum: 1 });
export const SECONDS = schemaOf<number>({ type: 'number', minimum: 0, description: 'seconds' });
/** A ratio without unit. */
export const FRACTION = schemaOf<number>({ type: 'number', description: 'fraction: 0.05 is 5 %' });
export const FLAG = schemaOf<boolean>({ type: 'boolean' });

/** Returns the schema of one value. */
export function literal<const T>(value: T): Schema<T> {
	return schemaOf({ const: value });
}

/** Returns the schema of any of some values. */
export function enumOf<const T>(values: readonly T[]): Schema<T> {
	return schemaOf({ enum: values });
}

/** Returns the schema of a list of `items`. */
export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
	return schemaOf({ type: 'array', items });
}

/** Returns the schema of an object with any keys and values of one kind. */
export function mapOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
	return schemaOf({ type: 'object', additionalProperties: values });
}

/** Returns the schema of `schema` or null. */
export function orNull<T>(schema: Schema<T>): Schema<T | null> {
	return schemaOf({ anyOf: [schema, { type: 'null' }] });
}

/** Returns the schema of what any of some schemas accepts. */
export function unionOf<S extends Schema<unknown>>(schemas: readonly S[]): Schema<Infer<S>> {
	return schemaOf({ anyOf: schemas });
}

/** Returns the schema of what one of some schemas accepts, each of another `kind`; ajv's `discriminator` chooses it. */
export function kindsOf<S extends Schema<{ readonly kind: string }>>(schemas: readonly S[]): Schema<Infer<S>> {
	return schemaOf({
		type: 'object',
		required: ['kind'],
		discriminator: { propertyName: 'kind' },
		oneOf: schemas,
	});
}

/** Returns the schema of a property that may be absent. */
export function optional<T>(schema: Schema<T>): Optional<T> {
	return { ...schema, [OPTIONAL]: true };
}

/** Returns the schema of an object with `properties`, all required but the optional ones; others may stand beside them. */
export function objectOf<P extends Properties>(properties: P): Schema<ObjectOf<P>> {
	const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
	return schemaOf({ type: 'object', required, properties });
}

/** Returns a schema with a description, which is what readers of the published schema see. */
export function described<S extends SchemaNode>(schema: S, description: string): S {
	return { ...schema, description };
}

/** Returns a schema with further keywords of JSON Schema, such as limits. */
export function limited<S extends SchemaNode>(schema: S, keywords: Readonly<Record<string, unknown>>): S {
	return { ...schema, ...keywords };
}

/** Returns a definition that `ref` can name. */
export function define<T>(name: string, schema: Schema<T>): Definition<T> {
	return { name, schema } as Definition<T>;
}

/** Returns a reference to a definition. */
export function ref<T>({ name }: Definition<T>): Schema<T> {
	return schemaOf({ $ref: `#/$defs/${name}` });
}

/** Returns the schema (2020-12) of a file with the definitions that it refers to, in their order. */
export function documentOf<T>(title: string, root: Schema<T>, definitions: readonly Definition<unknown>[]): Schema<T> {
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		title,
		...root,
		$defs: Object.fromEntries(definitions.map(({ name, schema }) => [name, schema])),
	};
}
