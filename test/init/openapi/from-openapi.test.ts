import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../../src/config/load-catalogue.ts';
import { listScenarios } from '../../../src/init/openapi/list-scenarios.ts';
import { readOpenApi } from '../../../src/init/openapi/read-openapi.ts';
import { writeScenarioLines } from '../../../src/init/scenario-lines.ts';
import { writeInitialConfig } from '../../../src/init/write-initial-config.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';

const CATALOGUE = await loadCatalogue(TOOL_ROOT);

const DOCUMENT = `openapi: 3.0.3
paths:
  /users:
    get:
      operationId: listUsers
      parameters: [{ name: page, in: query, example: 2 }]
      responses: { "200": { description: a page } }
    post:
      operationId: createUser
      requestBody:
        required: true
        content: { application/json: { example: { name: Jane } } }
      responses: { "201": { description: created } }
  /users/{id}:
    get:
      operationId: getUser
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: one } }
`;

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-openapi-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return folder;
}

const SERVER = { 'package.json': '{"name":"shop","scripts":{"start":"node server.js"}}', 'openapi.yml': DOCUMENT };

test('init requests the operations of the document, and leaves the others as comments with the reason', async (t) => {
	const folder = folderWith(t, SERVER);
	const { summary: said } = await writeInitialConfig(folder, { openapi: 'openapi.yml' });
	const text = readFileSync(join(folder, 'benchgate.yml'), 'utf8');
	assert.match(
		said,
		/^It asks 1 of 3 operations of openapi\.yml\. The others are comments in it, each with the reason\.$/m,
	);
	const scenarios = text.slice(text.indexOf('scenarios:'), text.indexOf('\n# A drop'));
	assert.equal(
		scenarios,
		`scenarios:
  # From openapi.yml. Wrong answers are never counted as fast: add to expect what a right one contains, such as json.
  # GET /users
  - name: listUsers
    request: { path: /users?page=2 }
    expect: { status: 200 }
  # POST /users: take away the # to measure it, or run init with --methods POST
  # - name: createUser
  #   request: { method: POST, path: /users, json: { name: Jane } }
  #   expect: { status: 201 }
  # GET /users/{id}: it needs a value for {id}
  # - name: getUser
  #   request: { path: /users/%7Bid%7D }
  #   expect: { status: 200 }
`,
	);
});

test('a named method is requested', async (t) => {
	const folder = folderWith(t, SERVER);
	await writeInitialConfig(folder, { openapi: 'openapi.yml', methods: ['GET', 'HEAD', 'POST'] });
	const config = parseConfig(readFileSync(join(folder, 'benchgate.yml'), 'utf8'), 'benchgate.yml', CATALOGUE);
	assert.deepEqual(
		config.scenarios?.map(
			(scenario) => typeof scenario === 'object' && [scenario.name, scenario.request.method, scenario.request.body],
		),
		[
			['listUsers', 'GET', undefined],
			['createUser', 'POST', '{"name":"Jane"}'],
		],
	);
});

test('a framework too gets its own server when a document is named', async (t) => {
	const folder = folderWith(t, {
		...SERVER,
		'package.json': '{"name":"koa","main":"s.js"}',
		's.js': 'http.createServer()',
	});
	await writeInitialConfig(folder, { openapi: 'openapi.yml' });
	assert.match(readFileSync(join(folder, 'benchgate.yml'), 'utf8'), /command: node s\.js/);
});

test('a document without a possible request leaves one request', async (t) => {
	const folder = folderWith(t, {
		...SERVER,
		'openapi.yml': DOCUMENT.replace('paths:', 'security: [{ key: [] }]\npaths:'),
	});
	await writeInitialConfig(folder, { openapi: 'openapi.yml' });
	const { scenarios = [] } = parseConfig(
		readFileSync(join(folder, 'benchgate.yml'), 'utf8'),
		'benchgate.yml',
		CATALOGUE,
	);
	assert.deepEqual(
		scenarios.map((one) => typeof one === 'object' && one.name),
		['home'],
	);
});

test('a missing or invalid document leaves no files behind', async (t) => {
	const folder = folderWith(t, { ...SERVER, 'openapi.yml': 'swagger: "2.0"' });
	await assert.rejects(writeInitialConfig(folder, { openapi: 'nope.json' }), { code: 'unreadable-openapi' });
	await assert.rejects(writeInitialConfig(folder, { openapi: 'openapi.yml' }), { code: 'bad-openapi' });
	assert.throws(() => readFileSync(join(folder, 'benchgate.yml')), { code: 'ENOENT' });
});

test('a long document is cut: eight operations are requested, forty are listed', () => {
	const paths = Object.fromEntries(
		Array.from({ length: 60 }, (_, at) => [`/p${at}`, { get: { responses: { 200: {} } } }]),
	);
	const all = listScenarios(readOpenApi(JSON.stringify({ openapi: '3.1.0', paths }), 'a.json'), []);
	const { text, asked } = writeScenarioLines(all, ['GET'], 'a.json');
	assert.equal(asked.length, 8);
	assert.equal(text.match(/name: /g)?.length, 40);
	assert.match(text, /^ {2}# 20 more are left out here\.$/m);
});

test('any document becomes a valid config, with every request as intended', () => {
	const word = fc.string({ unit: 'binary', maxLength: 12 });
	const example = fc.oneof(word, fc.integer(), fc.boolean(), fc.jsonValue({ maxDepth: 2 }));
	const parameter = fc.record({
		name: word,
		in: fc.constantFrom('query', 'header', 'path'),
		required: fc.boolean(),
		example,
	});
	const operation = fc.record({
		operationId: word,
		parameters: fc.array(parameter, { maxLength: 3 }),
		requestBody: fc.record({
			content: fc.dictionary(
				fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded'),
				fc.record({ example }),
			),
		}),
		responses: fc.constant({ 200: {} }),
	});
	const paths = fc.dictionary(
		word.map((text) => `/${text}`),
		fc.dictionary(fc.constantFrom('get', 'post', 'delete'), operation),
	);
	fc.assert(
		fc.property(paths, (each) => {
			const taken = CATALOGUE.scenarios.map(({ name }) => name);
			const all = listScenarios(readOpenApi(JSON.stringify({ openapi: '3.1.0', paths: each }), 'a.json'), taken);
			const { text, asked } = writeScenarioLines(all, ['GET', 'POST', 'DELETE'], 'a.json');
			const { scenarios = [] } = parseConfig(`threshold: 5%\n${text}`, 'benchgate.yml', CATALOGUE);
			const read = scenarios.flatMap((one) => (typeof one === 'object' ? [one] : []));
			assert.deepEqual(
				read.map(({ name }) => name),
				asked,
			);
			for (const { name, request } of read) {
				const made = all.find((one) => one.name === name)?.request;
				assert.equal(request.path, made?.path);
				if (made?.json !== undefined)
					assert.deepEqual(JSON.parse(request.body ?? ''), JSON.parse(JSON.stringify(made.json)));
			}
		}),
		{ seed: 1, numRuns: 300 },
	);
});
