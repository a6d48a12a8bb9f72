import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listScenarios } from '../../../src/init/openapi/list-scenarios.ts';
import { readOpenApi } from '../../../src/init/openapi/read-openapi.ts';

/** Returns the scenarios of a document with these paths and other keys at its top. */
function scenariosOf(paths: unknown, more: Readonly<Record<string, unknown>> = {}, taken: readonly string[] = []) {
	return listScenarios(readOpenApi(JSON.stringify({ openapi: '3.1.0', paths, ...more }), 'api.json'), taken);
}

const OK = { responses: { 200: {} } };

test('parameters take their own example, the first of several, or a value of their schema', () => {
	const parameters = [
		{ name: 'id', in: 'path', required: true, schema: { type: 'integer', example: 7 } },
		{ name: 'name', in: 'path', required: true, examples: { one: { value: 'ä/b' } } },
		{ name: 'page', in: 'query', required: true, schema: { default: 2 } },
		{ name: 'sort', in: 'query', schema: { enum: ['up'] } },
		{ name: 'tag', in: 'query', example: ['x', 'y&z'] },
		{ name: 'X-Tenant', in: 'header', required: true, schema: { const: 'acme' } },
		{ name: 'Authorization', in: 'header', required: true },
	];
	const [scenario] = scenariosOf({ '/a b/{id}/{name}': { get: { ...OK, parameters } } });
	assert.deepEqual(scenario, {
		operation: 'GET /a b/{id}/{name}',
		name: 'get-a-b-id-name',
		request: { path: '/a%20b/7/%C3%A4%2Fb?page=2&tag=x&tag=y%26z', headers: { 'x-tenant': 'acme' } },
		status: 200,
		lacks: null,
	});
});

test('a required parameter without an example is named', () => {
	const parameters = [
		{ name: 'id', in: 'path', required: true, schema: { type: 'string' } },
		{ name: 'q', in: 'query', required: true },
		{ name: 'sid', in: 'cookie', required: true, example: '1' },
	];
	const requestBody = { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
	const [scenario] = scenariosOf({
		'/{id}': { parameters, post: { requestBody, responses: { 400: {} }, security: [{ key: [] }] } },
	});
	assert.equal(
		scenario?.lacks,
		'it needs a value for {id}, a value for the query parameter q, the cookie sid, an example of its body, credentials in a header, the status of a right answer',
	);
});

/** A body in a document, and the body to send. */
const BODIES: readonly (readonly [string, unknown, unknown])[] = [
	['its own example', { 'application/json': { example: { a: 1 } } }, { json: { a: 1 } }],
	['one of several', { 'application/problem+json': { examples: { x: { value: [1] } } } }, { json: [1] }],
	[
		'the examples of its properties',
		{
			'application/json': {
				schema: {
					type: 'object',
					required: ['name'],
					properties: { name: { example: 'Jane' }, age: { type: 'integer' }, tags: { items: { const: 'x' } } },
				},
			},
		},
		{ json: { name: 'Jane', tags: ['x'] } },
	],
	[
		'a part that is referred to',
		{ 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
		{ json: { name: 'Ada', id: 3 } },
	],
	['a form', { 'application/x-www-form-urlencoded': { example: { a: 1 } } }, { form: { a: '1' } }],
	['text', { 'text/csv': { example: 'a;b' } }, { headers: { 'content-type': 'text/csv' }, body: 'a;b' }],
];
const schemas = {
	Named: { type: 'object', properties: { name: { example: 'Ada' } } },
	User: { allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'object', properties: { id: { default: 3 } } }] },
};

for (const [label, content, sent] of BODIES) {
	test(`a body takes ${label}`, () => {
		const post = { requestBody: { required: true, content }, responses: { 201: {}, 200: {}, 404: {} } };
		const [scenario] = scenariosOf({ '/x': { post } }, { components: { schemas } });
		assert.deepEqual(scenario, {
			operation: 'POST /x',
			name: 'post-x',
			request: { method: 'POST', path: '/x', ...(sent as object) },
			status: 200,
			lacks: null,
		});
	});
}

