import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadCatalogue } from '../../../src/config/load-catalogue.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { writeInitialConfig } from '../../../src/init/write-initial-config.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';

/** Returns the files that init writes in a folder with these files. */
async function init(t: TestContext, files: Readonly<Record<string, string>>) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-bench-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	const { summary } = await writeInitialConfig(folder);
	const config = await loadConfig(folder, undefined, await loadCatalogue(TOOL_ROOT));
	const read = (path: string) => readFileSync(join(folder, path), 'utf8');
	return { folder, summary, config, read };
}

/** The existing files, the written program, a line of it, and the tool that reads its syntax. */
const LIBRARIES = [
	[
		'chi',
		{ 'go.mod': 'module github.com/go-chi/chi/v5\n' },
		'bench/main.go',
		'"github.com/go-chi/chi/v5"',
		['gofmt', '-l'],
	],
	['gin', { 'go.mod': 'module github.com/gin-gonic/gin\n' }, 'bench/main.go', 'gin.ReleaseMode', ['gofmt', '-l']],
	['mux', { 'go.mod': 'module github.com/gorilla/mux\n' }, 'bench/main.go', 'mux.Vars', ['gofmt', '-l']],
	['echo 4', { 'go.mod': 'module github.com/labstack/echo/v4\n' }, 'bench/main.go', 'c echo.Context', ['gofmt', '-l']],
	['echo 5', { 'go.mod': 'module github.com/labstack/echo/v5\n' }, 'bench/main.go', 'c *echo.Context', ['gofmt', '-l']],
	[
		'axum in a workspace',
		{ 'Cargo.toml': '[workspace]\nmembers = ["axum"]\n', 'axum/Cargo.toml': '[package]\nname = "axum"\n' },
		'bench/src/main.rs',
		'axum::serve',
		['rustfmt', '--edition', '2021', '--check'],
	],
	[
		'actix-web',
		{ 'Cargo.toml': '[workspace]\n', 'actix-web/Cargo.toml': '[package]\nname = "actix-web"\nversion = "4"\n' },
		'bench/src/main.rs',
		'HttpServer::new',
		['rustfmt', '--edition', '2021', '--check'],
	],
	[
		'warp',
		{ 'Cargo.toml': '[package]\nname = "warp"\nversion = "0.4.3"\n' },
		'bench/src/main.rs',
		'warp::path!',
		['rustfmt', '--edition', '2021', '--check'],
	],
	[
		'falcon',
		{ 'pyproject.toml': '[build-system]\n\n[project]\nname = "falcon"\n' },
		'bench/server.py',
		'falcon.App(',
		['python3', '-m', 'py_compile'],
	],
	[
		'starlette',
		{ 'pyproject.toml': '[project]\nname = "starlette"\n' },
		'bench/server.py',
		'Starlette(',
		['python3', '-m', 'py_compile'],
	],
	[
		'elysia',
		{ 'package.json': '{ "name": "elysia", "exports": "./dist/index.js" }', 'src/index.ts': '', 'bun.lock': '' },
		'bench/server.ts',
		'new Elysia()',
		['node', '--check'],
	],
	[
		'Flask',
		{ 'pyproject.toml': '[project]\nname = "Flask"\n' },
		'bench/server.py',
		'Flask(',
		['python3', '-m', 'py_compile'],
	],
] as const;

for (const [label, files, file, line, [tool, ...flags]] of LIBRARIES) {
	test(`init writes a bench server of at most 20 lines: ${label}`, async (t) => {
		const { folder, summary, config, read } = await init(t, files);
		assert.match(summary, new RegExp(`Wrote .*${file}, a bench server of `));
		assert.ok(read(file).includes(line) && read(file).trimEnd().split('\n').length <= 20, read(file));
		assert.deepEqual(config?.harness, ['bench']);
		assert.deepEqual(
			config?.servers?.map((server) => typeof server === 'object' && server.cwd),
			['bench'],
		);
		assert.equal(config?.scenarios?.length, 2);
		const checked = spawnSync(tool, [...flags, file], { cwd: folder, encoding: 'utf8' });
		if (checked.error === undefined) assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', '']);
	});
}

test('a bench server of a workspace finds the crate, and replaces no existing folder', async (t) => {
	const files = { 'Cargo.toml': '[workspace]\n', 'axum/Cargo.toml': '[package]\nname = "axum"\n' };
	const { read } = await init(t, files);
	assert.match(read('bench/Cargo.toml'), /^axum = \{ path = "\.\.\/axum" \}$/m);
	const taken = await init(t, { ...files, 'bench/other.txt': '' });
	assert.equal(taken.config?.harness, undefined);
});

