import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { WrittenNumber } from '../../config/file/read-yaml.ts';
import { rawJson } from '../../text/numbers.ts';
import { exampleOf, ownExample } from './examples.ts';
import { encodePart, type Manner, mannerOf, writeParameter } from './parameter-styles.ts';
import type { Mapping, OpenApi } from './read-openapi.ts';

/** A request in a config. */
export interface RequestYaml {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	readonly form?: Readonly<Record<string, string>>;
	readonly body?: string;
}

export interface FilledRequest {
	readonly request: RequestYaml;
	/** Phrases like `a value for {id}`. */
	readonly lacks: readonly string[];
}

export interface Operation {
	readonly method: string;
	/** Like `/users/{id}`. */
	readonly path: string;
	/** Prefix of all paths: `/api/v1`, or empty. */
	readonly basePath: string;
	readonly described: Mapping;
	readonly parameters: readonly Mapping[];
}

/** Headers that the load generator sets, or that are described elsewhere. */
const NOT_SENT = /^(?:accept|content-type|authorization|content-length|transfer-encoding|connection|cookie)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const BODILESS: readonly string[] = ['GET', 'HEAD'];
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const MULTIPART = /^multipart\//i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

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
	// A fragment tells operations of one path apart, and is never sent.
	const parts = (basePath + path.replace(/#.*$/s, '')).split(/(\{[^{}]*\})/).map((part) => {
		if (!/^\{.*\}$/.test(part)) return encodePath(part);
		const parameter = parameters.find(({ name }) => name === part.slice(1, -1));
		const value = parameter && exampleOf(parameter, api);
		const written = parameter && writeIn('path', parameter, value);
		if (written === undefined) lacks.push(lackOf(part, parameter, value));
		return written ?? encodePart(part);
	});
	return { text: parts.join(''), lacks };
}

function fillQuery(parameters: readonly Mapping[], api: OpenApi) {
	const lacks: string[] = [];
	const pairs = parameters.flatMap((parameter) => {
		// Optional parameters are sent only if they have their own example.
		const value = parameter.required === true ? exampleOf(parameter, api) : ownExample(parameter, api);
		if (value === undefined && parameter.required !== true) return [];
		const written = writeIn('query', parameter, value);
		if (written === undefined) lacks.push(lackOf(`the query parameter ${parameter.name}`, parameter, value));
		return written ?? [];
	});
	return { pairs, lacks };
}

function fillHeaders(parameters: readonly Mapping[], api: OpenApi) {
	const lacks: string[] = [];
	const sent: Record<string, string> = {};
	for (const parameter of parameters) {
		const name = String(parameter.name);
		if (NOT_SENT.test(name)) continue;
		const value = parameter.required === true ? exampleOf(parameter, api) : ownExample(parameter, api);
		const written = lineOf(writeIn('header', parameter, value));
		if (written !== undefined && HEADER_NAME.test(name)) sent[name.toLowerCase()] = written;
		else if (parameter.required === true) lacks.push(lackOf(`the header ${name}`, parameter, value));
	}
	return { sent, lacks };
}

/** Writes JSON if `content` is JSON, else in the parameter's style. */
function writeIn(place: Manner['place'], parameter: Mapping, value: unknown): string | undefined {
	const [type] = Object.keys(asMapping(parameter.content));
	const sent = type !== undefined && JSON_TYPE.test(type) && value !== undefined ? jsonOf(value) : value;
	return writeParameter(String(parameter.name), sent, mannerOf(parameter, place), textOf);
}

function lackOf(what: string, parameter: Mapping | undefined, value: unknown): string {
	if (parameter === undefined || value === undefined) return `a value for ${what}`;
	const { style } = parameter;
	return `a value for ${what} that ${typeof style === 'string' ? `style ${style}` : 'its style'} can write`;
}

const BODY_EXAMPLE = 'an example of its body';

function fillBody(body: Mapping | null, api: OpenApi): FilledBody {
	const types = Object.entries(asMapping(body?.content));
	if (body === null || types.length === 0) return { lacks: [] };
	const typed = (kind: RegExp) => types.find(([name]) => kind.test(name));
	const [type, described] = typed(JSON_TYPE) ?? typed(FORM_TYPE) ?? types[0] ?? ['', {}];
	if (MULTIPART.test(type))
		return { lacks: [`its body, which is ${type.split(';')[0]} and has to be written by hand`] };
	const example = exampleOf(asMapping(described), api);
	if (example === undefined) {
		// If an operation takes a file or plain text, it rarely works without a body.
		const isNeeded = body.required === true || !(JSON_TYPE.test(type) || FORM_TYPE.test(type));
		return { lacks: isNeeded ? [BODY_EXAMPLE] : [] };
	}
	if (JSON_TYPE.test(type)) {
		// A number beyond JavaScript's precision is sent as text, because a config cannot contain it.
		if (!hasWrittenNumber(example)) return { json: example, lacks: [] };
		const json = jsonOf(example);
		return json === undefined
			? { lacks: [BODY_EXAMPLE] }
			: { body: json, headers: { 'content-type': type }, lacks: [] };
	}
	if (FORM_TYPE.test(type)) {
		const fields = Object.entries(asMapping(example)).map(([name, value]) => [name, lineOf(value)] as const);
		const filledFields = fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
		return filledFields.length === fields.length && textOf(example) === undefined
			? { form: Object.fromEntries(filledFields), lacks: [] }
			: { lacks: [BODY_EXAMPLE] };
	}
	const text = textOf(example);
	return text === undefined ? { lacks: [BODY_EXAMPLE] } : { body: text, headers: { 'content-type': type }, lacks: [] };
}

function hasWrittenNumber(value: unknown): boolean {
	if (value instanceof WrittenNumber) return true;
	return typeof value === 'object' && value !== null && Object.values(value).some(hasWrittenNumber);
}

/** Keeps all digits. Undefined if JSON cannot express a number. */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value, (_key, inner: unknown) =>
			inner instanceof WrittenNumber ? rawJson(inner.source.replace(/^\+/, '')) : inner,
		);
	} catch {
		return undefined;
	}
}

/** Returns undefined for mappings, lists and missing values. */
function textOf(value: unknown): string | undefined {
	if (value instanceof WrittenNumber) return value.source;
	return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).toWellFormed() : undefined;
}

/** Headers and form fields are a single line. */
function lineOf(value: unknown): string | undefined {
	const text = textOf(value);
	return text === undefined || /[\p{Cc}]/u.test(text) ? undefined : text;
}

/** Keeps characters that a path may contain; https://www.rfc-editor.org/rfc/rfc3986#section-3.3. */
function encodePath(text: string): string {
	return text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/%-]/gu, (character) => encodeURIComponent(character));
}

/** Returns the path of the first server: `/api/v1`. */
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
