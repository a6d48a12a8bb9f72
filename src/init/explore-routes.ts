/** Asks a started server which of these routes it answers. */
import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import { countOf } from '../text/numbers.ts';
import { isUserError } from '../types/errors.ts';
import { listScenarios, type OperationScenario } from './openapi/list-scenarios.ts';
import { readOpenApi } from './openapi/read-openapi.ts';
import { MOST_ASKED, type ScenarioLines, writeScenarioLines } from './scenario-lines.ts';

export interface Answered {
	readonly status: number;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

const DOCUMENTS = [
	...['/openapi.json', '/api/openapi.json', '/api/v1/openapi.json', '/docs/json', '/documentation/json', '/api-json'],
	...['/api/docs-json', '/docs-json', '/v3/api-docs', '/q/openapi?format=json', '/swagger.json', '/swagger/doc.json'],
	...['/api-docs.json', '/schema/openapi.json', '/doc', '/swagger/json', '/docs/openapi.json', '/api/swagger.json'],
];
const PREFIXES = ['/api', '/api/v1', '/v1'];
const MOST_TRIED = 40;

export interface Explored {
	/** Null if nothing was answered as it should. */
	readonly lines: ScenarioLines | null;
	readonly note: string;
}

/** `ask` returns the reason as a text if there is no answer. `taken` are reserved names. */
export async function exploreRoutes(
	ask: (path: string) => Promise<Answered | string>,
	found: readonly OperationScenario[],
	methods: readonly string[],
	taken: readonly string[],
): Promise<Explored> {
	const served = await findDocument(ask, taken);
	const paths = new Set(served?.scenarios.map(({ request }) => request.path));
	const names = new Set(served?.scenarios.map(({ name }) => name));
	const others = found.filter(({ request, name }) => !paths.has(request.path) && !names.has(name));
	const candidates = [...(served?.scenarios ?? []), ...others];
	const tried: OperationScenario[] = [];
	let asked = 0;
	for (const candidate of candidates) {
		const isSafe = candidate.lacks === null && (candidate.request.method ?? 'GET') === 'GET' && asked < MOST_TRIED;
		if (isSafe) asked++;
		tried.push(isSafe ? await tryCandidate(ask, candidate) : candidate);
	}
	const answered = tried.filter(({ lacks }, at) => lacks === null && candidates[at]?.lacks === null);
	const source = served === null ? 'its code, and answered by the server' : `${served.path} of the server`;
	const lines = writeScenarioLines(
		tried.toSorted((one, other) => Number(one.lacks !== null) - Number(other.lacks !== null)),
		methods,
		source,
		MOST_ASKED,
	);
	const from = served === null ? '' : ` It serves an OpenAPI document at ${served.path}, whose operations are used.`;
	const note = `The server answered ${answered.length} of ${countOf(asked, 'route')} as expected.${from}`;
	return { lines: lines.asked.length === 0 ? null : lines, note };
}

async function findDocument(ask: (path: string) => Promise<Answered | string>, taken: readonly string[]) {
	for (const path of DOCUMENTS) {
		const answer = await ask(path);
		if (
			typeof answer === 'string' ||
			answer.status !== 200 ||
			!/^\s*\{[\s\S]{0,2000}"(?:openapi|paths)"/.test(answer.body)
		)
			continue;
		try {
			const scenarios = listScenarios(readOpenApi(answer.body, path), taken);
			if (scenarios.length > 0) return { path, scenarios };
		} catch (error) {
			if (!isUserError(error)) throw error;
		}
	}
	return null;
}

async function tryCandidate(
	ask: (path: string) => Promise<Answered | string>,
	candidate: OperationScenario,
): Promise<OperationScenario> {
	const { request, status } = candidate;
	const answer = await ask(request.path);
	if (typeof answer !== 'string' && answer.status === status) return candidate;
	if (typeof answer !== 'string' && answer.status === 404) {
		for (const prefix of PREFIXES.filter((each) => !request.path.startsWith(each))) {
			const path = prefix + request.path;
			const again = await ask(path);
			if (typeof again === 'string' || again.status !== status) continue;
			return { ...candidate, operation: `GET ${path}`, request: { ...request, path } };
		}
	}
	return { ...candidate, lacks: typeof answer === 'string' ? plainText(answer, MESSAGE_LIMIT) : describe(answer) };
}

function describe({ status, headers }: Answered): string {
	const { location } = headers;
	if (location !== undefined) return `it answered ${status}, to ${plainText(location, MESSAGE_LIMIT)}`;
	return `it answered ${status}${status === 401 || status === 403 ? ', so it needs a login in headers' : ''}`;
}