test('the status is the first that is no error', () => {
	const statusOf = (responses: unknown) => scenariosOf({ '/': { get: { responses } } })[0]?.status;
	assert.equal(statusOf({ 404: {}, 204: {} }), 204);
	assert.equal(statusOf({ '4XX': {}, '2XX': {} }), 200);
	assert.equal(statusOf({ default: {} }), 200);
	assert.equal(statusOf({ 304: {} }), 304);
});

test('paths begin with the URL of the first server, the nearest one first', () => {
	const servers = [
		{ url: 'https://{host}/api/{version}/', variables: { host: { default: 'x.example' }, version: { default: 'v1' } } },
	];
	const paths = {
		'/a': { get: OK },
		'/b': { servers: [{ url: '/other' }], get: OK },
		'/c': { get: { ...OK, servers: [{ url: ':' }] } },
	};
	assert.deepEqual(
		scenariosOf(paths, { servers }).map(({ request }) => request.path),
		['/api/v1/a', '/other/b', '/:/c'],
	);
});

test('names are those of the operations, each once, and never a taken one', () => {
	const paths = {
		'/a': { get: { ...OK, operationId: 'ping' }, head: { ...OK, operationId: 'list users!' } },
		'/b': { get: { ...OK, operationId: 'list users?' } },
	};
	assert.deepEqual(
		scenariosOf(paths, {}, ['ping']).map(({ name }) => name),
		['ping-2', 'list-users', 'list-users-2'],
	);
});

test('an empty choice of credentials allows requests without them', () => {
	const paths = {
		'/a': { get: OK },
		'/b': { get: { ...OK, security: [] } },
		'/c': { get: { ...OK, security: [{}, { key: [] }] } },
	};
	assert.deepEqual(
		scenariosOf(paths, { security: [{ key: [] }] }).map(({ lacks }) => lacks),
		['it needs credentials in a header', null, null],
	);
});

test('references in cycles, to nowhere and to other files end', () => {
	const schemas = {
		Loop: { $ref: '#/components/schemas/Loop' },
		Deep: { items: { $ref: '#/components/schemas/Deep' } },
	};
	for (const ref of ['#/components/schemas/Loop', '#/components/schemas/Deep', '#/nowhere', 'other.yml#/x', '#/%']) {
		const parameters = [{ name: 'id', in: 'path', required: true, schema: { $ref: ref } }];
		const [scenario] = scenariosOf({ '/{id}': { get: { ...OK, parameters } } }, { components: { schemas } });
		assert.equal(scenario?.lacks, 'it needs a value for {id}', ref);
	}
});

test('a document other than OpenAPI 3 is refused', () => {
	const refused = (text: string, message: RegExp) =>
		assert.throws(() => readOpenApi(text, 'api.yml'), { code: 'bad-openapi', where: '--from api.yml', message });
	refused('swagger: "2.0"', /it has swagger: 2\.0$/);
	refused('[]', /there is no openapi: 3/);
	refused('openapi: 4.0.0', /there is no openapi: 3/);
	assert.throws(() => readOpenApi('a: [', 'api.yml'), { name: 'UserError' });
});

