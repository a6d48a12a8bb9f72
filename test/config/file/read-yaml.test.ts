import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYaml } from '../../../src/config/file/read-yaml.ts';

test('a repeated key is found, at any depth and in any order of faults', () => {
	assert.throws(() => readYaml('a: 1\nb:\n  - { c: 1, c: 2 }\na: !x 2\n', 'x.yml'), {
		message: [
			'x.yml:3: column 13: this key is given twice; keep one of the two keys',
			'x.yml:4: column 1: this key is given twice; keep one of the two keys',
			'x.yml:4: column 4: Unresolved tag: !x; remove the tag; put a value that starts with ! in quotes',
		].join('\n'),
	});
	assert.deepEqual(readYaml('a: { x: 1 }\nb: { x: 1 }\n', 'x.yml').value, { a: { x: 1 }, b: { x: 1 } });
});

test('texts that would occupy the library for minutes are read at once, or refused', () => {
	const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}:`);
	assert.throws(() => readYaml([...keys, 'k0:'].join('\n'), 'x.yml'), /^UserError: x\.yml:100001: column 1: this key/);
	const aliases = Array.from({ length: 1_001 }, (_, index) => `a${index}: &a${index} x\nb${index}: *a${index}\n`);
	assert.throws(() => readYaml(aliases.join(''), 'x.yml'), /more than 1000 aliases/);
	assert.ok(readYaml(aliases.slice(1).join(''), 'x.yml'));
});

test('a missing character is named, and so is wrong indentation', () => {
	for (const [text, expected] of [
		[
			'servers:\n  - express\n  budget: 1m\n',
			/x\.yml:3: column 1: .*; indent the entries of one mapping or list equally/,
		],
		['a: 1\nb\nc: 2\n', /; write a colon and a space after the key/],
		['a: "x\n', /; close the quote or bracket$/],
		[
			'a: [x\n',
			/; (?:indent the entries of one mapping or list equally, and close every bracket|write a comma between)/,
		],
	] as const) {
		assert.throws(() => readYaml(text, 'x.yml'), expected, text);
	}
});
