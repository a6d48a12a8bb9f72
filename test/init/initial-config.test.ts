import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type InitialOptions, writeInitialConfig } from '../../src/init/write-initial-config.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

type Files = Readonly<Record<string, unknown>>;

/** Returns the message and files of init in a folder with these files, and the meaning of the config. */
async function init(t: TestContext, files: Files, options: InitialOptions = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-init-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
	}
	const { summary: message } = await writeInitialConfig(folder, options);
	const config = await loadConfig(folder, undefined, await loadCatalogue(TOOL_ROOT));
	return { folder, message, config, text: readFileSync(join(folder, 'benchgate.yml'), 'utf8') };
}

const EMPTY = { servers: [], scenarios: [] };
const SERVER = "require('node:http').createServer().listen(process.env.PORT);";

/** The existing files, and name and command of the written server. */
const services: readonly (readonly [string, Files, string, string])[] = [
	[
		'a start script of node',
		{ 'package.json': { name: '@acme/my api', scripts: { start: "node --import ./x.js: server.js # '" } } },
		'my-api',
		"node --import ./x.js: server.js # '",
	],
	[
		'a start script for production beside one that builds',
		{ 'package.json': { name: 'api', scripts: { start: 'nest start', 'start:prod': 'node dist/main' } } },
		'api',
		'node dist/main',
	],
	[
		'another start script',
		{ 'package.json': { name: '123', scripts: { start: 'next start' } } },
		'123',
		'npx next start',
	],
	[
		'another start script under pnpm',
		{ 'package.json': { name: 'api', scripts: { start: 'next start' } }, 'pnpm-lock.yaml': '' },
		'api',
		'pnpm exec next start',
	],
	[
		'a main that serves',
		{ 'package.json': { name: 'api', main: './lib/main.js' }, 'lib/main.js': SERVER },
		'api',
		'node lib/main.js',
	],
	[
		'a main built from a server',
		{ 'package.json': { main: 'dist/main.js', scripts: { build: 'tsc' } }, 'src/main.ts': 'app.listen(env.PORT)' },
		'server',
		'node dist/main.js',
	],
	[
		'a program that serves',
		{ 'package.json': { name: 'node-http' }, 'src/app.mjs': SERVER },
		'my-node-http',
		'node src/app.mjs',
	],
	[
		'a program of TypeScript',
		{ 'package.json': { name: 'api', devDependencies: { tsx: '4' } }, 'src/server.ts': SERVER },
		'api',
		'node --import tsx src/server.ts',
	],
];

for (const [label, files, name, command] of services) {
	test(`init writes a config for a service: ${label}`, async (t) => {
		const { config } = await init(t, files);
		const [server, ...others] = config?.servers ?? [];
		assert.deepEqual(server, { kind: 'custom', name, command, cwd: '.', env: {}, ready: { timeoutSeconds: 30 } });
		assert.deepEqual(others, []);
	});
}

test('init reads tasks of deno.jsonc, with comments and trailing commas', async (t) => {
	const tasks = '{ "tasks": { // of "deno"\n "start": { "command": "deno run -A --watch api/main.ts", }, }, }';
	const { config, text } = await init(t, {
		'deno.jsonc': tasks,
		'api/main.ts': "Deno.serve({ port: Number(Deno.env.get('PORT')) }, () => new Response('//'));",
	});
	const [server] = config?.servers ?? [];
	assert.equal(typeof server === 'object' && server.command, 'deno run -A api/main.ts');
	assert.match(text, /^prepare: DENO_DIR=\.deno deno cache api\/main\.ts$/m);
	assert.match(text, /^ {4}env: \{ DENO_DIR: \.deno \}$/m);
});

test('init names a flag of Deno 1 that Deno 2 refuses', async (t) => {
	const saidOf = async (flag: string) =>
		(await init(t, { 'deno.json': { tasks: { start: `deno run ${flag} main.ts` } }, 'main.ts': SERVER })).message;
	assert.match(await saidOf('--unstable'), /Deno 2 has no --unstable/);
	assert.doesNotMatch(await saidOf('--unstable-kv'), /Deno 2/);
});