test('documents of any shape are read without harm', () => {
	for (const paths of [
		null,
		[],
		'x',
		{ '/a': null },
		{ '/a': { get: [] } },
		{ a: { get: {} } },
		{ '/a': { get: { parameters: [1, {}, { in: 'path' }], requestBody: 4, responses: [] } } },
	]) {
		for (const { request } of scenariosOf(paths)) assert.match(request.path, /^\//);
	}
});

/** Returns the scenarios of a YAML document by operation: the request, or the reason against one. */
function writtenOf(paths: string): Record<string, unknown> {
	const api = readOpenApi(`openapi: 3.1.0\npaths:\n${paths}`, 'api.yaml');
	return Object.fromEntries(listScenarios(api, []).map(({ name, request, lacks }) => [name, lacks ?? request]));
}

test('examples keep their digits and characters', () => {
	const parameter = (name: string, schema: string, example: string) =>
		`[{ name: ${name}, in: path, required: true, schema: ${schema}, example: ${example} }]`;
	const get = (name: string, schema: string, example: string) =>
		`  /${name}/{x}: { get: { operationId: ${name}, parameters: ${parameter('x', schema, example)}, responses: { 200: {} } } }\n`;
	const body = (name: string, content: string) =>
		`  /${name}: { post: { operationId: ${name}, requestBody: { content: { application/json: ${content} } }, responses: { 200: {} } } }\n`;
	const written = writtenOf(
		[
			get('int64', '{ type: integer, format: int64 }', '197038439483310086'),
			get('zip', '{ type: string }', '01234'),
			get('version', '{ type: [string, "null"] }', '1.10'),
			get('untyped', '{}', '1.10'),
			get('number', '{ type: number }', '1.10'),
			body(
				'big',
				'{ schema: { properties: { id: { type: integer, example: 9007199254740993 }, n: { example: 1.50 } } } }',
			),
			body('text', '{ schema: { properties: { zip: { type: string } } }, example: { zip: 01234, n: 007 } }'),
		].join(''),
	);
	assert.deepEqual(written, {
		int64: { path: '/int64/197038439483310086' },
		zip: { path: '/zip/01234' },
		version: { path: '/version/1.10' },
		untyped: { path: '/untyped/1.10' },
		number: { path: '/number/1.1' },
		big: {
			method: 'POST',
			path: '/big',
			headers: { 'content-type': 'application/json' },
			body: '{"id":9007199254740993,"n":1.5}',
		},
		text: { method: 'POST', path: '/text', json: { zip: '01234', n: 7 } },
	});
});

test('styles are followed, and unsupported ones are a comment with that reason', () => {
	const query = (name: string, parameter: string) =>
		`  /${name}: { get: { operationId: ${name}, parameters: [{ name: q, in: query, required: true, ${parameter} }], responses: { 200: {} } } }\n`;
	const written = writtenOf(
		[
			query('list', 'explode: false, example: [3, 4, 5]'),
			query('deep', 'style: deepObject, example: { state: open, owner: "a&b" }'),
			query('nested', 'style: deepObject, example: { a: { b: 1 } }'),
			query('json', 'content: { application/json: { example: { id: 9007199254740993 } } }'),
			query('none', 'style: pipeDelimited'),
		].join(''),
	);
	assert.deepEqual(written, {
		list: { path: '/list?q=3,4,5' },
		deep: { path: '/deep?q%5Bstate%5D=open&q%5Bowner%5D=a%26b' },
		nested: 'it needs a value for the query parameter q that style deepObject can write',
		json: { path: '/json?q=%7B%22id%22%3A9007199254740993%7D' },
		none: 'it needs a value for the query parameter q',
	});
});

test('a stream of events and an upload are comments', () => {
	const answer = (...types: string[]) => ({
		responses: { 200: { content: Object.fromEntries(types.map((t) => [t, {}])) } },
	});
	const upload = (type: string, required = false) => ({
		...OK,
		requestBody: { required, content: { [type]: { schema: { type: 'object' }, example: undefined } } },
	});
	const lacks = scenariosOf({
		'/events': { get: answer('text/event-stream') },
		'/chat': { get: answer('application/json', 'text/event-stream') },
		'/files': { post: upload('multipart/form-data') },
		'/blob': { put: upload('application/octet-stream') },
		'/note': { post: upload('application/json') },
	}).map((one) => one.lacks);
	assert.deepEqual(lacks, [
		'it answers with a stream of events, which has no end and cannot be measured',
		null,
		'it needs its body, which is multipart/form-data and has to be written by hand',
		'it needs an example of its body',
		null,
	]);
});