test('a bench server for Bun runs on Bun', async (t) => {
	const { config } = await init(t, { 'package.json': '{ "name": "elysia" }', 'src/index.ts': '' });
	assert.equal(config?.runtime?.name, 'bun');
});

type Json = Readonly<Record<string, unknown>>;
const packageOf = (json: Json) => JSON.stringify({ name: 'neat', files: ['index.js'], ...json });
const README = "const express = require('express')\nconst neat = require('neat')\napp.use(neat())\n";
const EXPRESS = { devDependencies: { express: '5' } };

/** The existing files, the written program, the command. */
const MIDDLEWARE = [
	[
		'one of express',
		{ 'package.json': packageOf(EXPRESS), 'index.js': 'module.exports = () => {};', 'README.md': README },
		'bench/server.cjs',
		`const express = require("express");
const plugin = require("..");

const app = express();
app.use(plugin());
app.use((request, response) => response.end("hello"));
app.listen(process.env.PORT, process.env.HOST);
`,
		'node server.cjs',
	],
	[
		'a plugin of fastify, which its README registers without a name',
		{
			'package.json': packageOf({ keywords: ['fastify'], main: 'index.js', devDependencies: { fastify: '5' } }),
			'index.js': 'module.exports = fp(neat)',
			'readme.md': "fastify.register(require('neat'), {\n",
		},
		'bench/server.cjs',
		`const fastify = require("fastify");
const plugin = require("..");

const app = fastify();
app.register(plugin).after(() => app.get("/", async () => "hello"));
app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
`,
		'node server.cjs',
	],
	[
		'a package with exports for koa, beside express for its tests',
		{
			'package.json': packageOf({
				name: '@acme/koa-neat',
				exports: { '.': { import: './dist/index.mjs', require: './dist/index.cjs' } },
				devDependencies: { express: '5', koa: '3' },
			}),
			'README.md':
				'import { neat as tidy } from "@acme/koa-neat";\nconst made = tidy({ deep: true });\nexpress();\napp.use(made);\n',
		},
		'bench/server.mjs',
		`import Koa from "koa";
import { neat as plugin } from "@acme/koa-neat";

const app = new Koa();
app.use(plugin());
app.use((ctx) => {
  ctx.body = "hello";
});
app.listen(process.env.PORT, process.env.HOST);
`,
		'node server.mjs',
	],
	[
		'one of hono that its package.json describes, as a module that a build makes',
		{
			'package.json': packageOf({
				...{ type: 'module', main: './dist/index.js', scripts: { build: 'tsc' } },
				description: 'A middleware for Hono',
				peerDependencies: { hono: '4' },
				devDependencies: { '@hono/node-server': '1' },
			}),
		},
		'bench/server.mjs',
		`import { Hono } from "hono";
import { serve } from "@hono/node-server";
import plugin from "../dist/index.js";

const app = new Hono();
app.use(plugin());
app.get("/", (context) => context.text("hello"));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
`,
		'node server.mjs',
	],
	[
		'a private source in TypeScript without a name and a framework',
		{
			'package.json': JSON.stringify({ private: true, type: 'module', devDependencies: { tsx: '4' } }),
			'index.ts': 'export default () => {};',
			'README.md': '# Neat\n\nimport neat from "neat";\nconst app = express();\napp.use(neat());\n',
		},
		'bench/server.mjs',
		`import { createServer } from "node:http";
import plugin from "../index.ts";

const mounted = plugin();
const server = createServer((request, response) => mounted(request, response, () => response.end("hello")));
server.listen(process.env.PORT, process.env.HOST);
`,
		'node --import tsx server.mjs',
	],
] as const;

for (const [label, files, file, program, command] of MIDDLEWARE) {
	test(`init writes a bench server for middleware: ${label}`, async (t) => {
		const { folder, summary, config, read } = await init(t, files);
		assert.match(
			summary,
			new RegExp(`Wrote ${file}, .* It is a guess: it mounts the package with its default options\\.`),
		);
		assert.equal(read(file), program);
		assert.deepEqual(config?.harness, ['bench']);
		assert.deepEqual(
			config?.servers?.map((server) => typeof server === 'object' && [server.command, server.cwd]),
			[[command, 'bench']],
		);
		assert.deepEqual(
			config?.scenarios?.map((each) => typeof each === 'object' && [each.request.path, each.expect?.text]),
			[['/', 'hello']],
		);
		assert.equal(spawnSync('node', ['--check', file], { cwd: folder }).status, 0);
	});
}

