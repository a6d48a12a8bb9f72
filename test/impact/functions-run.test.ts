/** V8's ranges and the functions of the source are the same functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScript } from '../../src/impact/canonical.ts';
import { functionsRun } from '../../src/impact/functions-run.ts';
import type { Unit } from '../../src/impact/scopes.ts';
import { cover, REQUESTS } from './cover.ts';

/** Every function returns its name, or is called by one that does. */
const KINDS = `
function declared() { return 'declared' }
async function asynchronous() { return 'asynchronous' }
function* generated() { yield 'generated' }
const expression = function () { return 'expression' }
const named = function inner() { return 'named' }
const arrow = () => 'arrow', curried = (a) => (b) => ('curried'), waiting = async (x = () => 1) => { x(); return 'waiting' }
const single = async x => x
const object = {
  method() { return 'method' }, async later() { return 'later' }, *many() { yield 'many' },
  get value() { return 'value' }, set value(to) { object.kept = to }, ['com' + 'puted'](a) { return 'computed' },
  plain: function () { return 'plain' }, async *both() { yield 'both' },
}
class Base { constructor(value) { this.kept = value } }
class Kinds extends Base {
  constructor() { super('constructor') }
  field = (() => 'field')()
  late = () => 'late'
  static shared = (() => 'shared')()
  static { (() => 'block')() }
  static of(a) { return 'of' }
  static async wait () { return 'wait' }
  get own() { return this.#hidden('own') }
  #hidden(x) { return x }
  async *[Symbol.asyncIterator]() { yield 1 }
}
class Implicit extends Base {}
function call() {
  declared(); asynchronous(); [...generated()]; expression(); named(); arrow(); curried(1)(2); waiting(); single(1)
  object.method(); object.later(); [...object.many()]; object.value = object.value; object.computed(1); object.plain()
  object.both().next()
  const kinds = new Kinds(); kinds.late(); Kinds.of(1); Kinds.wait(); kinds.own; kinds[Symbol.asyncIterator]().next()
  new Implicit(1)
}
`;

for (const [file, text] of [
	['index.js', `${KINDS}\nmodule.exports = call`],
	['index.mjs', `${KINDS}\nexport default call`],
	['hash.js', `#!/usr/bin/env node\n${KINDS}\nmodule.exports = call`],
	['mark.js', `\uFEFF${KINDS}\nmodule.exports = call`],
] as const) {
	test(`all kinds of functions run in ${file}`, async () => {
		const coverage = await cover({ [file]: text }, file, (loaded) => {
			const call = typeof loaded === 'function' ? loaded : (loaded as { default: () => void }).default;
			call();
		});
		const script = readScript(text, [file.endsWith('.mjs') ? 'module' : 'script'], null);
		assert.ok(script);
		const run = functionsRun(script, coverage.scripts[0]?.functions ?? []);
		const idle = [...script.units.values()].filter(
			(unit) => !((run.get(unit)?.before ?? 0) + (run.get(unit)?.during ?? 0)),
		);
		assert.deepEqual(
			idle.map(({ name }) => name),
			[],
		);
		const once = ['declared', 'curried', 'waiting', 'method', 'Kinds.constructor', 'Kinds.of', 'Kinds.#hidden'];
		for (const name of once) {
			const unit: Unit | undefined = [...script.units.values()].find((each) => each.name === name);
			assert.ok(unit, name);
			assert.equal(run.get(unit)?.during, REQUESTS, name);
		}
	});
}

test('a function that does not run is not listed', async () => {
	const text = `${KINDS}\nmodule.exports = () => declared()`;
	const coverage = await cover({ 'index.js': text }, 'index.js', (call) => (call as () => void)());
	const script = readScript(text, ['script'], null);
	assert.ok(script);
	const run = [...functionsRun(script, coverage.scripts[0]?.functions ?? []).keys()].map(({ name }) => name);
	assert.deepEqual(
		run.filter((name) => !['Kinds.shared', 'Kinds.member', 'class.member', 'anonymous'].includes(name)).sort(),
		['declared', 'module.exports', 'top level'],
	);
});
