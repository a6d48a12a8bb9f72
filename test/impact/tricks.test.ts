/** Edits that keep every running function, or seem to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cover, reasonOf } from './cover.ts';

const BASE = `'use strict'
const a = require('node:os')
function hot(x) {
  return x + cold(x)
}
function cold(y) { if (y > 1e9) { return deep(y, null) } return 0 }
function deep(z) { return z }
module.exports = hot
`;
const FILE = 'index.js';
const coverage = await cover({ [FILE]: BASE }, FILE, (hot) => (hot as (x: number) => number)(1));

function reasonAfter(edit: (text: string) => string) {
	const head = edit(BASE);
	assert.notEqual(head, BASE);
	return reasonOf({ [FILE]: BASE }, { [FILE]: head }, coverage);
}

const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);

const UNAFFECTED: Readonly<Record<string, (text: string) => string>> = {
	'a comment': replace('return x', '/* c */ return x'),
	'a comment of several lines': replace('  return x', '  // c\n\n  return x'),
	'semicolons where lines end': (text) => text.replace(/\)\n/g, ');\n').replace('return z }', 'return z; }'),
	'an empty statement': replace('return x +', ';return x +'),
	'quotes of a string': replace("'node:os'", '"node:os"'),
	'an escape in a name that means the same': replace('return x +', 'return \\u0078 +'),
	'white space': replace('return x + cold(x)', 'return   x+cold( x )'),
	'the body of a function that does not run': replace('return z }', 'return z * 2 }'),
	'a new function that no code uses': replace('module.exports', 'function other() {}\nmodule.exports'),
	'a new constant that no code uses': replace('module.exports', 'const LIMIT = 60 * 1000\nmodule.exports'),
};

const AFFECTED: Readonly<Record<string, (text: string) => string>> = {
	'a line break after return': replace('return x + cold(x)', 'return\n x + cold(x)'),
	'no strict mode': replace("'use strict'\n", ''),
	'strict mode of one function': replace('deep(z) {', "deep(z) { 'use strict';"),
	'a parameter more': replace('deep(z)', 'deep(z, q)'),
	'a default of a parameter': replace('deep(z)', 'deep(z = hot)'),
	'an async function': replace('function deep', 'async function deep'),
	'a generator': replace('function deep', 'function* deep'),
	'another variable captured': replace('return z }', 'return a }'),
	'another variable captured by a nested function': replace('return z }', 'return () => a }'),
	'a captured variable assigned': (text) => text.replace('const a', 'let a').replace('return z }', 'a = 1; return z }'),
	'a called function assigned': replace('return z }', 'cold = null }'),
	'use of arguments': replace('return z }', 'return arguments }'),
	'direct eval': replace('return z }', 'return eval("z") }'),
	'with in a sloppy script': (text) => text.replace("'use strict'", '').replace('return z }', 'with (z) return z }'),
	'a function with the name of a global in use': replace('module.exports', 'function require(){}\nmodule.exports'),
	'a variable with the name of a wrapper’s': replace('module.exports', 'var exports = 1, module = {}\nmodule.exports'),
	'a function declared twice': (text) => `${text}function cold(y) { return 1 }\n`,
	'a regular expression for a number': replace('1e9', '/a/g'),
	'a flag of a regular expression': replace('1e9', '/a/g.lastIndex'),
	'code in an HTML comment': replace('return x + cold(x)', 'return x <!-- cold(x)'),
	'let for const': replace('const a', 'let a'),
	'var for const': replace('const a', 'var a'),
	'parentheses around a function': replace('module.exports = hot', 'module.exports = (hot)'),
	'infinity for null': replace('null', '1e999'),
	'another value exported': replace('module.exports = hot', 'module.exports = cold'),
	'a syntax error': replace('return z }', 'return z'),
	'a decorator': (text) => `${text}@hot class Decorated {}\n`,
	'a class field': (text) => `${text}class Fields { a = 1 }\n`,
	'a statement more': (text) => `${text}hot(1)\n`,
	'a new import with effects': replace('module.exports', "const b = require('node:cluster')\nmodule.exports"),
};

for (const [name, edit] of Object.entries(UNAFFECTED)) {
	test(`unaffected: ${name}`, () => assert.equal(reasonAfter(edit), null));
}

for (const [name, edit] of Object.entries(AFFECTED)) {
	test(`affected: ${name}`, () => assert.notEqual(reasonAfter(edit), null));
}

test('a function that runs, with its number of calls', () => {
	assert.deepEqual(reasonAfter(replace('return 0 }', 'return 1 }')), {
		kind: 'code',
		change: { kind: 'function', name: 'cold', path: FILE, line: 6, side: 'head' },
		user: null,
		callsPerRequest: 1,
	});
});

test('deeply nested code and excessively growing files are affected', () => {
	for (const text of [
		`a${'.b'.repeat(100_000)}`,
		`${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
		`function more() {}\n`.repeat(20_000),
	]) {
		const reason = reasonAfter((base) => `${base}${text}\n`);
		assert.equal(reason?.kind, 'code');
	}
});

const CLOSURE = `module.exports = function hot(x) {
  let kept = x
  let other = 1
  const idle = () => { return kept }
  { let other = 2; idle.block = other }
  for (let turn = 0; turn < 2; turn += 1) { if (x > 1e9) { idle(turn) } }
  return x + other
}
`;
const closures = await cover({ [FILE]: CLOSURE }, FILE, (hot) => (hot as (x: number) => number)(1));

/** Each edits a closure that never runs, in a function that does. */
const CLOSURES: Readonly<Record<string, boolean>> = {
	'{ return kept + 1 }': false,
	'{ let other = kept; return other }': false,
	'{ return () => kept }': false,
	'{ return kept + other }': true,
	'{ { let other = 1 } return kept + other }': true,
	'{ return () => other + kept }': true,
	'{ kept = 2; return kept }': true,
	'{ ({ a: kept } = {}); return kept }': true,
	'{ [kept = 2] = []; return kept }': true,
	'{ for (kept of []); return kept }': true,
	'{ return () => kept++ }': true,
	'{ return arguments.length + kept }': true,
	'{ return this, kept }': true,
	'{ return new.target, kept }': true,
	'{ return eval("other"), kept }': true,
	'{ return class { a = other + kept } }': true,
	'{ return { other, kept } }': true,
	'{ return `${other}` + kept }': true,
	'{ return 1 }': true,
};

for (const [body, affected] of Object.entries(CLOSURES)) {
	test(`a closure that never runs, ${affected ? 'affected' : 'unaffected'}: ${body}`, () => {
		const head = CLOSURE.replace('{ return kept }', body);
		assert.equal(reasonOf({ [FILE]: CLOSURE }, { [FILE]: head }, closures) !== null, affected);
	});
}
