import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { METHODS } from '../../config/file/config-schema-parts.ts';
import { chooseName } from '../config-parts.ts';
import { basePathOf, fillRequest, type Operation, type RequestYaml } from './fill-request.ts';
import type { Mapping, OpenApi } from './read-openapi.ts';

export interface OperationScenario {
	/** Like `GET /users/{id}`. */
	readonly operation: string;
	readonly name: string;
	readonly request: RequestYaml;
	readonly status: number;
	/** Like `it needs a value for {id}`. */
	readonly lacks: string | null;
}

const PARAMETER_PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'];

/** Returns scenarios in document order. `taken` are reserved names. */
export function listScenarios(api: OpenApi, taken: readonly string[]): readonly OperationScenario[] {
	const names = new Set(taken);
	return listOperations(api).map((operation) => {
		const { request, lacks } = fillRequest(operation, api);
		const { described, method, path } = operation;
		const status = statusOf(described.responses);
		const credentials = needsCredentials(described.security ?? api.document.security)
			? ['credentials in a header']
			: [];
		const answer = status === null ? ['the status of a right answer'] : [];
		const all = [...lacks, ...credentials, ...answer];
		return {
			operation: `${method} ${path}`,
			name: chooseName(nameOf(operation), 'operation', names),
			request,
			status: status ?? 200,
			lacks: isStream(described.responses, status, api)
				? STREAM
				: all.length === 0
					? null
					: `it needs ${all.join(', ')}`,
		};
	});
}

function listOperations(api: OpenApi): readonly Operation[] {
	const { document } = api;
	return Object.entries(asMapping(document.paths)).flatMap(([path, value]) => {
		const item = path.startsWith('/') ? api.resolve(value) : null;
		if (item === null) return [];
		return Object.entries(item).flatMap(([key, operation]): Operation[] => {
			const method = METHODS.find((name) => name.toLowerCase() === key);
			if (method === undefined) return [];
			const described = asMapping(operation);
			const basePath = basePathOf(described.servers ?? item.servers ?? document.servers);
			return [{ method, path, basePath, described, parameters: parametersOf(item, described, api) }];
		});
	});
}

/** An operation's parameters override those of its path with the same name and place. */
function parametersOf(item: Mapping, operation: Mapping, api: OpenApi): readonly Mapping[] {
	const listed = [...asList(item.parameters), ...asList(operation.parameters)];
	const all = listed.flatMap((value): Mapping[] => {
		const definition = api.resolve(value);
		return definition === null ? [] : [definition];
	});
	const parameters = all.filter(
		({ name, in: place }) => typeof name === 'string' && PARAMETER_PLACES.includes(String(place)),
	);
	return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

/** The first success status; 200 for `2XX` and `default`. */
function statusOf(responses: unknown): number | null {
	const codes = Object.keys(asMapping(responses));
	const [exact] = codes.filter((code) => /^[23]\d\d$/.test(code)).toSorted();
	if (exact !== undefined) return Number(exact);
	return codes.some((code) => /^(?:2XX|default)$/i.test(code)) ? 200 : null;
}

const STREAM = 'it answers with a stream of events, which has no end and cannot be measured';

function isStream(responses: unknown, status: number | null, api: OpenApi): boolean {
	const all = asMapping(responses);
	const code = [String(status), '2XX', '2xx', 'default'].find((key) => all[key] !== undefined);
	const types = Object.keys(asMapping(api.resolve(code === undefined ? undefined : all[code])?.content));
	return types.length > 0 && types.every((type) => /^text\/event-stream\b/i.test(type));
}

/** One requirement suffices; an empty one allows anonymous requests. */
function needsCredentials(security: unknown): boolean {
	const choices = asList(security);
	return choices.length > 0 && choices.every((choice) => Object.keys(asMapping(choice)).length > 0);
}

function nameOf({ described, method, path }: Operation): string {
	return typeof described.operationId === 'string' ? described.operationId : `${method.toLowerCase()}${path}`;
}
