import { COMPARISONS } from '../../types/config.ts';
import { NAME } from '../../types/shared-names.ts';
import { DAY_FORM, DAY_PATTERN } from '../adoption-ramp.ts';
import { DURATION_FORM, DURATION_PATTERN, PERCENTAGE_FORM, PERCENTAGE_PATTERN } from '../durations.ts';

/** A piece of JSON Schema; `errorMessage` names the allowed values. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Returns a schema that refuses unknown keys. */
export function mapping(
	errorMessage: string,
	properties: Record<string, JsonSchema>,
	...required: string[]
): JsonSchema {
	return {
		type: 'object',
		errorMessage,
		properties,
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}

export function text(description: string, example: string): JsonSchema {
	return { type: 'string', minLength: 1, description, errorMessage: `text, e.g. ${example}`, examples: [example] };
}

export function name(description: string, ...examples: string[]): JsonSchema {
	const errorMessage = 'a name of at most 64 letters, digits, ".", "_" and "-" that starts with a letter or digit';
	return { type: 'string', pattern: `^${NAME}$`, description, errorMessage, examples };
}

export function choice(description: string, words: readonly string[], fallback?: string): JsonSchema {
	const errorMessage = `one of ${words.join(', ')}`;
	return {
		type: 'string',
		enum: words,
		description,
		errorMessage,
		...(fallback !== undefined && { default: fallback }),
	};
}

export function percentage(description: string, example: string): JsonSchema {
	return {
		type: 'string',
		pattern: PERCENTAGE_PATTERN,
		description,
		errorMessage: PERCENTAGE_FORM,
		examples: [example],
	};
}

export function duration(description: string, example: string): JsonSchema {
	return { type: 'string', pattern: DURATION_PATTERN, description, errorMessage: DURATION_FORM, examples: [example] };
}

export function day(description: string, example: string): JsonSchema {
	return { type: 'string', pattern: DAY_PATTERN, description, errorMessage: DAY_FORM, examples: [example] };
}

export function integer(description: string, minimum: number, maximum: number, fallback?: number): JsonSchema {
	const errorMessage = `a whole number from ${minimum} to ${maximum}`;
	return {
		type: 'integer',
		minimum,
		maximum,
		description,
		errorMessage,
		...(fallback !== undefined && { default: fallback }),
	};
}

/** Returns the schema of a non-empty list. */
export function list(description: string, what: string, items: JsonSchema): JsonSchema {
	return {
		type: 'array',
		minItems: 1,
		description,
		errorMessage: `a list of ${what}; leave the key out for the default`,
		items,
	};
}

export function texts(description: string, keys: { pattern: string; form: string }, example: unknown): JsonSchema {
	return {
		type: 'object',
		description,
		errorMessage: 'a mapping of names to text',
		propertyNames: { pattern: keys.pattern, errorMessage: keys.form },
		additionalProperties: {
			type: 'string',
			pattern: '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$',
			errorMessage: 'text on one line, in quotes when it looks like a number or like true, e.g. "1"',
		},
		examples: [example],
	};
}

export function notBoth(first: string, second: string): JsonSchema {
	return {
		not: { required: [first, second] },
		errorMessage: `${first} and ${second} exclude each other; keep one`,
	};
}

const headerNames = { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", form: 'a header name' };

const sentHeaderNames = {
	pattern: "^(?!(?:[Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding|[Cc]onnection)$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
	form: 'a header name; content-length, transfer-encoding and connection are set by the load generator',
};

export const request: JsonSchema = {
	...mapping(
		'a mapping such as { path: /ping }',
		{
			method: choice('Method. It must be given with a body.', METHODS, 'GET'),
			path: {
				type: 'string',
				pattern: '^/[!"$-~]*$',
				description: 'Path and query, percent-encoded.',
				errorMessage: 'a path that starts with "/", percent-encoded, without "#", e.g. /users?page=2',
				examples: ['/users?page=2'],
			},
			headers: texts('Request headers.', sentHeaderNames, { accept: 'application/json' }),
			json: { description: 'Body, sent as JSON with its content-type.', examples: [{ name: 'bench' }] },
			form: texts(
				'Body, sent URL-encoded with its content-type.',
				{ pattern: '^', form: 'a field name' },
				{ name: 'bench' },
			),
			body: {
				type: 'string',
				description: 'Body, sent as it is; set its content-type in headers.',
				errorMessage: 'text; use json for a JSON body',
				examples: ['<ping/>'],
			},
		},
		'path',
	),
	description: 'The request that is sent.',
	allOf: [notBoth('json', 'form'), notBoth('json', 'body'), notBoth('form', 'body')],
};

const status = integer('Status.', 100, 599);
export const STATUS_PATTERN = '^[1-5][0-9][0-9]$';

export const expectation: JsonSchema = {
	...mapping(
		'a mapping such as { status: 200 }',
		{
			status: {
				if: { type: 'array' },
				// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
				then: { ...list('Statuses.', 'statuses', status), uniqueItems: true },
				else: { ...status, errorMessage: 'a status from 100 to 599 or a list of them, e.g. 200' },
				description: 'Allowed status, or a list of them with the usual one first.',
				examples: [200, [201, 429]],
			},
			json: {
				description:
					'Document the body must contain; "<any>", "<string>", "<number>" and "<uuid>" match by kind; "<absent>": no such key.',
				examples: [{ page: 2, id: '<uuid>' }],
			},
			text: { type: 'string', description: 'Exact body.', errorMessage: 'text', examples: ['Hello, World!'] },
			bodyBytes: integer('Exact length of the body in bytes, after decompression.', 0, 1_000_000_000),
			headers: texts(
				'Headers of the answer: the exact value, <any> for "present", <json> for application/json, or <optional> for a header that may be missing and is not compared.',
				headerNames,
				{ etag: '<any>' },
			),
			headersOf: {
				type: 'object',
				description: 'Headers of answers with one status alone, as in headers. Under load each of them is looked for.',
				errorMessage: 'a mapping of statuses to headers, e.g. { 429: { retry-after: <any> } }',
				propertyNames: { pattern: STATUS_PATTERN, errorMessage: 'a status from 100 to 599' },
				additionalProperties: texts('Headers.', headerNames, { 'retry-after': '<any>' }),
				examples: [{ 429: { 'retry-after': '<any>' } }],
			},
		},
		'status',
	),
	description: 'What a right answer looks like. It is checked on both sides, before and during load.',
	allOf: [notBoth('json', 'text')],
};

/** Settings beside `expect`. */
export const compared = {
	compare: choice(
		'What must be the same on both sides where `expect` gives no value, besides the status: headers, the body, or nothing more.',
		COMPARISONS,
		'body',
	),
	ignore: list('Text in bodies that may differ between the sides. `*` stands for what is in one word.', 'patterns', {
		type: 'string',
		pattern: '^(?=.*[^*\\s]{2})[^*\\u0000-\\u001f]*\\*?[^*\\u0000-\\u001f]*$',
		maxLength: 200,
		errorMessage: 'text of two characters or more with at most one "*", in quotes, e.g. "/assets/app-*.js"',
		examples: ['/assets/app-*.js'],
	}),
} satisfies Record<string, JsonSchema>;

export const requests: JsonSchema = {
	...list(
		'Several requests that are loaded together, in the given proportions, instead of one.',
		'requests',
		mapping(
			'a mapping with weight, request and expect',
			{
				weight: integer('How often it is sent, in proportion to the others.', 1, 1000, 1),
				request,
				expect: expectation,
				...compared,
			},
			'request',
			'expect',
		),
	),
	maxItems: 50,
	errorMessage: 'a list of 1 to 50 requests, each with weight, request and expect',
};

/** Far more than one load generator can send. */
const MOST_RATE = 1_000_000;

export const load: JsonSchema = {
	...mapping('a mapping such as { connections: 20 }', {
		connections: integer('Connections, each with one request at a time in flight per pipelined slot.', 1, 10_000, 20),
		pipelining: integer('Requests in flight on one connection.', 1, 1000, 1),
		rate: integer(
			'Requests a second, however fast they are answered. When absent: as many as are answered.',
			1,
			MOST_RATE,
		),
	}),
	description: 'Load on each side.',
	allOf: [notBoth('rate', 'pipelining')],
};

export function nameOrMapping(names: JsonSchema, object: JsonSchema): JsonSchema {
	// `if` reports only errors of the branch that the author meant, `anyOf` those of both.
	// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
	return { if: { type: 'string' }, then: names, else: object };
}
