import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScenario } from '../../../src/config/file/parse-scenario.ts';

const parse = (text: string) => parseScenario(text, 'scenarios/demo.yml');
const minimal = 'name: demo\ndescription: Demo.\nrequest: { path: / }\nexpect: { status: 200 }\n';

test('every key arrives', () => {
	const scenario = parse(`
name: demo
description: Everything at once.
groups: [core]
request: { method: POST, path: /users, headers: { X-Team: a }, json: { name: Jane } }
expect: { status: 201, json: { id: <uuid> } }
load: { pipelining: 10 }
threshold: 8%
checks:
  - name: refuses bad JSON
    request: { method: POST, path: /users, headers: { Content-Type: application/json }, body: "{" }
    expect: { status: [400, 422], text: nope, bodyBytes: 4, headersOf: { 422: { X-Reason: <any> } } }
learn:
  request: { path: /users }
  expect: { status: 200 }
  header: ETag
  send-as: If-None-Match
status-limit: { status: 201, max: 50, per: 10s }
`);
	assert.deepEqual(scenario, {
		name: 'demo',
		description: 'Everything at once.',
		groups: ['core'],
		request: {
			method: 'POST',
			path: '/users',
			headers: { 'content-type': 'application/json', 'x-team': 'a' },
			body: '{"name":"Jane"}',
		},
		expect: { status: [201], json: { id: '<uuid>' } },
		checks: [
			{
				name: 'refuses bad JSON',
				request: { method: 'POST', path: '/users', headers: { 'content-type': 'application/json' }, body: '{' },
				expect: { status: [400, 422], text: 'nope', bodyBytes: 4, headersOf: { 422: { 'x-reason': '<any>' } } },
			},
		],
		learn: {
			request: { method: 'GET', path: '/users', headers: {} },
			expect: { status: [200] },
			from: { header: 'etag' },
			sendAs: 'if-none-match',
		},
		statusLimit: { status: 201, max: 50, seconds: 10 },
		load: { connections: 20, pipelining: 10 },
		threshold: 0.08,
		origin: 'built-in',
	});
});

test('the comparison setting of a scenario applies to its checks and to each request of a mix without its own', () => {
	const more = `compare: status
ignore: ["/app-*.js"]
checks: [{ name: a, request: { path: /a }, expect: { status: 200 }, compare: headers }]
`;
	const { expect, checks } = parse(minimal + more);
	assert.deepEqual(expect, { status: [200], compare: 'status', ignore: ['/app-*.js'] });
	assert.deepEqual(checks[0]?.expect, { status: [200], compare: 'headers', ignore: ['/app-*.js'] });
	const mix = `name: demo
description: Demo.
requests:
  - { request: { path: /a }, expect: { status: 200 }, compare: body }
  - { request: { path: /b }, expect: { status: 200 } }
compare: status
`;
	assert.deepEqual(
		parse(mix).mix?.map((one) => one.expect.compare),
		['body', 'status'],
	);
});

test('a value is learnt from a header, a cookie or a JSON body', () => {
	const learn = (from: string) =>
		parse(`${minimal}learn: { request: { path: /l }, expect: { status: 200 }, ${from}, send-as: X-Token }\n`).learn;
	const rest = { request: { method: 'GET', path: '/l', headers: {} }, expect: { status: [200] }, sendAs: 'x-token' };
	assert.deepEqual(learn('header: Set-Cookie'), { ...rest, from: { header: 'set-cookie' } });
	assert.deepEqual(learn('cookie: csrfToken'), { ...rest, from: { cookie: 'csrfToken' } });
	assert.deepEqual(learn('json: "$.a[0].b", template: "Bearer {{value}}"'), {
		...rest,
		from: { json: '$.a[0].b' },
		template: 'Bearer {{value}}',
	});
});

test('a form is URL-encoded; its own content-type wins', () => {
	const { request } = parse(minimal.replace('path: /', 'method: POST, path: /, form: { a b: "1&2" }'));
	assert.deepEqual(request, {
		method: 'POST',
		path: '/',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: 'a+b=1%262',
	});
	const withHeader = minimal.replace('path: /', 'method: POST, path: /, json: 1, headers: { Content-Type: a/b }');
	assert.deepEqual(parse(withHeader).request.headers, { 'content-type': 'a/b' });
});

const refused: readonly (readonly [string, string, string])[] = [
	[
		'a name that is not the file name',
		minimal.replace('name: demo', 'name: ping'),
		'scenarios/demo.yml:1: name: "ping" is not allowed; the file is called demo',
	],
	[
		'a missing description',
		minimal.replace(/description.*\n/, ''),
		'scenarios/demo.yml:1: description is missing; text, e.g. Second page of the users',
	],
	[
		'an unknown key of a check',
		`${minimal}checks:\n  - { name: a, requst: { path: / }, expect: { status: 200 } }`,
		[
			'scenarios/demo.yml:6: checks[0]: request is missing; a mapping such as { path: /ping }',
			'scenarios/demo.yml:6: checks[0].requst: unknown key; did you mean "request"?',
		].join('\n'),
	],
	[
		'a limit without time',
		`${minimal}status-limit: { status: 429, max: 5 }`,
		'scenarios/demo.yml:5: status-limit: per is missing; a duration in ms, s, m or h, e.g. 90s or 10m',
	],
	[
		'headers of a status that no right answer has',
		minimal.replace('status: 200', 'status: [201, 429], headersOf: { 429: { a: b }, 503: { retry-after: <any> } }'),
		'scenarios/demo.yml:4: expect.headersOf.503: no right answer has this status; status is 201 or 429',
	],
	[
		'headers of an invalid status',
		minimal.replace('status: 200', 'status: 200, headersOf: { ok: { a: b } }'),
		'scenarios/demo.yml:4: expect.headersOf: "ok" is not allowed; a status from 100 to 599',
	],
	['an empty file', '', 'scenarios/demo.yml:1: no value is given; a mapping with name, request and expect'],
];

for (const [label, text, message] of refused) {
	test(`${label} is refused`, () => assert.throws(() => parse(text), { name: 'UserError', message }));
}
