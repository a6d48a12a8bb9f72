import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findStartReason, lastWords } from '../../src/measure/start/start-reason.ts';

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-reason-')));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [file, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	}
	return folder;
}

/** Real programs that cannot start: their files, command and error. */
const programs: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[], RegExp])[] = [
	[
		'a package without its build',
		{
			'server.mjs': `import 'hollow';`,
			'node_modules/hollow/package.json': '{ "name": "hollow", "exports": "./dist/index.js" }',
		},
		['server.mjs'],
		/^cannot find node_modules\/hollow\/dist\/index\.js, which server\.mjs imports$/,
	],
	[
		'a package that is not installed',
		{ 'a/server.mjs': `import 'left-pad';` },
		['a/server.mjs'],
		/^cannot find the module left-pad, which a\/server\.mjs imports$/,
	],
	[
		'a file that CommonJS wants',
		{ 'server.cjs': `require('./lib/app');` },
		['server.cjs'],
		/^cannot find \.\/lib\/app, which server\.cjs requires$/,
	],
	['a program that is not there', {}, ['dist/main.js'], /^cannot find dist\/main\.js$/],
	[
		'a path that is not exported',
		{
			'server.mjs': `import 'closed/inside';`,
			'node_modules/closed/package.json': '{ "name": "closed", "exports": { ".": "./index.js" } }',
		},
		['server.mjs'],
		/^cannot import \.\/inside of the package in node_modules\/closed\/package\.json: its "exports" do not name it, which server\.mjs imports$/,
	],
	[
		'a name that is not exported',
		{ 'server.mjs': `import { nothing } from './other.mjs';`, 'other.mjs': '' },
		['server.mjs'],
		/^imports nothing from \.\/other\.mjs, which has no such export in server\.mjs:1$/,
	],
	[
		'a function that only a newer Node has',
		{ 'server.mjs': 'delete Promise.withResolvers;\nPromise.withResolvers();' },
		['server.mjs'],
		/^needs another Node: this one does not have Promise\.withResolvers, which server\.mjs:2 calls$/,
	],
	[
		'a syntax error',
		{ 'server.js': 'const a = 1;\nconst = 2;\n' },
		['server.js'],
		/^has a syntax error in server\.js:2: Unexpected token '='$/,
	],
	[
		'an error nobody caught',
		{ 'server.cjs': `\n\nthrow new TypeError('DATABASE_URL is missing');` },
		['server.cjs'],
		/^failed with TypeError in server\.cjs:3: DATABASE_URL is missing$/,
	],
	[
		'an option Node does not know',
		{},
		['--no-such-option', 'server.js'],
		/^needs another Node: this one does not know the option --no-such-option$/,
	],
	[
		'a Node that is too old',
		{ 'server.cjs': `console.error('acme requires node >= 99.0'); process.exit(1);` },
		['server.cjs'],
		/^requires another Node: acme requires node >= 99\.0$/,
	],
];

for (const [label, files, command, expected] of programs) {
	test(`why a server did not start: ${label}`, (t) => {
		const cwd = folderWith(t, files);
		const { stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } });
		assert.match(findStartReason(stderr, { cwd, port: 1 }) ?? `nothing: ${stderr}`, expected);
	});
}

test('why a server did not start: a port that is taken, its own or another', async (t) => {
	const other = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => other.once('listening', resolve));
	t.after(() => void other.close());
	const { port } = other.address() as { port: number };
	const cwd = folderWith(t, { 'server.cjs': `require('node:http').createServer().listen(${port}, '127.0.0.1');` });
	const { stderr } = spawnSync(process.execPath, ['server.cjs'], { cwd, encoding: 'utf8' });
	const taken = `cannot listen on port ${port}, which another process has taken`;
	assert.equal(findStartReason(stderr, { cwd, port }), taken, stderr);
	const fixed = `${taken}: both sides run at once, so it must take its port from PORT (1), and any second port from env`;
	assert.equal(findStartReason(stderr, { cwd, port: 1 }), fixed);
	const socket = join(cwd, 'taken.sock');
	const holder = createServer().listen(socket);
	await new Promise((resolve) => holder.once('listening', resolve));
	t.after(() => void holder.close());
	writeFileSync(join(cwd, 'socket.cjs'), "require('node:http').createServer().listen('./taken.sock');");
	const unix = spawnSync(process.execPath, ['socket.cjs'], { cwd, encoding: 'utf8' });
	assert.match(findStartReason(unix.stderr, { cwd, port: 1 }) ?? '', /^cannot listen on the socket .*: .* PORT \(1\)/);
});

test('why a server did not start: programs in other languages', (t) => {
	const cwd = folderWith(t, { 'server.py': 'import sys\nimport flask_that_is_not_there\n' });
	const place = { cwd, port: 1 };
	const python = spawnSync('python3', [join(cwd, 'server.py')], { encoding: 'utf8' });
	const missing = "failed with ModuleNotFoundError in server.py:2: No module named 'flask_that_is_not_there'";
	assert.equal(findStartReason(python.stderr, place), missing, python.stderr);
	const shell = spawnSync('/bin/sh', ['-c', 'no-such-server --port 1'], { encoding: 'utf8' });
	assert.equal(findStartReason(shell.stderr, place), 'calls no-such-server, which is not installed', shell.stderr);
	writeFileSync(join(cwd, 'start.sh'), '#!/bin/bash\r\nexec node server.js\r\n', { mode: 0o755 });
	const windows = spawnSync('/bin/sh', ['-c', './start.sh'], { cwd, encoding: 'utf8' });
	assert.match(
		findStartReason(windows.stderr, place) ?? '',
		/^calls \.\/start\.sh, .*Windows line ends$/,
		windows.stderr,
	);
});

test('no reason is invented, and no output makes a long sentence', () => {
	const place = { cwd: '/srv', port: 1 };
	for (const output of ['', 'listening on 3000', 'Error: one\nError: two', 'no stack here\n    at the end']) {
		assert.equal(findStartReason(output, place), null, output);
	}
	for (const piece of [
		'\n',
		' ',
		'Error: x\n',
		'/a:1',
		"Cannot find module '",
		'A',
		':1',
		'    at (/',
		'sh: ',
		'needs node 1',
	]) {
		const reason = findStartReason(piece.repeat(Math.ceil(65_536 / piece.length)), place);
		assert.ok((reason ?? '').length < 1_000, piece);
	}
});

test("Deno's errors are found behind its colours", () => {
	const output =
		'\x1b[0m\x1b[1m\x1b[31merror\x1b[0m: Uncaught (in promise) TypeError: Deno.openKv is not a function\nexport const kv = await Deno.openKv();\n\x1b[0m\x1b[31m                             ^\x1b[0m\n    at \x1b[0m\x1b[36mfile:///app/src/db/kv.ts\x1b[0m:\x1b[0m\x1b[33m2\x1b[0m:\x1b[0m\x1b[33m30\x1b[0m\n';
	assert.equal(
		findStartReason(output, { cwd: '/app', port: 1 }),
		'failed with TypeError in src/db/kv.ts:2: Deno.openKv is not a function',
	);
});

test('the last lines of a log come without colours', (t) => {
	const folder = folderWith(t, { log: '\x1b[0m\x1b[31mno database\x1b[0m\n' });
	assert.equal(lastWords(join(folder, 'log')), 'no database');
});
