import { placeholdersIn, restorePlaceholders } from '../../text/placeholders.ts';
import type {
	Check,
	Comparison,
	DataRow,
	Expectation,
	HttpRequest,
	Learn,
	Load,
	LoadedRequest,
	Scenario,
	StatusLimit,
} from '../../types/config.ts';
import type { MetricName } from '../../types/metric.ts';
import { parseDuration, parsePercentage } from '../durations.ts';

type Texts = Readonly<Record<string, string>>;

interface RequestYaml {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Texts;
	readonly json?: unknown;
	readonly form?: Texts;
	readonly body?: string;
}

interface ExpectYaml {
	readonly status: number | readonly number[];
	readonly json?: unknown;
	readonly text?: string;
	readonly bodyBytes?: number;
	readonly headers?: Texts;
	readonly headersOf?: Readonly<Record<string, Texts>>;
}

interface ComparedYaml {
	readonly compare?: Comparison;
	readonly ignore?: readonly string[];
}

interface AskedYaml extends ComparedYaml {
	readonly request: RequestYaml;
	readonly expect: ExpectYaml;
}

interface CheckYaml extends AskedYaml {
	readonly name: string;
}

interface LearnYaml {
	readonly request: RequestYaml;
	readonly expect: ExpectYaml;
	readonly header?: string;
	readonly cookie?: string;
	readonly json?: string;
	readonly 'send-as': string;
	readonly template?: string;
}

interface LoadedYaml extends AskedYaml {
	readonly weight?: number;
}

interface CommonYaml extends ComparedYaml {
	readonly name: string;
	readonly description?: string;
	readonly groups?: readonly string[];
	readonly data?: string;
	readonly load?: Partial<Load>;
	readonly metrics?: readonly MetricName[];
	readonly workers?: number;
	readonly 'in-process'?: boolean;
	readonly ramp?: readonly number[];
	readonly threshold?: string;
	readonly tolerance?: string;
	readonly checks?: readonly CheckYaml[];
	readonly learn?: LearnYaml;
	readonly 'status-limit'?: { status: number; max: number; per: string };
}

export type ScenarioYaml = CommonYaml &
	((AskedYaml & { readonly requests?: undefined }) | { readonly requests: readonly [LoadedYaml, ...LoadedYaml[]] });

const DEFAULT_LOAD: Load = { connections: 20, pipelining: 1 };

/**
 * Completes valid YAML: serialises bodies, fills in defaults, lowercases header names. `rows` come from the data file.
 */
export function buildScenario(yaml: ScenarioYaml, origin: Scenario['origin'], rows: readonly DataRow[]): Scenario {
	const [first, ...others] = yaml.requests === undefined ? ([yaml] as const) : yaml.requests;
	const filled = yaml.data !== undefined;
	const build = (one: LoadedYaml) => buildLoaded({ ...comparedOf(yaml), ...one }, filled);
	const loaded = [build(first), ...others.map(build)] as const;
	const threshold = yaml.threshold === undefined ? undefined : parsePercentage(yaml.threshold);
	const tolerance = yaml.tolerance === undefined ? undefined : parsePercentage(yaml.tolerance);
	return {
		name: yaml.name,
		description: yaml.description ?? '',
		groups: yaml.groups ?? [],
		request: loaded[0].request,
		expect: loaded[0].expect,
		...((yaml.requests || filled) && { mix: loaded }),
		...(yaml.data !== undefined && { data: { file: yaml.data, rows } }),
		checks: (yaml.checks ?? []).map((check) => buildCheck({ ...comparedOf(yaml), ...check })),
		...(yaml.learn && { learn: buildLearn(yaml.learn) }),
		...(yaml['status-limit'] && { statusLimit: buildStatusLimit(yaml['status-limit']) }),
		load: { ...DEFAULT_LOAD, ...yaml.load },
		...(yaml.metrics && { metrics: yaml.metrics }),
		...(yaml.workers !== undefined && { workers: yaml.workers }),
		...(yaml['in-process'] && { inProcess: true as const }),
		...(yaml.ramp && { ramp: yaml.ramp }),
		...(threshold !== undefined && { threshold }),
		...(tolerance !== undefined && { tolerance }),
		origin,
	};
}

function buildLoaded({ weight = 1, request, expect, ...compared }: LoadedYaml, filled: boolean): LoadedRequest {
	return {
		weight,
		request: filled ? markBody(buildRequest(request), request) : buildRequest(request),
		expect: { ...buildExpectation(expect), ...comparedOf(compared) },
	};
}

function comparedOf({ compare, ignore }: ComparedYaml): ComparedYaml {
	return { ...(compare !== undefined && { compare }), ...(ignore !== undefined && { ignore }) };
}

/** Records the encoding for values of placeholders. */
function markBody(request: HttpRequest, { json, form }: RequestYaml): HttpRequest {
	if (request.body === undefined) return request;
	const body = form ? restorePlaceholders(request.body) : request.body;
	const bodyKind = json !== undefined ? 'json' : form && 'form';
	return bodyKind === undefined || placeholdersIn(body).length === 0 ? request : { ...request, body, bodyKind };
}

function buildRequest(yaml: RequestYaml): HttpRequest {
	const encoded = encodeBody(yaml);
	return {
		method: yaml.method ?? 'GET',
		path: yaml.path,
		headers: { ...(encoded?.contentType && { 'content-type': encoded.contentType }), ...lowerNames(yaml.headers) },
		...(encoded && { body: encoded.body }),
	};
}

function encodeBody({ json, form, body }: RequestYaml): { body: string; contentType?: string } | undefined {
	if (json !== undefined) return { body: JSON.stringify(json), contentType: 'application/json' };
	if (form) return { body: new URLSearchParams(form).toString(), contentType: 'application/x-www-form-urlencoded' };
	return body === undefined ? undefined : { body };
}

function buildExpectation({ status, headers, headersOf, ...body }: ExpectYaml): Expectation {
	const statuses = typeof status === 'number' ? [status] : status;
	return {
		status: statuses,
		...body,
		...(headers && { headers: lowerNames(headers) }),
		...(headersOf && { headersOf: mapValues(headersOf, lowerNames) }),
	};
}

function buildCheck({ name, request, expect, ...compared }: CheckYaml): Check {
	return { name, request: buildRequest(request), expect: { ...buildExpectation(expect), ...comparedOf(compared) } };
}

function buildLearn(yaml: LearnYaml): Learn {
	const { header, cookie, json = '$', template } = yaml;
	return {
		request: buildRequest(yaml.request),
		expect: buildExpectation(yaml.expect),
		from: header !== undefined ? { header: header.toLowerCase() } : cookie !== undefined ? { cookie } : { json },
		sendAs: yaml['send-as'].toLowerCase(),
		...(template !== undefined && { template }),
	};
}

function buildStatusLimit({ status, max, per }: NonNullable<ScenarioYaml['status-limit']>): StatusLimit {
	return { status, max, seconds: parseDuration(per) ?? 0 };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Readonly<Record<string, U>> {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function lowerNames(headers: Texts = {}): Texts {
	return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
}
