/** The example of a parameter or a body in an OpenAPI document. */
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import type { Mapping, OpenApi } from './read-openapi.ts';

/** Schemas in schemas; more are a circle. */
const DEEPEST = 12;

/** Returns the example of a parameter or a body: its own, the first of several, else what its schema says; undefined without any. */
export function exampleOf(described: Mapping, api: OpenApi): unknown {
	return ownExample(described, api) ?? exampleOfSchema(described.schema, api, 0);
}

/** Returns the example that a parameter or body gives itself. */
export function ownExample({ example, examples }: Mapping, api: OpenApi): unknown {
	if (example !== undefined) return example;
	const [first] = Object.values(asMapping(examples));
	return first === undefined ? undefined : api.resolve(first)?.value;
}

/** An example of a schema, put together from those of its parts where it has none itself; undefined when a required part lacks one. */
function exampleOfSchema(value: unknown, api: OpenApi, depth: number): unknown {
	const schema = depth > DEEPEST ? null : api.resolve(value);
	if (schema === null) return undefined;
	const given = [schema.example, asList(schema.examples)[0], schema.default, schema.const, asList(schema.enum)[0]];
	const own = given.find((each) => each !== undefined);
	if (own !== undefined) return own;
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
	const known = properties.filter(([, value]) => value !== undefined);
	const names = known.map(([name]) => name);
	const merged = Object.assign({}, ...all.map(asMapping)) as Mapping;
	const found = { ...merged, ...Object.fromEntries(known) };
	const isWhole = asList(schema.required).every(
		(name) => names.includes(String(name)) || Object.hasOwn(merged, String(name)),
	);
	const isObject = schema.type === 'object' || schema.properties !== undefined || all.length > 0;
	return isObject && isWhole && Object.keys(found).length > 0 ? found : undefined;
}
