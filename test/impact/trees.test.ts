/** What differs between two sides beside the functions of their scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { ImpactReason } from '../../src/types/impact.ts';
import { cover, type Files, impactOf, reasonOf } from './cover.ts';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const LIB = { name: 'lib', version: '1.0.0', exports: { '.': './index.js', './more': './more.js' } };
const BASE: Files = {
	'package.json': json({ name: 'server' }),
	'server.js': `const lib = require('lib')
const { help } = require('./help')
try { require('optional') } catch {}
function late(name) { return require(name) }
module.exports = Object.assign(() => help(lib()), { late })
`,
	'help/index.js': 'exports.help = (x) => x + 1\n',
	'data.json': json({ a: 1 }),
	'views/a.html': 'hash-a',
	'prices.sqlite': 'hash-a',
	current: '-> v1',
	'node_modules/lib/package.json': json(LIB),
	'node_modules/lib/index.js': 'module.exports = () => 1\n',
	'node_modules/lib/more.js': 'module.exports = () => 2\n',
	'node_modules/idle/package.json': json({ name: 'idle', version: '1.0.0' }),
	'node_modules/idle/index.js': 'module.exports = 1\n',
};
const run = (server: unknown) => (server as () => unknown)();
const coverage: CellCoverage = {
	...(await cover(BASE, 'server.js', run)),
	reads: ['data.json', 'views/', 'absent.json'],
};

const without = (path: string): Files => Object.fromEntries(Object.entries(BASE).filter(([each]) => each !== path));
const lib = (fields: object) => ({ ...BASE, 'node_modules/lib/package.json': json({ ...LIB, ...fields }) });

const UNAFFECTED: Readonly<Record<string, Files>> = {
	nothing: BASE,
	'a file that no code reads': { ...BASE, 'README.md': 'hash', 'views/a.html': 'other hash' },
	'a script that no code loads': { ...BASE, 'node_modules/lib/more.js': 'module.exports = () => 3\n' },
	'another version of a package that no code loads': {
		...BASE,
		'node_modules/idle/package.json': json({ name: 'idle', version: '2.0.0', main: 'other.js' }),
	},
	'another version of a package with the same code': lib({ version: '1.0.1' }),
	'R7: a new key of exports': lib({ exports: { ...LIB.exports, './new': './new.js' } }),
	'a script added': { ...BASE, 'node_modules/lib/new.js': '' },
	'a package added that no code names': { ...BASE, 'node_modules/new/package.json': json({ name: 'new' }) },
};

const AFFECTED: Readonly<Record<string, readonly [ImpactReason['kind'], Files]>> = {
	'a changed dependency': ['code', { ...BASE, 'node_modules/lib/index.js': 'module.exports = () => 2\n' }],
	'a loaded script removed': ['code', without('node_modules/lib/index.js')],
	'data that base read': ['data', { ...BASE, 'data.json': json({ a: 2 }) }],
	'data that base looked for': ['data', { ...BASE, 'absent.json': '{}' }],
	'a file in a folder that base listed': ['data', { ...BASE, 'views/b.html': 'hash-b' }],
	'a database that base may have opened': ['data', { ...BASE, 'prices.sqlite': 'hash-b' }],
	'a link that leads elsewhere': ['resolution', { ...BASE, current: '-> v2' }],
	'another entry of a package': ['resolution', lib({ exports: { ...LIB.exports, '.': './more.js' } })],
	'another type of a package': ['resolution', lib({ type: 'module' })],
	'a key of exports removed': ['resolution', lib({ exports: { '.': './index.js' } })],
	'a pattern added to exports': ['resolution', lib({ exports: { ...LIB.exports, './*': './*.js' } })],
	'an optional package installed': ['resolution', { ...BASE, 'node_modules/optional/index.js': '' }],
	'a file that comes before a folder': ['resolution', { ...BASE, 'help.js': 'exports.help = 1' }],
	'a package.json in a folder': ['resolution', { ...BASE, 'help/package.json': json({ main: 'index.js' }) }],
};

for (const [name, head] of Object.entries(UNAFFECTED)) {
	test(`unaffected: ${name}`, () => assert.equal(reasonOf(BASE, head, coverage), null));
}
for (const [name, [kind, head]] of Object.entries(AFFECTED)) {
	test(`affected: ${name}`, () => assert.equal(reasonOf(BASE, head, coverage)?.kind, kind));
}

test('a package nested in another is nearer to its scripts', async () => {
	const base: Files = {
		'server.js': "module.exports = require('lib')",
		'node_modules/lib/index.js': "const idle = require('idle')\nmodule.exports = () => idle",
		'node_modules/idle/index.js': 'module.exports = 1',
	};
	const head = { ...base, 'node_modules/lib/node_modules/idle/index.js': 'module.exports = 2' };
	const reason = reasonOf(base, head, await cover(base, 'server.js', run));
	assert.deepEqual(reason, { kind: 'resolution', specifier: 'idle', path: 'node_modules/lib/index.js' });
});

test('a script added matters to code that computes which one it loads', async () => {
	const loading = (loaded: unknown) => (loaded as { late: (name: string) => unknown }).late('./help');
	const added = { ...BASE, 'more.js': '' };
	const idle = await cover(BASE, 'server.js', run);
	assert.equal(reasonOf(BASE, added, idle), null);
	const computing = await cover(BASE, 'server.js', loading);
	assert.deepEqual(reasonOf(BASE, added, computing), { kind: 'resolution', specifier: 'late', path: 'server.js' });
	assert.equal(reasonOf(BASE, { ...BASE, more: '' }, computing)?.kind, 'resolution');
	assert.equal(reasonOf(BASE, { ...BASE, 'README.md': '' }, computing), null);
});

test('a script added matters to code that hides how it loads scripts', async () => {
	const resolving = "export default function hot(name) { try { import.meta.resolve(name + '.mjs') } catch {} }";
	const evaluating = `const load = new Function('name', 'return import(name)')
export default async function hot(name) { try { await load(name) } catch {} }`;
	for (const text of [resolving, evaluating]) {
		const base = { 'index.mjs': text };
		const covered = await cover(base, 'index.mjs', (loaded) =>
			(loaded as { default: (name: string) => unknown }).default('./help'),
		);
		const reason = reasonOf(base, { ...base, 'help.mjs': '' }, covered);
		assert.deepEqual(reason, { kind: 'resolution', specifier: 'import', path: 'index.mjs' });
	}
});

test('a literal that may be a number in use is no version', async () => {
	const base = {
		'package.json': '{ "name": "app", "version": "2" }',
		'index.js': "const times = '2'\nmodule.exports = () => { for (let i = 0; i < Number(times); i++) {} }",
	};
	const head = Object.fromEntries(
		Object.entries(base).map(([path, text]) => [path, text.replace(/(["'])2\1/, '$16$1')]),
	);
	const covered = await cover(base, 'index.js', (hot) => (hot as () => void)());
	assert.equal(reasonOf(base, head, covered)?.kind, 'code');
});

test('coverage that is incomplete makes a cell affected', () => {
	const unseen = [{ kind: 'process' as const, detail: 'sh -c true' }];
	assert.deepEqual(reasonOf(BASE, BASE, { ...coverage, unseen }), {
		kind: 'unseen',
		unseen: 'process',
		detail: 'sh -c true',
	});
	assert.equal(reasonOf(BASE, BASE, { ...coverage, scripts: [] })?.kind, 'unseen');
});

test('a script that V8 ran from another text makes a cell affected', () => {
	const scripts = coverage.scripts.map((script) => ({ ...script, hash: 'f'.repeat(64) }));
	assert.equal(reasonOf(BASE, BASE, { ...coverage, scripts })?.kind, 'unseen');
});

test('a function whose text base read may not change, comments included', async () => {
	const base: Files = { 'index.js': 'function idle() { return 1 }\nmodule.exports = () => String(idle)\n' };
	const head = { 'index.js': base['index.js']?.replace('return 1', 'return 1 /* one */') ?? '' };
	const covered = await cover(base, 'index.js', run);
	assert.equal(reasonOf(base, head, covered), null);
	const { createHash } = await import('node:crypto');
	const text = createHash('sha256').update('function idle() { return 1 }').digest('hex');
	assert.deepEqual(reasonOf(base, head, { ...covered, texts: [text] }), { kind: 'data', path: 'index.js' });
});

test('scripts that no cell loads are listed by their paths', () => {
	const head = { ...BASE, 'node_modules/lib/more.js': '0', 'node_modules/lib/test/more.js': '0' };
	assert.deepEqual(
		impactOf(BASE, head, coverage).changes.map(({ name, cells }) => [name, cells]),
		[['node_modules/lib/more.js', []]],
	);
});

test('affected: JSON that a module imports', async () => {
	const server = `${BASE['server.js']}// import rates from './rates.json' with { type: 'json' }\n`;
	const base = { ...BASE, 'server.js': server, 'rates.json': json({ rate: 1 }) };
	const head = { ...base, 'rates.json': json({ rate: 2 }) };
	assert.equal(reasonOf(base, head, await cover(base, 'server.js', run))?.kind, 'data');
});
