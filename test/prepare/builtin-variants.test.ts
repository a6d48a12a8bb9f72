/** Built-in servers that run another one's program, are built, or need a feature that the machine lacks. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startCommand } from '../../src/prepare/builtin-servers.ts';
import { preparePinned } from '../../src/prepare/prepare-pinned.ts';
import { configOf, type Files, makeFolder, openSetting, printOf, writeFiles } from './support.ts';

const VARIANT: Files = {
	'servers/plain/package.json': { name: 'plain', private: true },
	'servers/plain/server.mjs': `import { HOW } from './how.mjs'; import { WORD } from '../shared/words.mjs'; console.log(WORD, HOW);`,
	'servers/plain/how.mjs': `export const HOW = 'plainly';`,
	'servers/other/package.json': { name: 'other', private: true, benchgate: { code: 'plain', about: [] } },
	'servers/other/how.mjs': `export const HOW = 'otherwise';`,
	'servers/shared/words.mjs': `export const WORD = 'said';`,
};

async function setUp(t: TestContext, files: Files, environment: { readonly node?: string } = {}) {
	const toolRoot = makeFolder(t, files);
	const { context } = await openSetting(t, { cwd: makeFolder(t), toolRoot, ...environment });
	return { toolRoot, prepare: (...names: string[]) => preparePinned(configOf(names), context) };
}

test("a variant runs the program of its neighbour with its own files in place of the neighbour's", async (t) => {
	const { toolRoot, prepare } = await setUp(t, VARIANT);
	const both = await prepare('plain', 'other');
	assert.equal(printOf(both, 'base', 'plain'), 'said plainly');
	assert.equal(printOf(both, 'base', 'other'), 'said otherwise');
	writeFiles(toolRoot, { 'servers/plain/server.mjs': `console.log('changed');` });
	assert.equal(printOf(await prepare('other'), 'head', 'other'), 'changed');
});

test('a server with a build script is built once, in its installation', async (t) => {
	const { prepare } = await setUp(t, {
		'servers/built/package.json': {
			name: 'built',
			private: true,
			scripts: { build: 'sh make.sh', start: './program' },
		},
		'servers/built/make.sh': `printf '#!/bin/sh\\necho made\\n' > program && chmod +x program`,
	});
	const first = await prepare('built');
	assert.equal(printOf(first, 'base', 'built'), 'made');
	assert.deepEqual(await prepare('built'), first);
});

test('a failing build is reported with its output', async (t) => {
	const { prepare } = await setUp(t, {
		'servers/built/package.json': {
			name: 'built',
			private: true,
			scripts: { build: 'sh make.sh', start: './program' },
		},
		'servers/built/make.sh': `echo 'server.go:7: undefined' >&2; exit 1`,
	});
	await assert.rejects(prepare('built'), (error: Error & { details?: string }) => {
		assert.match(error.message, /^sh make.sh of server built failed/);
		assert.match(error.details ?? '', /server\.go:7: undefined/);
		return true;
	});
});

test('a server that cannot run here is refused before any installation', async (t) => {
	const { prepare } = await setUp(t, {
		'servers/old/package.json': {
			name: 'old',
			private: true,
			engines: { node: '<10' },
			dependencies: { 'a-package-that-is-nowhere': '1.0.0' },
		},
		'servers/native/package.json': { name: 'native', private: true, benchgate: { glibc: '99.0' } },
		'servers/foreign/package.json': {
			name: 'foreign',
			private: true,
			scripts: { start: 'no-such-program server.x' },
		},
	});
	const refusal = (name: string, message: RegExp, remedy: RegExp) =>
		assert.rejects(prepare(name), { code: 'server-unsupported', where: `server ${name}`, message, remedy });
	await refusal('old', /^it needs Node <10, and this is \d/, /--node, or leave the server out$/);
	await refusal('native', /^its binaries need glibc 99\.0, and this machine has/, /Ubuntu/);
	await refusal('foreign', /^no-such-program is not installed$/, /on PATH/);
});

test('a start script names Node, a file of its own, a runtime it installs, or a program on PATH', (t) => {
	const folder = makeFolder(t);
	const command = (start?: string, runtime?: string) =>
		startCommand(
			{ ...(start !== undefined && { scripts: { start } }), ...(runtime !== undefined && { benchgate: { runtime } }) },
			{ node: '/opt/node', folder },
		);
	assert.deepEqual(command(), ['/opt/node', 'server.mjs']);
	assert.deepEqual(command('node --expose-gc main.mjs'), ['/opt/node', '--expose-gc', 'main.mjs']);
	assert.deepEqual(command('./server'), [join(folder, 'server')]);
	assert.deepEqual(command('python3 server.py'), ['python3', 'server.py']);
	const [bun = '', ...args] = command('bun server.mjs', 'bun');
	assert.ok(bun.startsWith(join(folder, 'node_modules/@oven/bun-')) && bun.endsWith('/bin/bun'), bun);
	assert.deepEqual(args, ['server.mjs']);
	assert.deepEqual(command('node server.mjs', 'node@20'), ['/opt/node', 'server.mjs']);
});

test('Bun is started from the place where npm or its install script puts it', (t) => {
	const bunIn = (folder: string) =>
		startCommand({ scripts: { start: 'bun a.mjs' }, benchgate: { runtime: 'bun' } }, { node: '/opt/node', folder })[0];
	const note = 'node_modules/bun/bin/bun.exe';
	const moved = makeFolder(t, { [note]: '' });
	assert.equal(bunIn(moved), join(moved, note));
	const place = bunIn('/')?.slice(1) ?? '';
	const unmoved = makeFolder(t, { [note]: '', [place]: '' });
	assert.equal(bunIn(unmoved), join(unmoved, place));
});
