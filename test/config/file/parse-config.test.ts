import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { CATALOGUE } from '../example-catalogue.ts';
import { PERCENTAGE, refused, scenario } from './refused-configs.ts';

const parse = (text: string) => parseConfig(text, 'benchgate.yml', CATALOGUE);

test('every key arrives', () => {
	const file = parse(`
subject: packages/core
prepare: npm ci && npm run build
servers:
  - express
  - name: api
    command: node server.js
    cwd: bench
    env: { LOG_LEVEL: silent }
    start: |
      createdb "\${slot}"
      node migrate.js
    stop: dropdb "\${slot}"
    ready: { path: /healthz, timeout: 90s }
    scenarios: [list-users, core]
scenarios:
  - core
  - name: list-users
    description: Second page
    request: { path: /users?page=2, headers: { Accept: application/json } }
    expect: { status: [200, 429], json: { page: 2 }, headers: { ETag: <any> } }
    load: { connections: 50 }
    threshold: 8%
    tolerance: 3%
threshold: 4%
tolerance: 1%
budget: 15m
design: alternating
gate: { on-inconclusive: neutral, metrics: [throughput, latency-p99] }
seed: 42
`);
	assert.deepEqual(file, {
		file: 'benchgate.yml',
		subject: 'packages/core',
		prepare: 'npm ci && npm run build',
		servers: [
			'express',
			{
				kind: 'custom',
				name: 'api',
				command: 'node server.js',
				cwd: 'bench',
				env: { LOG_LEVEL: 'silent' },
				start: 'createdb "${slot}"\nnode migrate.js\n',
				stop: 'dropdb "${slot}"',
				ready: { path: '/healthz', timeoutSeconds: 90 },
				scenarios: ['list-users', 'core'],
			},
		],
		scenarios: [
			'core',
			{
				name: 'list-users',
				description: 'Second page',
				groups: [],
				request: { method: 'GET', path: '/users?page=2', headers: { accept: 'application/json' } },
				expect: { status: [200, 429], json: { page: 2 }, headers: { etag: '<any>' } },
				checks: [],
				load: { connections: 50, pipelining: 1 },
				threshold: 0.08,
				tolerance: 0.03,
				origin: 'config',
			},
		],
		threshold: 0.04,
		tolerance: 0.01,
		budget: 900,
		design: 'alternating',
		onInconclusive: 'neutral',
		metrics: [{ name: 'throughput' }, { name: 'latency-p99' }],
		seed: 42,
	});
});

for (const text of ['', '# nothing yet\n', '---\n', '{}', 'null']) {
	test(`${JSON.stringify(text)} is a valid empty config`, () => {
		assert.deepEqual(parse(text), { file: 'benchgate.yml' });
	});
}

test('a minimal server of your own is completed with defaults', () => {
	assert.deepEqual(parse('servers: [{ name: api, command: ./api }]').servers, [
		{ kind: 'custom', name: 'api', command: './api', cwd: '.', env: {}, ready: { timeoutSeconds: 30 } },
	]);
});

test('anchors, aliases and merge keys work', () => {
	const { scenarios } = parse(`
scenarios:
  - name: one
    request: &request { path: /one, headers: { accept: text/plain } }
    expect: &ok { status: 200 }
  - name: two
    request: { <<: *request, path: /two }
    expect: *ok
`);
	const requests = scenarios?.map((scenario) => typeof scenario !== 'string' && scenario.request);
	assert.deepEqual(requests, [
		{ method: 'GET', path: '/one', headers: { accept: 'text/plain' } },
		{ method: 'GET', path: '/two', headers: { accept: 'text/plain' } },
	]);
});

for (const [label, text, message] of refused) {
	test(`${label} is refused`, () => {
		assert.throws(() => parse(text), { name: 'UserError', message });
	});
}

test('all errors are reported at once, in the order of the file', () => {
	const message = [
		`benchgate.yml:1: threshold: "200%" is not allowed; ${PERCENTAGE}`,
		'benchgate.yml:3: servers[0]: "expres" is not a built-in server; did you mean "express"?',
		'benchgate.yml:4: servers[1]: command is missing; text, e.g. node server.js',
		'benchgate.yml:5: sede: unknown key; did you mean "seed"?',
	].join('\n');
	assert.throws(() => parse('threshold: 200%\nservers:\n  - expres\n  - { name: api }\nsede: 1'), { message });
});

test('a fault behind an alias or merge key is reported at its source', () => {
	const text = scenario('').replace('{ path: / }', '&r { path: /, methd: GET }');
	const message = 'benchgate.yml:3: scenarios[0].request.methd: unknown key; did you mean "method"?';
	const again = '\n  - { name: y, request: { <<: *r, path: /y }, expect: { status: 200 } }';
	assert.throws(() => parse(text + again), { message: `${message}\n${message.replace('[0]', '[1]')}` });
});

test('no text throws any error but a UserError', () => {
	const yaml = fc.array(
		fc.constantFrom(
			'servers',
			'scenarios',
			'gate',
			'seed',
			'name',
			'request',
			...': - [ ] { } , & * ! | > % @ # " \' ? << 1'.split(' '),
			'\n',
			' ',
			'  ',
			'a',
			'&a',
			'*a',
			'~',
			'5%',
		),
		{ maxLength: 40 },
	);
	const texts = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 60 }),
		yaml.map((words) => words.join('')),
		fc.json(),
	);
	fc.assert(
		fc.property(texts, (text) => {
			try {
				assert.equal(parse(text).file, 'benchgate.yml');
			} catch (error) {
				if (!isUserError(error)) throw error;
				assert.match(error.message, /^benchgate\.yml:\d+: /);
			}
		}),
		{ numRuns: 2000 },
	);
});
