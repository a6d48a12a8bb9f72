import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