test('a bench server mounts a compiled middleware as its README does, without a framework', async (t) => {
	const { folder, read } = await init(t, {
		'package.json': packageOf({ main: 'lib' }),
		'lib/index.js':
			'exports.default = (word) => (request, response, next) => { response.setHeader("x-word", word); next(); };',
		'README.md':
			"import neat from 'neat'\nvar app = express()\napp.use('/save', neat('5s'), other)\napp.use(neat('5s'))\n",
	});
	assert.match(read('bench/server.cjs'), /plugin\("5s"\)/);
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const { port } = probe.address() as { port: number };
	probe.close();
	await once(probe, 'close');
	const env = { ...process.env, HOST: '127.0.0.1', PORT: String(port) };
	const server = spawn('node', ['server.cjs'], { cwd: join(folder, 'bench'), env, stdio: 'inherit' });
	t.after(() => server.kill());
	const ask = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null);
	let answer = await ask();
	for (let tries = 0; answer === null && server.exitCode === null && tries < 200; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		answer = await ask();
	}
	assert.deepEqual([answer?.headers.get('x-word'), await answer?.text()], ['5s', 'hello']);
});

const INDEX = { 'index.js': 'module.exports = () => {};' };

/** Files of packages that no line mounts for certain. */
const UNCLEAR: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
	['no README and no word about a framework', { 'package.json': packageOf(EXPRESS) }],
	[
		'a README that calls a method of it',
		{
			'package.json': packageOf({ ...EXPRESS, description: 'Express middleware' }),
			'README.md': README.replace('neat()', 'neat.initialize()'),
		},
	],
	[
		'an argument that its README made before',
		{ 'package.json': packageOf(EXPRESS), 'README.md': README.replace('neat()', 'neat(store)') },
	],
	['another package that is mounted', { 'package.json': packageOf({ ...EXPRESS, name: 'tidy' }), 'README.md': README }],
	[
		'two frameworks',
		{
			'package.json': packageOf({ keywords: ['express', 'koa'], devDependencies: { express: '5', koa: '3' } }),
			'README.md': README,
		},
	],
	[
		'a framework that is not installed',
		{ 'package.json': packageOf({ description: 'Koa middleware' }), 'README.md': README },
	],
	['a plugin of something else', { 'package.json': packageOf({}), 'README.md': README.replaceAll('express', 'vue') }],
	[
		'a limit that the load would reach',
		{ 'package.json': packageOf({ ...EXPRESS, keywords: ['rate-limit'] }), 'README.md': README },
	],
	[
		'a secret to set',
		{ 'package.json': packageOf({ ...EXPRESS, name: 'neat', description: 'JWT' }), 'README.md': README },
	],
	[
		'a source in TypeScript that nothing builds',
		{
			'package.json': packageOf({ ...EXPRESS, main: 'index.ts' }),
			'index.js': '',
			'index.ts': '',
			'README.md': README,
		},
	],
	[
		'a main file that nothing builds',
		{ 'package.json': packageOf({ ...EXPRESS, main: 'dist/index.js' }), 'README.md': README },
	],
	['a folder that is taken', { 'package.json': packageOf(EXPRESS), 'README.md': README, 'bench/run.js': '' }],
	[
		'a workspace',
		{
			'package.json': JSON.stringify({ ...EXPRESS, name: 'neat', private: true, workspaces: ['packages/*'] }),
			'README.md': README,
			'packages/one/package.json': '{ "name": "one" }',
		},
	],
];

for (const [label, files] of UNCLEAR) {
	test(`init writes only comments for a package with ${label}`, async (t) => {
		const { config, summary } = await init(t, { ...INDEX, ...files });
		assert.doesNotMatch(summary, / guess/);
		assert.deepEqual([config?.harness, config?.servers], [undefined, undefined]);
	});
}

test('a service is started, also when its README mounts its own name', async (t) => {
	const json = packageOf({ ...EXPRESS, private: true, scripts: { start: 'node index.js' } });
	const { config } = await init(t, { ...INDEX, 'package.json': json, 'README.md': README });
	assert.equal(config?.harness, undefined);
	assert.deepEqual(
		config?.servers?.map((server) => typeof server === 'object' && server.command),
		['node index.js'],
	);
});
