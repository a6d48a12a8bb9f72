/** Finds examples in an OpenAPI document. */
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { WrittenNumber } from '../../config/file/read-yaml.ts';
import type { Mapping, OpenApi } from './read-openapi.ts';

const DEEPEST = 12;
/** For `allOf`, `oneOf` and `anyOf`: a level may have several schemas, and they may be recursive. */
const MOST_PARTS = 4;

/**
 * Returns the `example` of a parameter or body, else the first of its `examples`, else one from its schema. A number
 * becomes a `WrittenNumber` if JavaScript would lose digits.
 */
export function exampleOf(described: Mapping, api: OpenApi): unknown {
	const holder = holderOf(described, api);
	return ownExample(described, api) ?? settle(exampleOfSchema(holder.schema, api, 0), holder.schema, api, 0);
}

/** Returns only an example beside the schema. */
export function ownExample(described: Mapping, api: OpenApi): unknown {
	for (const { example, examples, schema } of [described, holderOf(described, api)]) {
		const [first] = Object.values(asMapping(examples));
		const exampleValue = example ?? (first === undefined ? undefined : api.resolve(first)?.value);
		if (exampleValue !== undefined) return settle(exampleValue, holderOf(described, api).schema ?? schema, api, 0);
	}
	return undefined;
}

/** The first entry of `content`, else the description itself. */
function holderOf(described: Mapping, api: OpenApi): Mapping {
	const [content] = Object.values(asMapping(described.content));
	return (content === undefined ? null : api.resolve(content)) ?? described;
}

function settle(value: unknown, described: unknown, api: OpenApi, depth: number): unknown {
	const schema = (depth > DEEPEST ? null : api.resolve(described)) ?? {};
	if (value instanceof WrittenNumber) {
		const types = [schema.type].flat();
		if (types.includes('string') && !types.includes('number') && !types.includes('integer')) return value.source;
		// A parameter without a type keeps its source text.
		return value.isExact && (depth > 0 || schema.type !== undefined) ? value.value : value;
	}
	const part = (inner: unknown, its: unknown) => settle(inner, its, api, depth + 1);
	if (Array.isArray(value)) return value.map((item) => part(item, schema.items));
	if (typeof value !== 'object' || value === null) return value;
	const properties = propertiesOf(schema, api, 0);
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(inner, properties[key])]));
}

function propertiesOf(schema: Mapping, api: OpenApi, depth: number): Mapping {
	if (depth > MOST_PARTS) return {};
	const parts = [...asList(schema.allOf), ...asList(schema.oneOf), ...asList(schema.anyOf)];
	const inner = parts.map((part) => propertiesOf(api.resolve(part) ?? {}, api, depth + 1));
	return Object.assign({}, ...inner.toReversed(), asMapping(schema.properties)) as Mapping;
}

/** Assembled from parts if necessary; undefined if a required part has no example. */
function exampleOfSchema(value: unknown, api: OpenApi, depth: number): unknown {
	const schema = depth > DEEPEST ? null : api.resolve(value);
	if (schema === null) return undefined;
	const examples = [schema.example, asList(schema.examples)[0], schema.default, schema.const, asList(schema.enum)[0]];
	const example = examples.find((each) => each !== undefined);
	if (example !== undefined) return example;
	const part = (each: unknown) => exampleOfSchema(each, api, depth + 1);
	const [choice] = [...asList(schema.oneOf), ...asList(schema.anyOf)];
	if (choice !== undefined) return part(choice);
	if (schema.items !== undefined) {
		const item = part(schema.items);
		return item === undefined ? undefined : [item];
	}
	return exampleOfObject(schema, part);
}

function exampleOfObject(schema: Mapping, part: (value: unknown) => unknown): unknown {
	const all = asList(schema.allOf).map(part);
	if (all.includes(undefined)) return undefined;
	const properties = Object.entries(asMapping(schema.properties)).map(([name, value]) => [name, part(value)] as const);
	const filledEntries = properties.filter(([, value]) => value !== undefined);
	const names = filledEntries.map(([name]) => name);
	const merged = Object.assign({}, ...all.map(asMapping)) as Mapping;
	const example = { ...merged, ...Object.fromEntries(filledEntries) };
	const isWhole = asList(schema.required).every(
		(name) => names.includes(String(name)) || Object.hasOwn(merged, String(name)),
	);
	const isObject = schema.type === 'object' || schema.properties !== undefined || all.length > 0;
	return isObject && isWhole && Object.keys(example).length > 0 ? example : undefined;
}
