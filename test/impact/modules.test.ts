/** ECMAScript modules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cover, type Files, reasonOf } from './cover.ts';

const BASE: Files = {
	'index.mjs': `import { join } from 'path'
import { add, idle } from './tools.mjs'
const PATTERN = /a+/
export function help(x) { return join(x, PATTERN.source) }
export default function hot(x) { return add(x) }
hot.idle = idle
`,
	'tools.mjs': `export const add = (a) => a + 1
export function idle() { return 1 }
export class Tools { static of() { return new Tools() } run() { return 2 } }
`,
};
const coverage = await cover(BASE, 'index.mjs', (loaded) => (loaded as { default: (x: number) => number }).default(1));

const CASES: readonly (readonly [string, keyof typeof BASE, string, string, boolean])[] = [
	['the prefix of a module of Node', 'index.mjs', "'path'", "'node:path'", false],
	['another name imported from a module of Node', 'index.mjs', '{ join }', '{ join, resolve }', false],
	['a module of Node imported', 'index.mjs', 'const PATTERN', "import util from 'node:util'\nconst PATTERN", false],
	['a constant that no running code uses', 'index.mjs', '/a+/', '/b+/', false],
	['a function that does not run', 'tools.mjs', 'return 1', 'return 2', false],
	['a method that does not run', 'tools.mjs', 'return 2', 'return 3', false],
	['a function that runs', 'tools.mjs', 'a + 1', 'a + 2', true],
	['another module imported', 'index.mjs', 'const PATTERN', "import './more.mjs'\nconst PATTERN", true],
	['another name imported from a script', 'index.mjs', '{ add, idle }', '{ add, idle, Tools }', true],
	['a name exported', 'tools.mjs', 'export class', 'export const more = 1\nexport class', true],
	['a constant that is exported now', 'index.mjs', 'const PATTERN', 'export const PATTERN', true],
	['a method added', 'tools.mjs', 'run()', 'more() {} run()', true],
	['import attributes', 'index.mjs', "'path'", "'path' with { type: 'json' }", true],
	['top-level await', 'tools.mjs', 'export class', 'await 1\nexport class', true],
];

for (const [name, file, from, to, affected] of CASES) {
	test(`${affected ? 'affected' : 'unaffected'}: ${name}`, () => {
		const text = BASE[file] ?? '';
		const head = { ...BASE, [file]: text.replace(from, to) };
		assert.notEqual(head[file], text);
		assert.equal(reasonOf(BASE, head, coverage) !== null, affected);
	});
}
