import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divide } from '../../src/explain/proof-pieces.ts';
import { widen } from '../../src/explain/proof-search.ts';
import type { FileState } from '../../src/types/difference.ts';

const gap = '\n'.repeat(6);
const stateOf = (text: string | null): FileState | null =>
	text === null ? null : { mode: '100644', content: Buffer.from(text) };

/** The order of pieces, and the other pieces that go with the first piece of `path` and `line`. */
function partsOf(files: Readonly<Record<string, readonly [string | null, string | null]>>) {
	const changed = Object.entries(files).map(([path, [base, head]]) => ({
		...{ path, base: stateOf(base), head: stateOf(head) },
	}));
	const division = divide(changed, () => true);
	const nameOf = (piece: (typeof division.pieces)[number]) =>
		piece.package?.name ?? (piece.line === 0 ? piece.path : `${piece.path}:${piece.line}`);
	return {
		order: division.pieces.map(nameOf),
		/** Prefixes of the order that do not run. */
		broken: division.pieces.filter((_, at) => {
			const applied = new Set(division.pieces.slice(0, at + 1));
			return division.conflicts((piece) => applied.has(piece)).length > 0;
		}).length,
		without: (name: string) =>
			widen(
				division,
				division.pieces.filter((piece) => nameOf(piece) === name),
			)[0]?.map(nameOf),
	};
}

test('a hunk goes with the declaration that it uses, whichever side lacks it', () => {
	const { order, broken, without } = partsOf({
		'lib/a.js': [
			`var merge = require('utils-merge')\n${gap}exports.a = function () {\n  merge(1)\n}\n${gap}exports.b = 1\n`,
			`var fast = require('./fast')\n${gap}exports.a = function () {\n  Object.assign(1) // merge\n}\n${gap}exports.b = fast(2)\n`,
		],
		'lib/fast.js': [null, 'module.exports = (x) => x\n'],
		'package.json': ['{"dependencies":{"utils-merge":"1"}}', '{}'],
	});
	assert.deepEqual(order, ['lib/fast.js', 'lib/a.js:9', 'lib/a.js:1', 'lib/a.js:17', 'utils-merge']);
	assert.equal(broken, 0);
	assert.deepEqual(without('lib/a.js:9'), ['lib/a.js:9', 'lib/a.js:1', 'lib/a.js:17', 'utils-merge']);
	assert.deepEqual(without('lib/a.js:17'), ['lib/a.js:17']);
	assert.deepEqual(without('lib/fast.js'), ['lib/fast.js', 'lib/a.js:1', 'lib/a.js:17', 'utils-merge']);
});

test('a name of another file is found at its export, and hunks without common names stay apart', () => {
	const { without } = partsOf({
		'src/util.ts': [`const x = 1;\n${gap}let y = 2;\n`, `const x = 3;\n${gap}let y = 4;\nexport function tidy() {}\n`],
		'src/app.ts': [`start();\n${gap}stop();\n`, `import { tidy } from './util.ts';\nstart();\n${gap}stop(tidy());\n`],
	});
	assert.deepEqual(without('src/util.ts:1'), ['src/util.ts:1']);
	assert.deepEqual(without('src/util.ts:8'), ['src/util.ts:8', 'src/app.ts:1', 'src/app.ts:9']);
	assert.deepEqual(without('src/app.ts:9'), ['src/app.ts:9']);
});

test('hunks between which a declaration moves go together, unless it is local', () => {
	const { without } = partsOf({
		'lib/a.js': [
			`const util = require('util')\nrun(1)\n${gap}run(2)\n${gap}  const one = 1\n${gap}  run(3)\n`,
			`run(1)\n${gap}const util = require('node:util')\nrun(2)\n${gap}  run(1)\n${gap}  const one = 3\n`,
		],
		'lib/b.js': [`run(2)\n`, `const util = 1\nrun(2)\n`],
	});
	assert.deepEqual(without('lib/a.js:1'), ['lib/a.js:1', 'lib/a.js:8']);
	assert.deepEqual(without('lib/a.js:8'), ['lib/a.js:1', 'lib/a.js:8']);
	assert.deepEqual(without('lib/a.js:16'), ['lib/a.js:16']);
	assert.deepEqual(without('lib/b.js:1'), ['lib/b.js:1']);
});

test('a local declaration that moves within a function takes the hunks with it that lack it', () => {
	const { without } = partsOf({
		'lib/a.js': [
			`function a (headers) {\n  const kind = headers.a\n${gap}  run(kind)\n}\nfunction b () {\n  const same = 1\n}\n`,
			`function a (headers) {\n  const text = headers.a\n${gap}  const kind = new Type(text)\n  run(kind)\n}\nfunction b () {\n  const same = 1\n}\n`,
		],
		'lib/b.js': ['a\n', 'b\n'],
	});
	assert.deepEqual(without('lib/a.js:9'), ['lib/a.js:2', 'lib/a.js:9']);
	assert.deepEqual(without('lib/a.js:2'), ['lib/a.js:2', 'lib/a.js:9']);
});

test('private members of a class are names too', () => {
	const { without } = partsOf({
		'lib/a.ts': [
			`class A {\n  #isFast(): boolean {\n    return true\n  }\n${gap}  text() { return this.#isFast() ? 1 : 2 }\n}\n`,
			`class A {\n${gap}  text() { return 2 }\n}\n`,
		],
		'lib/b.ts': ['a\n', 'b\n'],
	});
	assert.deepEqual(without('lib/a.ts:8'), ['lib/a.ts:8', 'lib/a.ts:2']);
	assert.deepEqual(without('lib/a.ts:2'), ['lib/a.ts:2']);
});

test('functions of Python and Go are followed too', () => {
	const python = partsOf({
		'app.py': [`import os\n${gap}print(1)\n`, `import os\ndef slow():\n    pass\n${gap}print(slow())\n`],
		'other.py': ['a = 1\n', 'a = 2\n'],
	});
	assert.deepEqual(python.without('app.py:2'), ['app.py:2', 'app.py:10']);
	const go = partsOf({
		'store.go': [`package main\n${gap}var a = 1\n`, `package main\n${gap}func (s *Store) load() {}\n`],
		'other.go': ['a\n', 'b\n'],
		'main.go': [`package main\n${gap}s.find()\n`, `package main\n${gap}s.load()\n`],
	});
	assert.deepEqual(go.without('store.go:8'), ['store.go:8', 'main.go:8']);
	assert.deepEqual(go.without('main.go:8'), ['main.go:8']);
});

test('tests and documents do not hold other pieces', () => {
	const { without } = partsOf({
		'index.js': [`const old = 1\n${gap}start()\n`, `const fresh = 1\n${gap}start()\n`],
		'test/index.js': ['old\n', 'fresh\n'],
	});
	assert.deepEqual(without('index.js:1'), ['index.js:1']);
});
