import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { exampleOf, ownExample } from './examples.ts';
import type { Mapping, OpenApi } from './read-openapi.ts';

/** A request as a config has it. */
export interface RequestYaml {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	readonly form?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** A request made of examples, and what no example says. */
export interface FilledRequest {
	readonly request: RequestYaml;
	/** Nouns: `a value for {id}`. */
	readonly lacks: readonly string[];
}

/** An operation of a document. */
export interface Operation {
	/** In capitals. */
	readonly method: string;
	/** As the document has it: `/users/{id}`. */
	readonly path: string;
	/** What stands before every path: `/api/v1`, or nothing. */
	readonly basePath: string;
	readonly described: Mapping;
	/** Those of its path too. */
	readonly parameters: readonly Mapping[];
}

/** Set by the load generator, or said otherwise in a document. */
const NOT_SENT = /^(?:accept|content-type|authorization|content-length|transfer-encoding|connection|cookie)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const BODILESS: readonly string[] = ['GET', 'HEAD'];
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** Returns the request of an operation, made of the examples of its parameters and its body. */
export function fillRequest(operation: Operation, api: OpenApi): FilledRequest {
	const { method, parameters } = operation;
	const of = (place: string) => parameters.filter(({ in: at }) => at === place);
	const path = fillPath(operation, of('path'), api);
	const query = fillQuery(of('query'), api);
	const headers = fillHeaders(of('header'), api);
	const body = BODILESS.includes(method) ? { lacks: [] } : fillBody(api.resolve(operation.described.requestBody), api);
	const { lacks: lacksBody, headers: type, ...content } = body as FilledBody;
	const sent = { ...type, ...headers.sent };
	const cookies = of('cookie').filter(({ required }) => required === true);
	return {
		request: {
			...(method !== 'GET' && { method }),
			path: path.text + (query.pairs.length === 0 ? '' : `?${query.pairs.join('&')}`),
			...(Object.keys(sent).length > 0 && { headers: sent }),
			...content,
		},
		lacks: [
			...path.lacks,
			...query.lacks,
			...headers.lacks,
			...cookies.map(({ name }) => `the cookie ${name}`),
			...lacksBody,
		],
	};
}

interface FilledBody extends Pick<RequestYaml, 'json' | 'form' | 'body' | 'headers'> {
	readonly lacks: readonly string[];
}

function fillPath({ path, basePath }: Operation, parameters: readonly Mapping[], api: OpenApi) {
	const lacks: string[] = [];
	const parts = (basePath + path).split(/(\{[^{}]*\})/).map((part) => {
		if (!/^\{.*\}$/.test(part)) return encodePath(part);
		const parameter = parameters.find(({ name }) => name === part.slice(1, -1));
		const value = textOf(parameter && exampleOf(parameter, api));
		if (value === undefined) lacks.push(`a value for ${part}`);
		return encode(value ?? part);
	});
	return { text: parts.join(''), lacks };
}

function fillQuery(parameters: readonly Mapping[], api: OpenApi) {
	const lacks: string[] = [];
	const pairs = parameters.flatMap((parameter) => {
		const name = String(parameter.name);
		// What nobody asks for is sent where somebody wrote down how.
		const value = parameter.required === true ? exampleOf(parameter, api) : ownExample(parameter, api);
		if (value === undefined && parameter.required !== true) return [];
		const values = (Array.isArray(value) ? value : [value]).map(textOf);
		const known = values.filter((each) => each !== undefined);
		if (known.length < values.length || known.length === 0) {
			lacks.push(`a value for the query parameter ${name}`);
			return [];
		}
		return known.map((each) => `${encode(name)}=${encode(each)}`);
	});
	return { pairs, lacks };
}

function fillHeaders(parameters: readonly Mapping[], api: OpenApi) {
	const lacks: string[] = [];
	const sent: Record<string, string> = {};
	for (const parameter of parameters) {
		const name = String(parameter.name);
		if (NOT_SENT.test(name)) continue;
		const value = lineOf(parameter.required === true ? exampleOf(parameter, api) : ownExample(parameter, api));
		if (value !== undefined && HEADER_NAME.test(name)) sent[name.toLowerCase()] = value;
		else if (parameter.required === true) lacks.push(`a value for the header ${name}`);
	}
	return { sent, lacks };
}

function fillBody(body: Mapping | null, api: OpenApi): FilledBody {
	const types = Object.entries(asMapping(body?.content));
	if (body === null || types.length === 0) return { lacks: [] };
	const [type, described] = types.find(([name]) => JSON_TYPE.test(name)) ?? types[0] ?? ['', {}];
	const example = exampleOf(asMapping(described), api);
	if (example === undefined) return { lacks: body.required === true ? ['an example of its body'] : [] };
	if (JSON_TYPE.test(type)) return { json: example, lacks: [] };
	if (FORM_TYPE.test(type)) {
		const fields = Object.entries(asMapping(example)).map(([name, value]) => [name, lineOf(value)] as const);
		const known = fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
		return known.length === fields.length
			? { form: Object.fromEntries(known), lacks: [] }
			: { lacks: ['an example of its body'] };
	}
	const text = textOf(example);
	return text === undefined
		? { lacks: ['an example of its body'] }
		: { body: text, headers: { 'content-type': type }, lacks: [] };
}

/** Returns a plain value as it is sent; undefined for a mapping, a list, or nothing. */
function textOf(value: unknown): string | undefined {
	return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).toWellFormed() : undefined;
}

/** The same for a header or a field of a form, which are one line. */
function lineOf(value: unknown): string | undefined {
	const text = textOf(value);
	return text === undefined || /[\p{Cc}]/u.test(text) ? undefined : text;
}

function encode(text: string): string {
	return encodeURIComponent(text.toWellFormed());
}

/** What a path may hold stays as it stands there; https://www.rfc-editor.org/rfc/rfc3986#section-3.3. */
function encodePath(text: string): string {
	return text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/%-]/gu, (character) => encodeURIComponent(character));
}

/** Returns what stands before every path, by the first server that is named: `/api/v1`. */
export function basePathOf(servers: unknown): string {
	const server = asMapping(asList(servers)[0]);
	if (typeof server.url !== 'string') return '';
	const variables = asMapping(server.variables);
	const url = server.url.replace(/\{([^{}]*)\}/g, (_, name: string) =>
		String(asMapping(variables[name]).default ?? ''),
	);
	try {
		return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '');
	} catch {
		return '';
	}
}
