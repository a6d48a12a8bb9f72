/** Changes of start-up code that no running code can notice, and the near misses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImpactReason } from '../../src/types/impact.ts';
import { cover, type Files, impactOf, reasonOf } from './cover.ts';

const PACKAGE = JSON.stringify({ name: 'lib', version: '1.2.3', main: 'index.js' });
const BASE: Files = {
	'package.json': PACKAGE,
	'index.js': `'use strict'
const path = require('path')
const { join } = require('node:path')
const tools = require('./tools')
const LIMIT = 10
const IDLE = /a+/g
const VERSION = '1.2.3'
let count = 0
function hot(x) { count += 1; return x + LIMIT + tools.add(1) }
function idle(x) { return join(x, IDLE.source) }
hot.idle = idle
hot.path = path.sep + VERSION
module.exports = hot
`,
	'tools.js': `exports.add = (a) => a + 1
exports.other = function (a) { return a - 1 }
`,
};
const coverage = await cover(BASE, 'index.js', (hot) => (hot as (x: number) => number)(1));

function after(edits: Readonly<Record<string, (text: string) => string>>): Files {
	const head: Record<string, string> = { ...BASE };
	for (const [file, edit] of Object.entries(edits)) {
		const text = edit(BASE[file] ?? '');
		assert.notEqual(text, BASE[file], file);
		head[file] = text;
	}
	return head;
}

const replace = (from: string, to: string) => (text: string) => text.replace(from, to);
const index = (edit: (text: string) => string) => after({ 'index.js': edit });
const before = (line: string) => index(replace('module.exports', `${line}\nmodule.exports`));

const UNAFFECTED: Readonly<Record<string, Files>> = {
	'R1: a new function, used by one that does not run': index((text) =>
		text
			.replace('return join(x', 'return help(join), join(x')
			.replace('module.exports', 'function help() {}\nmodule.exports'),
	),
	'R1: a function removed': after({ 'index.js': replace('return join(x, IDLE.source)', 'return join(x, IDLE)') }),
	'R1: a new constant': before("const NEW = { a: [1, 'b', -1], b: `c` }"),
	'R2: the prefix of a module of Node': index(replace("require('path')", "require('node:path')")),
	'R2: another name of an import that no running code uses': index((text) =>
		text.replace('{ join }', '{ join, resolve }').replace('return join(x', 'return resolve(x'),
	),
	'R2: an import of a module of Node that has no effects': before("const { inspect } = require('node:util')"),
	'R3: the version': after({
		'index.js': replace("'1.2.3'", "'1.2.4'"),
		'package.json': replace('1.2.3', '1.2.4'),
	}),
	'R8: a constant that no running code uses': index(replace('/a+/g', '/a{1,}/')),
	'a function moved': index((text) => {
		const line = 'function idle(x) { return join(x, IDLE.source) }\n';
		return text.replace(line, '').replace("'use strict'\n", `'use strict'\n${line}`);
	}),
	'a function of another file that does not run': after({ 'tools.js': replace('a - 1', 'a - 2') }),
	'a dependency of package.json that no code loads': after({
		'package.json': replace('}', ',"dependencies":{"x":"1"}}'),
	}),
};

const AFFECTED: Readonly<Record<string, Files>> = {
	'a constant that a function uses': index(replace('LIMIT = 10', 'LIMIT = 20')),
	'a constant that the top level uses': index((text) =>
		text.replace('IDLE = /a+/g', 'IDLE = /b+/g').replace('hot.path', 'hot.pattern = IDLE; hot.path'),
	),
	'an initial value': index(replace('let count = 0', 'let count = 1')),
	'a constant that calls a function': before('const NEW = Date.now()'),
	'a constant with a getter': before('const NEW = { get a() { return 1 } }'),
	'a prefix where require is another function': index((text) =>
		text.replace("'use strict'", "'use strict'\nvar require = module.require").replace("'path'", "'node:path'"),
	),
	'a module with effects': before("const domain = require('node:domain')"),
	'a module of the side that was not loaded': before("const other = require('./other')"),
	'a version without that of the package': index(replace("'1.2.3'", "'1.2.4'")),
	'a part of a version': after({
		'index.js': replace('LIMIT = 10', 'LIMIT = 11'),
		'package.json': replace('1.2.3', '1.2.4'),
	}),
	'a new function that assigns a variable in use': before('function reset() { count = 0 }'),
	'R4: a method added to an object': before('hot.more = function () {}'),
	'R6: another signature': index(replace('function idle(x)', 'function idle(x, y)')),
	'an export added': before('exports.more = 1'),
	'two statements swapped': index((text) =>
		text.replace('hot.idle = idle\nhot.path = path.sep + VERSION', 'hot.path = path.sep + VERSION\nhot.idle = idle'),
	),
	'two loads swapped': index((text) =>
		text
			.replace("const tools = require('./tools')\n", '')
			.replace('const path', "const tools = require('./tools')\nconst path"),
	),
};

for (const [name, head] of Object.entries(UNAFFECTED)) {
	test(`unaffected: ${name}`, () => assert.equal(reasonOf(BASE, head, coverage), null));
}
for (const [name, head] of Object.entries(AFFECTED)) {
	test(`affected: ${name}`, () => assert.notEqual(reasonOf(BASE, head, coverage), null));
}

function codeReason(reason: ImpactReason | null) {
	assert.equal(reason?.kind, 'code');
	return { ...reason.change, user: reason.user, calls: reason.callsPerRequest };
}

test('a constant is affected through the function that uses it', () => {
	const reason = codeReason(reasonOf(BASE, AFFECTED['a constant that a function uses'] ?? {}, coverage));
	const { name, user, calls, line } = reason;
	assert.deepEqual({ name, user, calls, line }, { name: 'LIMIT', user: 'hot', calls: 1, line: 5 });
});

test('changed functions that no cell runs are listed, with the rest', () => {
	const head = after({
		'index.js': replace('return join(x', 'return join(1, x'),
		'tools.js': replace('a + 1', 'a + 2'),
	});
	const { changes } = impactOf(BASE, head, coverage);
	assert.deepEqual(
		changes.map(({ name, path, line, cells }) => ({ name, path, line, cells })),
		[
			{ name: 'idle', path: 'index.js', line: 10, cells: [] },
			{ name: 'exports.add', path: 'tools.js', line: 1, cells: ['cell'] },
		],
	);
});

for (const [tools, affected] of [
	['exports.a = 1', false],
	['Object.defineProperty(exports, "a", { get: () => 1 })', true],
	['module.exports = require("./late")', true],
] as const) {
	test(`another import of a loaded module is ${affected ? 'affected' : 'unaffected'}: ${tools}`, async () => {
		const late = 'exports.run = (b) => b\nexports.idle = () => 1';
		const base: Files = {
			'index.js': "require('./tools')\nconst late = require('./late')\nmodule.exports = () => late.run(1)",
			'tools.js': tools,
			'late.js': late,
		};
		const head = { ...base, 'late.js': `const { a } = require('./tools')\n${late.replace('=> 1', '=> a')}` };
		const covered = await cover(base, 'index.js', (run) => (run as () => unknown)());
		assert.equal(reasonOf(base, head, covered) !== null, affected);
		const before = { ...covered, scripts: covered.scripts.toReversed() };
		assert.notEqual(reasonOf(base, head, before), null, 'tools.js after late.js');
	});
}