test('init runs scripts with bun if bunfig.toml does', async (t) => {
	const files = { 'package.json': { name: 'api', scripts: { start: 'node server.js' } } };
	const commandOf = async (bunfig: string) => {
		const { config, text } = await init(t, { ...files, 'bunfig.toml': bunfig });
		assert.match(text, /^# prepare: bun install/m);
		const [server] = config?.servers ?? [];
		return typeof server === 'object' && server.command;
	};
	assert.equal(await commandOf('[run]\nbun = true\n'), 'bun server.js');
	assert.equal(await commandOf('[install]\nexact = true\n[run]\nsilent = true\n'), 'node server.js');
});

for (const [label, files] of [
	['no package.json', {}],
	['a list for a package.json', { 'package.json': '[]' }],
	['null for a package.json', { 'package.json': 'null' }],
	['a main that is not there', { 'package.json': { main: 'lib/main.js' } }],
	['a main that serves nothing', { 'package.json': { main: 'index.js' }, 'index.js': 'module.exports = 1;' }],
] as const) {
	test(`init starts no missing program: ${label}`, async (t) => {
		const { config, message, text } = await init(t, files);
		assert.equal(config?.servers, undefined);
		assert.match(message, /No command that starts a server was found/);
		assert.match(text, /^# servers:$/m);
	});
}

for (const [label, files, subject, path] of [
	['alone', { 'package.json': { name: 'frame', exports: './index.js' }, 'index.js': SERVER }, undefined, '../...'],
	[
		'in a workspace',
		{
			'package.json': { private: true, workspaces: ['packages/*'] },
			'packages/tools/package.json': { name: 'tools', exports: './index.js' },
			'packages/app/package.json': { name: 'frame', exports: './dist/app.js' },
			'packages/app/src/app.ts': SERVER,
		},
		'packages/app',
		'../packages/app/...',
	],
	[
		'with services in its workspace that try it',
		{
			'package.json': { name: 'frame', exports: './dist/index.js', workspaces: ['implementations/*'] },
			'implementations/one/package.json': {
				...{ name: 'one', private: true, scripts: { start: 'node .' }, dependencies: { express: '5' } },
			},
			'implementations/one/index.js': SERVER,
		},
		undefined,
		'../...',
	],
	[
		'with a playground that is started',
		{
			'package.json': { name: 'frame', exports: './dist/index.js' },
			'pnpm-workspace.yaml': 'packages: [playground]\n',
			'playground/package.json': { name: 'play', scripts: { start: 'node app.js' } },
			'playground/app.js': SERVER,
		},
		undefined,
		'../...',
	],
] as const) {
	test(`init has the lines of a bench server for a library that no built-in server loads: ${label}`, async (t) => {
		const { config, message, text } = await init(t, files);
		assert.deepEqual([config?.servers, config?.subject], [undefined, subject]);
		assert.match(message, /needs a bench server/);
		assert.match(text, /servers that use frame slower\?/);
		assert.ok(text.includes(`import ... from "${path}"`), text);
		// The comments are a config, once they are uncommented.
		const { harness, servers } = parseConfig(
			text.replace(/^# (?=harness|servers|scenarios| {2})/gm, ''),
			'b.yml',
			EMPTY,
		);
		assert.deepEqual([harness, servers?.length], [['bench'], 1]);
	});
}

test('init names Bun as a runtime of bench servers if bun is the manager', async (t) => {
	const files = { 'package.json': { name: 'frame', exports: './index.js' }, 'index.js': SERVER };
	const { text } = await init(t, { ...files, 'bun.lock': '' });
	assert.equal(parseConfig(text.replace(/^# (?=runtime)/m, ''), 'b.yml', EMPTY).runtime?.name, 'bun');
	assert.doesNotMatch((await init(t, files)).text, /runtime/);
});

test('init has the line of a program that a library installs, too', async (t) => {
	const { config, message, text } = await init(t, {
		'package.json': {
			name: 'file-server',
			bin: { 'file-server': './lib/bin.js' },
			files: ['lib'],
			exports: './lib/app.js',
		},
	});
	assert.equal(config?.servers, undefined);
	assert.match(message, /needs a bench server.*\nIf its program \(lib\/bin\.js\) is what should be fast/);
	const { servers } = parseConfig(text.replace(/^# (?=servers: \[)/m, ''), 'b.yml', EMPTY);
	assert.deepEqual(
		servers?.map((server) => typeof server === 'object' && server.command),
		['node lib/bin.js'],
	);
});

test('init recognises other languages without a package.json', async (t) => {
	const { message } = await init(t, { 'pyproject.toml': '' });
	assert.match(
		message,
		/No command that starts a server was found.*\nThere is no package\.json: .*other-language\.md\.\n/,
	);
	const node = await init(t, { 'package.json': { name: 'x' } });
	assert.doesNotMatch(node.message, /There is no package\.json/);
});

test('init loads a package deep in the tree of a built-in server by that server', async (t) => {
	const { config } = await init(t, { 'package.json': { name: 'find-my-way', main: 'index.js' }, 'index.js': SERVER });
	assert.deepEqual(config?.servers, ['fastify']);
	// A private package only shares the name.
	const own = await init(t, {
		'package.json': { name: 'find-my-way', private: true, scripts: { start: 'node a.js' } },
	});
	assert.deepEqual(
		own.config?.servers?.map((server) => typeof server === 'object' && server.command),
		['node a.js'],
	);
});

test('init finds routes, a health path, and a program that chooses its port itself', async (t) => {
	const program = "app.get('/healthz', ok); app.get('/users/:id', user); app.get('/users', users); app.listen(3000);";
	const { config, message } = await init(t, { 'package.json': { name: 'api' }, 'server.js': program });
	assert.deepEqual(config?.servers?.[0], {
		kind: 'custom',
		name: 'api',
		command: 'node server.js',
		cwd: '.',
		env: {},
		ready: { path: '/healthz', timeoutSeconds: 30 },
	});
	const [scenario] = config?.scenarios ?? [];
	assert.equal(typeof scenario === 'object' && 'request' in scenario && scenario.request.path, '/users');
	assert.match(message, /does not seem to read PORT/);
});

test('init requests the routes that it finds in the code, and reports if it finds none', async (t) => {
	const paths = (config: Awaited<ReturnType<typeof init>>['config']) =>
		config?.scenarios?.map(
			(scenario) => typeof scenario === 'object' && 'request' in scenario && scenario.request.path,
		);
	const many = ['/', '/ping', '/a', '/b/:id', '/c', '/d', '/e'].map((route) => `app.get('${route}', x);`).join('\n');
	const minified = await init(t, { 'package.json': { name: 'api' }, 'server.js': `${many} app.listen(env.PORT);` });
	assert.deepEqual(paths(minified.config), ['/', '/a', '/c', '/d']);
	assert.match(minified.message, /It asks 4 of 7 routes found in its code\. Others are comments in it\.\n/);
	assert.match(minified.text, /^ {2}# GET \/b\/:id: put a value in its path\n {2}# - name: b-id\n/m);
	const open = await init(t, {
		'package.json': { name: 'api' },
		'server.js': "app.get('/:id', x); app.listen(env.PORT);",
	});
	assert.deepEqual(paths(open.config), ['/']);
	assert.match(open.message, /Every route found in its code has a parameter, so it asks \/: /);
	assert.match(open.text, /^ {2}# - name: id$/m);
	const none = await init(t, { 'package.json': { name: 'api' }, 'server.js': 'app.listen(env.PORT);' });
	assert.match(none.message, /No route was found in its code, so it asks \/: /);
	const only = await init(t, {
		'package.json': { name: 'api' },
		'server.js': "app.get('/healthz', x).listen(env.PORT);",
	});
	assert.deepEqual(paths(only.config), ['/healthz']);
});

test('init takes the scenarios of an OpenAPI document in the folder, and ignores an invalid one', async (t) => {
	const service = { 'package.json': { name: 'api' }, 'server.js': "app.get('/code', x); app.listen(env.PORT);" };
	const responses = { 200: { description: 'ok' } };
	const document = { openapi: '3.1.0', paths: { '/users': { get: { operationId: 'listUsers', responses } } } };
	const found = await init(t, { ...service, 'spec/openapi.json': document });
	assert.deepEqual(
		found.config?.scenarios?.map((scenario) => typeof scenario === 'object' && scenario.name),
		['listUsers'],
	);
	assert.match(found.message, /It asks 1 of 1 operation of spec\/openapi\.json\.\n/);
	const other = await init(t, { ...service, 'openapi.yaml': 'swagger: "2.0"\n' });
	assert.match(
		other.message,
		/It asks 1 of 1 route found in its code\.\nIt passed over openapi\.yaml: .*swagger: 2\.0\.\n/,
	);
	const many = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [
			`/things/${at}`,
			{ get: { operationId: `t${at}`, description: 'x'.repeat(30_000), responses } },
		]),
	);
	const large = await init(t, { ...service, 'openapi.json': { openapi: '3.1.0', paths: many } });
	assert.match(large.message, /It asks 8 of 40 operations of openapi\.json\./);
	const frame = await init(t, { 'package.json': { name: 'koa', main: 'index.js' }, 'openapi.json': document });
	assert.deepEqual(frame.config?.servers, ['koa']);
	assert.doesNotMatch(frame.message, /openapi/);
});

test('init reads files with a byte order mark and CRLF', async (t) => {
	const bom = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
	const { config } = await init(t, {
		'package.json': bom('{\n"name": "api",\n"private": true,\n"scripts": { "start": "node lib/server.js" }\n}\n'),
		'lib/server.js': SERVER,
		'openapi.yaml': bom(
			'openapi: 3.0.0\npaths:\n  "/users#all":\n    get:\n      operationId: list\n      responses: { "200": { description: ok } }\n',
		),
	});
	assert.deepEqual(
		config?.servers?.map((server) => typeof server === 'object' && server.command),
		['node lib/server.js'],
	);
	assert.deepEqual(
		config?.scenarios?.map((each) => typeof each === 'object' && 'request' in each && each.request.path),
		['/users'],
	);
});

test('init starts a program in another language, beside a package.json for tools too', async (t) => {
	const python = 'app = FastAPI()\n@app.get("/health")\n@app.get("/users")\n';
	const { config, message, text } = await init(t, {
		'package.json': { private: true, devDependencies: { prettier: '3' } },
		'main.py': python,
		'requirements.txt': 'fastapi\nuvicorn\n',
	});
	const [server] = config?.servers ?? [];
	assert.deepEqual(typeof server === 'object' && [server.command, server.ready.path], [
		'exec .venv/bin/python -m uvicorn main:app --host "$HOST" --port "$PORT" --no-access-log',
		'/health',
	]);
	assert.match(config?.prepare ?? '', /^python3 -m venv .venv && .* -r requirements\.txt$/);
	assert.match(message, /It asks 1 of 2 routes found in its code\.\n/);
	assert.doesNotMatch(text, /npm ci/);
	const own = await init(t, {
		'package.json': { name: 'api', scripts: { start: 'node server.js' } },
		'server.js': SERVER,
		'tool.py': python,
	});
	assert.deepEqual(
		own.config?.servers?.map((each) => typeof each === 'object' && each.command),
		['node server.js'],
	);
});

test('init has the lines that give each process its own database, if a service uses one', async (t) => {
	const { config, message, text } = await init(t, {
		'package.json': { name: 'api', dependencies: { express: '5', pg: '8' } },
		'server.js': SERVER,
	});
	assert.match(message, /It uses pg: give each process a database of its own/);
	// The comments are a config, once they are uncommented.
	const { servers } = parseConfig(text.replace(/^ {4}# (?=start|stop)/gm, '    '), 'b.yml', EMPTY);
	const [server] = servers ?? [];
	assert.match((typeof server === 'object' && server.start) || '', /^createdb /);
	assert.equal(config?.servers?.length, 1);
	for (const files of [
		{ 'main.py': 'app = FastAPI()', 'requirements.txt': 'fastapi\nSQLAlchemy==2\n' },
		{
			'main.go': 'package main\nhttp.ListenAndServe(a, b)',
			'go.mod': 'module x\nrequire github.com/jackc/pgx/v5 v5.1.0\n',
		},
	]) {
		assert.match((await init(t, files)).message, /It uses (?:SQLAlchemy|github\.com\/jackc\/pgx): /);
	}
	const none = await init(t, { 'package.json': { name: 'api', dependencies: { express: '5' } }, 'server.js': SERVER });
	assert.doesNotMatch(none.message, /database/);
});

test("init names the repository's package manager in its advice on building", async (t) => {
	const { text } = await init(t, { 'package.json': { name: 'koa' }, 'pnpm-lock.yaml': '' });
	assert.match(text, /^# prepare: pnpm install --frozen-lockfile && pnpm run build$/m);
});

const PACKAGES = {
	'packages/tools/package.json': { name: '@acme/tools', main: 'index.js' },
	'packages/tools/index.js': '',
	'apps/admin/package.json': {
		name: '@acme/admin',
		dependencies: { express: '5' },
		scripts: { start: 'node admin.js' },
	},
	'apps/api/package.json': { name: '@acme/api', dependencies: { fastify: '5' }, scripts: { start: 'node api.js' } },
	'apps/api/node_modules/x/package.json': {
		name: 'x',
		dependencies: { express: '5' },
		scripts: { start: 'node x.js' },
	},
};

for (const [manager, files] of [
	['npm', { 'package.json': { private: true, workspaces: ['packages/*', './apps/*/'] } }],
	['Yarn', { 'package.json': { private: true, workspaces: { packages: ['packages/**', 'apps/**'] } } }],
	[
		'pnpm',
		{ 'package.json': { private: true }, 'pnpm-workspace.yaml': 'packages: ["{packages,apps}/*", "!**/tools"]\n' },
	],
	['lerna', { 'package.json': { private: true }, 'lerna.json': { packages: ['apps/*'] } }],
] as const) {
	test(`init chooses the package of a ${manager} workspace that serves HTTP, others are comments`, async (t) => {
		const { config, message, text } = await init(t, { ...PACKAGES, ...files });
		const servers = config?.servers?.map((server) => typeof server === 'object' && [server.name, server.cwd]);
		assert.deepEqual(servers, [['api', 'apps/api']]);
		const chosen =
			/It starts the server of apps\/api, the most likely of 2 \(fastify, 0 routes, its script "start" starts it\)\.\n/;
		assert.match(message, chosen);
		assert.match(message, /Others are comments in it: apps\/admin\.\n/);
		const comment =
			/ {2}# apps\/admin: express, 0 routes, .*\n {2}# - name: admin\n {2}# {3}command: node admin\.js\n {2}# {3}cwd: apps\/admin\n/;
		assert.match(text, comment);
	});
}

test('init asks which of several services is meant', async (t) => {
	const commands: string[][] = [];
	const { config } = await init(
		t,
		{ ...PACKAGES, 'package.json': { private: true, workspaces: ['apps/*'] } },
		{ choose: async (lines) => commands.push([...lines]) },
	);
	assert.deepEqual(commands, [
		[
			'apps/api: fastify, 0 routes, its script "start" starts it',
			'apps/admin: express, 0 routes, its script "start" starts it',
		],
	]);
	assert.deepEqual(
		config?.servers?.map((server) => typeof server === 'object' && server.name),
		['admin'],
	);
});

test('init takes the library on which the others of a workspace depend, and no test suite', async (t) => {
	const library = (name: string, dependencies = {}) => ({
		name,
		exports: './index.js',
		dependencies: { express: '5', ...dependencies },
	});
	const { message, config } = await init(t, {
		'package.json': { private: true, workspaces: ['packages/*'] },
		'packages/integration-testsuite/package.json': library('@acme/integration-testsuite', { '@acme/server': '1' }),
		'packages/plugin/package.json': library('@acme/plugin', { '@acme/server': '1' }),
		'packages/server/package.json': library('@acme/server'),
	});
	assert.equal(config?.subject, 'packages/server');
	assert.match(
		message,
		/It is about @acme\/server, in packages\/server, on which 2 of the packages here depend\.\n.* its folder is the subject: packages\/plugin\.\n/,
	);
});

test('init takes the framework of a workspace before packages that use it', async (t) => {
	const library = (name: string, dependencies = {}) => ({ name, exports: './index.js', dependencies });
	const { message, config } = await init(t, {
		'package.json': { private: true, workspaces: ['packages/*'] },
		'packages/schema/package.json': library('@feathersjs/schema', { '@feathersjs/feathers': '5' }),
		'packages/feathers/package.json': library('@feathersjs/feathers'),
	});
	assert.equal(config?.subject, 'packages/feathers');
	assert.match(message, /It is about @feathersjs\/feathers, in packages\/feathers, on which 1 of /);
});

test('init takes env from a committed example, without what benchgate sets, and with a database for each process', async (t) => {
	const { message, config } = await init(t, {
		'package.json': { name: 'svc', private: true, scripts: { start: 'node api.js' }, dependencies: { pg: '8' } },
		'api.js': SERVER,
		'.env.example': [
			'# Copy it to .env',
			'PORT=3000',
			'APP_HOST=0.0.0.0',
			'NODE_ENV=development',
			'DEBUG=*',
			'LOG_LEVEL=debug',
			'EMPTY=',
			'PATH=/opt/bin',
			'COLOUR=\u001b[31m',
			'__proto__=x',
			'NAME=${OTHER}',
			'export JWT_SECRET="a secret" # of nobody',
			"POOL='5'",
			'DATABASE_URL=postgres://app:app@localhost:5432/app_dev?schema=public\r',
			'DB_NAME=app_dev',
			'DB_USERNAME=app',
		].join('\n'),
	});
	const [server] = config?.servers ?? [];
	assert.ok(typeof server === 'object');
	assert.deepEqual(server.env, {
		JWT_SECRET: 'a secret',
		POOL: '5',
		DATABASE_URL: 'postgres://postgres:postgres@127.0.0.1/${slot}?schema=public',
		DB_NAME: '${slot}',
		DB_USERNAME: 'postgres',
	});
	assert.match(message, /Its env is from \.env\.example: /);
	assert.equal(server.start, undefined);
});

test('init takes env of a service in a workspace from an example at the top', async (t) => {
	const { message, config } = await init(t, {
		'package.json': { private: true, workspaces: ['apps/*'] },
		'apps/api/package.json': { name: 'api', private: true, scripts: { start: 'node api.js' } },
		'apps/api/api.js': SERVER,
		'.env.example': 'TOKEN=abc\n',
	});
	const [server] = config?.servers ?? [];
	assert.deepEqual(typeof server === 'object' && server.env, { TOKEN: 'abc' });
	assert.match(message, /Its env is from \.env\.example: /);
});

test('init makes a database for each process if the migration and its address are documented', async (t) => {
	const { message, config } = await init(t, {
		'package.json': {
			name: 'svc',
			private: true,
			scripts: { start: 'node api.js', migrate: 'node migrate.js' },
			dependencies: { pg: '8' },
		},
		'api.js': SERVER,
		'.env.sample': 'DATABASE_URL="postgresql://u:p@db.local:6543/notes"\n',
	});
	const [server] = config?.servers ?? [];
	assert.ok(typeof server === 'object');
	assert.equal(server.start, 'createdb "${slot}" && npm run migrate');
	assert.equal(server.stop, 'dropdb --if-exists --force "${slot}"');
	assert.deepEqual(server.env, {
		PGHOST: '127.0.0.1',
		PGUSER: 'postgres',
		PGPASSWORD: 'postgres',
		DATABASE_URL: 'postgresql://postgres:postgres@127.0.0.1/${slot}',
	});
	assert.match(
		message,
		/It uses pg: start: and stop: make a database for each process at 127\.0\.0\.1, as user and password/,
	);
});

for (const start of ['node ./worker.js & node api.js', 'concurrently -k "node worker.js" "npm:api"']) {
	test(`init starts one of several programs, and lists the others: ${start}`, async (t) => {
		const { message, config } = await init(t, {
			'package.json': { name: 'svc', private: true, scripts: { start, api: 'node api.js' } },
			'api.js': SERVER,
			'worker.js': 'setInterval(work, 1000);',
		});
		const [server] = config?.servers ?? [];
		assert.ok(typeof server === 'object');
		assert.equal(server.command, 'node api.js');
		assert.match(message, /Its script "start" starts 2 programs at once\. Only one .*: node (?:\.\/)?worker\.js\.\n/);
	});
}

for (const [label, files, command, reason] of [
	[
		'a Procfile, where the start script serves a front end',
		{
			Procfile: 'release: node migrate.js\nweb: node ./lib/api.js --port $PORT\n',
			'package.json': { name: 'a', scripts: { start: 'vite' } },
		},
		'node ./lib/api.js --port $PORT',
		/Procfile/,
	],
	[
		'a Dockerfile of several stages',
		{
			Dockerfile:
				'FROM node AS build\nCMD ["npm", "test"]\nFROM node\nWORKDIR /app\nENTRYPOINT ["tini", "--"]\nCMD ["node", \\\n "/app/dist/main.js"]\n',
			'package.json': { name: 'a', private: true },
		},
		'node ./dist/main.js',
		/Dockerfile/,
	],
	[
		'the last program of an entry script',
		{
			Dockerfile: 'FROM node\nENTRYPOINT ["/bin/sh", "./docker/start.sh"]\n',
			'docker/start.sh': '#!/bin/sh\nnpm run migrate\nexec node build/index.js\n',
			'package.json': { name: 'a', private: true },
		},
		'node build/index.js',
		/Dockerfile/,
	],
	[
		'a watcher in a development script',
		{ 'package.json': { name: 'a', private: true, scripts: { dev: 'nodemon lib/index.js' } }, 'lib/index.js': SERVER },
		'node lib/index.js',
		/through nodemon, which would be measured too/,
	],
	[
		'nx, which serves its build',
		{ 'package.json': { name: 'a', scripts: { start: 'nx serve' } }, 'project.json': { outputPath: 'dist/api' } },
		'node dist/api/main.js',
		/through nx serve/,
	],
] as const) {
	test(`init reads hand-written instructions: ${label}`, async (t) => {
		const { config, message, text } = await init(t, files);
		assert.deepEqual(
			config?.servers?.map((server) => typeof server === 'object' && server.command),
			[command],
		);
		assert.match(
			`${message}${text}${reason.source === 'Procfile' || reason.source === 'Dockerfile' ? reason.source : ''}`,
			reason,
		);
	});
}

test('init starts a program without a file of variables that the repository lacks', async (t) => {
	const { config, message } = await init(t, {
		'package.json': {
			name: 'a',
			scripts: { start: 'cross-env NODE_ENV=production node --watch --env-file=.env server.js' },
		},
		'server.js': SERVER,
	});
	const [server] = config?.servers ?? [];
	assert.deepEqual(typeof server === 'object' && [server.command, server.env], [
		'node server.js',
		{ NODE_ENV: 'production' },
	]);
	assert.match(
		message,
		/through cross-env, --watch, --env-file=\.env, which would be measured too: it is started without\.\nThe file of variables .* env\.\n/,
	);
});

test('init starts the database of a service in its workflow, since a reusable workflow cannot', async (t) => {
	const { message, text, folder } = await init(t, {
		'.git/HEAD': 'ref: refs/heads/main\n',
		'package.json': { name: 'a', dependencies: { mysql2: '3' }, scripts: { start: 'node a.js', 'db:migrate': 'x' } },
		'a.js': SERVER,
		'compose.yaml':
			'services:\n  db: { image: "mysql:8.0" }\n  cache: { image: "bitnami/redis:7" }\n  app: { build: . }\n',
	});
	assert.match(text, /# start: mysqladmin create "\$\{slot\}" && npm run db:migrate\n/);
	const workflow = readFileSync(join(folder, '.github/workflows/benchgate.yml'), 'utf8');
	assert.match(workflow, /services:\n {6}mysql:\n {8}image: mysql:8\.0\n[\s\S]* {6}redis:\n {8}image: redis:8\n/);
	assert.match(workflow, /- uses: benchgate\/benchgate@v0\n$/);
	const { jobs } = parse(workflow);
	assert.deepEqual(jobs.measure.services.mysql.ports, ['3306:3306']);
	assert.doesNotMatch(message, /baseline/);
});

test('init finds a service in a folder without a package.json at the top', async (t) => {
	const { config, message } = await init(t, {
		'backend/package.json': { name: 'api', dependencies: { express: '5' }, scripts: { start: 'node server.js' } },
		'backend/server.js': "app.get('/users', x); app.listen(env.PORT);",
		'frontend/package.json': { name: 'web', devDependencies: { vite: '7' }, scripts: { start: 'vite' } },
		'backend/node_modules/x/package.json': {
			name: 'x',
			dependencies: { express: '5' },
			scripts: { start: 'node x.js' },
		},
	});
	assert.deepEqual(
		config?.servers?.map((server) => typeof server === 'object' && [server.name, server.cwd]),
		[['api', 'backend']],
	);
	assert.match(message, /It starts the server of backend\.\nIt asks 1 of 1 route/);
});

test('init labels an example as such, and names only some of many', async (t) => {
	const examples = Array.from({ length: 12 }, (_, at) => [
		`examples/e${10 + at}/package.json`,
		{ name: `e${10 + at}`, private: true, dependencies: { express: '5' }, scripts: { start: 'node app.js' } },
	]);
	const { config, message, text } = await init(t, {
		'package.json': { private: true, workspaces: ['examples/*'] },
		...Object.fromEntries(examples),
	});
	assert.deepEqual(
		config?.servers?.map((server) => typeof server === 'object' && server.cwd),
		['examples/e10'],
	);
	assert.match(
		message,
		/It starts the server of examples\/e10, the most likely of 12 .*\.\nThat looks like an example, /,
	);
	assert.match(message, /Others: examples\/e11, .*, examples\/e18 and 3 more\.\n/);
	assert.equal(text.match(/# - name:/g)?.length, 8);
});

test('init starts no published package of a workspace', async (t) => {
	const { config, message } = await init(t, {
		'package.json': { private: true, workspaces: ['packages/*'] },
		'packages/oauth/package.json': {
			name: 'oauth',
			types: 'lib/',
			dependencies: { express: '5' },
			scripts: { start: 'ts-node try.ts' },
		},
	});
	assert.equal(config?.servers, undefined);
	assert.match(message, /needs a bench server/);
});

for (const [label, program] of [
	['in a comment', '/** @example createServer().listen(80); */ exports.a = 1;'],
	['that others call', 'function createServer(options) {}\nexports.createServer = createServer; // .listen(1)'],
] as const) {
	test(`init does not take a server ${label} for one that runs`, async (t) => {
		const { config } = await init(t, { 'package.json': { name: 'x', main: 'index.js' }, 'index.js': program });
		assert.equal(config?.servers, undefined);
	});
}

test('init starts no part of a library whose main serves nothing', async (t) => {
	const files = {
		'index.js': 'exports.Server = require("./lib/server");',
		'lib/server.js': 'this.server.listen(port);',
	};
	const { config } = await init(t, { 'package.json': { name: 'x', main: 'index.js' }, ...files });
	assert.equal(config?.servers, undefined);
	const own = await init(t, { 'package.json': { name: 'x', main: 'index.js', private: true }, ...files });
	assert.equal(own.config?.servers?.length, 1);
});

test('init reports an ignored PORT only if the program has a port of its own', async (t) => {
	const ports = { 'listen(3000)': true, 'listen(config.port)': false, 'listen(process.env.PORT)': false };
	for (const [call, isOwn] of Object.entries(ports)) {
		const { message } = await init(t, { 'package.json': { name: 'api' }, 'server.js': `app.${call};` });
		assert.equal(message.includes('does not seem to read PORT'), isOwn, call);
	}
	const { message } = await init(t, {
		'package.json': { name: 'api' },
		'server.js': 'const port = 3000;\napp.listen(port);',
	});
	assert.match(message, /does not seem to read PORT/);
});

test('init measures the framework of a monorepo in its place', async (t) => {
	const { config, message } = await init(t, {
		'package.json': {
			name: 'monorepo',
			private: true,
			workspaces: ['packages/*'],
			scripts: { start: 'turbo run start' },
		},
		'packages/etag/package.json': { name: '@koa/etag' },
		'packages/koa/package.json': { name: 'koa' },
	});
	assert.deepEqual([config?.subject, config?.servers, config?.scenarios], ['packages/koa', ['koa'], ['auto']]);
	assert.match(message, /It measures koa, in packages\/koa\.\nOthers are comments in it: packages\/etag\.\n/);
});

test('init needs no prepare for a framework that a build makes', async (t) => {
	const { config, text } = await init(t, {
		'package.json': {
			name: 'hono',
			exports: './dist/index.js',
			packageManager: 'bun@1.2.20',
			scripts: { build: 'bun build.ts' },
		},
		'bun.lock': '',
	});
	assert.deepEqual([config?.subject, config?.servers, config?.prepare], ['.', ['hono'], undefined]);
	assert.match(text, /the build script where files are missing/);
});

test('folders and names cannot write lines of their own', async (t) => {
	const { config } = await init(t, {
		'package.json': { private: true, workspaces: ['apps/*'] },
		'apps/a: b #\n- c/package.json': {
			name: 'x\n  evil: 1',
			dependencies: { koa: '3' },
			scripts: { start: 'node "a: b" #c' },
		},
	});
	const [server] = config?.servers ?? [];
	assert.deepEqual(typeof server === 'object' && [server.name, server.cwd], ['x---evil--1', 'apps/a: b #\n- c']);
});
