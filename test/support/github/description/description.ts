import { readFileSync } from 'node:fs';
import type { OpenApiSchema } from './schemas.ts';

/** One operation of GitHub's description. */
export interface Operation {
	/** `issues/create-comment`. */
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly parameters: readonly Parameter[];
	/** Schema of the JSON body; undefined without one. */
	readonly body: OpenApiSchema | undefined;
	readonly bodyRequired: boolean;
	/** Status → schema of the JSON answer; undefined without a body. */
	readonly answers: ReadonlyMap<number, OpenApiSchema | undefined>;
	/** Documentation URL, included in errors. */
	readonly docs: string;
}

export interface Parameter {
	readonly name: string;
	readonly in: 'path' | 'query' | 'header';
	readonly required?: boolean;
	readonly schema: OpenApiSchema;
	/** The value may contain slashes. */
	readonly 'x-multi-segment'?: boolean;
}

interface Media {
	readonly content?: Readonly<Record<string, { readonly schema?: OpenApiSchema }>>;
}
interface OperationObject {
	readonly operationId: string;
	readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
	readonly requestBody?: Media & { readonly required?: boolean };
	readonly responses: Readonly<Record<string, Media | { readonly $ref: string }>>;
	readonly externalDocs?: { readonly url: string };
}
interface Description {
	readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
	readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const description = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as Description;
correct(description.components.schemas as Record<string, { properties: Record<string, OpenApiSchema> }>);

/** By name. */
export const SCHEMAS = description.components.schemas as Readonly<Record<string, OpenApiSchema>>;

const routes = Object.entries(description.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, object]) => {
		const operation = readOperation(method.toUpperCase(), path, object);
		return { operation, pattern: patternOf(operation) };
	}),
);
// A parameter with slashes must not match a longer path: /commits/{ref}/check-runs before /commits/{ref}.
routes.sort((a, b) => b.operation.path.split('/').length - a.operation.path.split('/').length);

export const OPERATIONS: readonly Operation[] = routes.map(({ operation }) => operation);

/** Returns a request's operation and decoded path values; null if GitHub's description lacks it. */
export function findOperation(
	method: string,
	path: string,
): { operation: Operation; values: Record<string, string> } | null {
	for (const { operation, pattern } of routes) {
		const match = operation.method === method ? pattern.exec(path) : null;
		if (!match) continue;
		const values = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
		return { operation, values: Object.fromEntries(values) };
	}
	return null;
}

/** GitHub answers null for repository and user of a deleted fork; its description omits that. */
function correct(schemas: Record<string, { properties: Record<string, OpenApiSchema> }>): void {
	for (const name of ['pull-request', 'pull-request-simple']) {
		const properties = schemas[name]?.properties.head?.properties as Record<string, OpenApiSchema>;
		for (const key of ['repo', 'user']) properties[key] = { nullable: true, allOf: [properties[key]] };
	}
}

function readOperation(method: string, path: string, object: OperationObject): Operation {
	const answers = Object.entries(object.responses).map(
		([status, answer]) => [Number(status), jsonSchema(resolve<Media>(answer))] as const,
	);
	return {
		id: object.operationId,
		method,
		path,
		parameters: (object.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
		body: object.requestBody && jsonSchema(object.requestBody),
		bodyRequired: object.requestBody?.required === true,
		answers: new Map(answers),
		docs: object.externalDocs?.url ?? 'https://docs.github.com/rest',
	};
}

function jsonSchema(media: Media): OpenApiSchema | undefined {
	return media.content?.['application/json']?.schema;
}

function resolve<T>(value: T | { readonly $ref: string }): T {
	if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
	const [, , kind = '', name = ''] = value.$ref.split('/');
	return description.components[kind]?.[name] as T;
}

function patternOf(operation: Operation): RegExp {
	const source = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const parameter = operation.parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
		return `(?<${name}>${parameter?.['x-multi-segment'] ? '.+' : '[^/]+'})`;
	});
	return new RegExp(`^${source}$`);
}
