import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import type { Scenario } from '../../src/types/config.ts';
import { CATALOGUE } from './example-catalogue.ts';

const TEXTS = { 'users.csv': { text: 'id,name\n7,Ann\n9,Bö\n' } };
const parse = (scenario: string, texts = TEXTS) =>
	parseConfig(`scenarios:\n  - name: a\n    data: users.csv\n${scenario}`, 'benchgate.yml', CATALOGUE, texts);

test('a mix with data has every request, its bodies marked, and the rows it uses', () => {
	const file = parse(`    requests:
      - weight: 3
        request: { path: "/users/{{id}}" }
        expect: { status: 200, json: { id: "{{id}}" } }
      - request: { method: POST, path: /users, form: { name: "{{name}}" } }
        expect: { status: 201 }
      - request: { method: POST, path: /users, json: { id: "{{id}}" } }
        expect: { status: 201 }
`);
	const scenario = file.scenarios?.[0] as Scenario;
	assert.deepEqual(scenario.data, {
		file: 'users.csv',
		rows: [
			{ id: '7', name: 'Ann' },
			{ id: '9', name: 'Bö' },
		],
	});
	assert.deepEqual(
		scenario.mix?.map(({ weight, request }) => [weight, request.body, request.bodyKind]),
		[
			[3, undefined, undefined],
			[1, 'name={{name}}', 'form'],
			[1, '{"id":"{{id}}"}', 'json'],
		],
	);
	assert.equal(scenario.request, scenario.mix?.[0]?.request);
	assert.equal(scenario.expect, scenario.mix?.[0]?.expect);
});

for (const [label, scenario, message] of [
	[
		'a placeholder that is no column',
		'    request: { path: "/users/{{naem}}" }\n    expect: { status: 200 }\n',
		'benchgate.yml:4: scenarios[0].request.path: "{{naem}}" is no column of users.csv; did you mean "name"?',
	],
	[
		'a data file that no request uses',
		'    request: { path: /users }\n    expect: { status: 200, text: "{{id}}" }\n',
		'benchgate.yml:3: scenarios[0].data: no request has a placeholder; use one, e.g. path: /users/{{id}}, or remove the data',
	],
	[
		'a placeholder of the headers of a status that is no column',
		'    request: { path: "/{{id}}" }\n    expect: { status: [200, 429], headersOf: { 429: { link: "/{{i}}" } } }\n',
		'benchgate.yml:5: scenarios[0].expect.headersOf: "{{i}}" is no column of users.csv; did you mean "id"?',
	],
	[
		'a value that no header can have',
		'    request: { path: /, headers: { x-user: "{{name}}" } }\n    expect: { status: 200 }\n',
		'benchgate.yml:4: scenarios[0].request.headers: row 2 of users.csv has a character in "name" that no header can have',
	],
	[
		'a placeholder in a check',
		'    request: { path: "/{{id}}" }\n    expect: { status: 200 }\n    checks:\n      - name: no\n        request: { path: "/{{id}}" }\n        expect: { status: 404 }\n',
		'benchgate.yml:8: scenarios[0].checks[0].request: placeholders are filled only in the requests that are loaded; write a value',
	],
] as const) {
	test(`${label} is refused`, () => {
		assert.throws(() => parse(scenario), { message });
	});
}

test('without data, text in braces is plain text', () => {
	const text = 'scenarios:\n  - { name: a, request: { path: "/{{id}}" }, expect: { status: 200 } }\n';
	const [scenario] = parseConfig(text, 'benchgate.yml', CATALOGUE, {}).scenarios ?? [];
	assert.ok(typeof scenario === 'object' && scenario.mix === undefined && scenario.data === undefined);
});

test('if the file was not read, there are no rows and no errors about them', () => {
	const text = 'scenarios:\n  - { name: a, data: u.csv, request: { path: "/{{id}}" }, expect: { status: 200 } }\n';
	const [scenario] = parseConfig(text, 'benchgate.yml', CATALOGUE).scenarios ?? [];
	assert.deepEqual(typeof scenario === 'object' && scenario.data, { file: 'u.csv', rows: [] });
});
