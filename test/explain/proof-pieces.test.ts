import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import satisfies from 'semver/functions/satisfies.js';
import type { Piece } from '../../src/explain/proof-part.ts';
import { type Division, divide } from '../../src/explain/proof-pieces.ts';
import type { ChangedFile, FileMode } from '../../src/types/difference.ts';

const fits = (version: string, range: string) => satisfies(version, range);

function state(text: string | null, mode: FileMode = '100644') {
	return text === null ? null : { mode, content: Buffer.from(text) };
}

function file(path: string, base: string | null, head: string | null): ChangedFile {
	return { path, base: state(base), head: state(head) };
}

/** All files of a variant, as text. */
function treeOf(files: readonly ChangedFile[], division: Division, isApplied: (piece: Piece) => boolean) {
	const tree = new Map(files.map(({ path, head }) => [path, head] as const));
	for (const version of division.compose(isApplied)) tree.set(version.path, version.state);
	return Object.fromEntries(
		[...tree].flatMap(([path, each]) => (each === null ? [] : [[path, Buffer.from(each.content).toString()]])),
	);
}

function only(files: readonly ChangedFile[], side: 'base' | 'head') {
	return Object.fromEntries(
		files.flatMap((each) => {
			const { [side]: there, path } = each;
			return there === null ? [] : [[path, Buffer.from(there.content).toString()]];
		}),
	);
}

const line = (at: number) => `line ${at}\n`;
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => line(from + at)).join('');

test('every set of pieces builds base or head at its ends, whatever the bytes', () => {
	const text = fc.array(fc.constantFrom('a\n', 'b\r\n', 'c\n', 'd', '\n', 'é\n', 'x y\n'), { maxLength: 30 });
	const content = fc.option(
		text.map((parts) => parts.join('')),
		{ nil: null },
	);
	const files = fc.uniqueArray(fc.tuple(fc.constantFrom('a.js', 'b/c.js', 'd.txt', 'e'), content, content), {
		selector: ([path]) => path,
		maxLength: 4,
	});
	fc.assert(
		fc.property(files, (entries) => {
			const changed = entries
				.map(([path, base, head]) => file(path, base, head))
				.filter(({ base, head }) => base !== head);
			const division = divide(changed, fits);
			assert.deepEqual(
				division.compose(() => true),
				[],
			);
			assert.deepEqual(
				treeOf(changed, division, () => false),
				only(changed, 'base'),
			);
		}),
	);
});

test('hunks are separate, and named by their lines in head', () => {
	const base = `${lines(1, 10)}old\n${lines(11, 20)}gone 1\ngone 2\n${lines(21, 30)}`;
	const head = `new 0\n${lines(1, 10)}new 1\nnew 2\n${lines(11, 20)}${lines(21, 30)}last, without an end`;
	const changed = [file('lib/a.js', base, head)];
	const division = divide(changed, fits);
	assert.deepEqual(
		division.pieces.map((piece) => [piece.kind, piece.path, piece.line, piece.lines]),
		[
			['hunk', 'lib/a.js', 1, 1],
			['hunk', 'lib/a.js', 12, 2],
			['hunk', 'lib/a.js', 24, 0],
			['hunk', 'lib/a.js', 34, 1],
		],
	);
	const [, second] = division.pieces;
	const without = treeOf(changed, division, (piece) => piece !== second);
	assert.equal(without['lib/a.js'], head.replace('new 1\nnew 2\n', 'old\n'));
	const alone = treeOf(changed, division, (piece) => piece === second);
	assert.equal(alone['lib/a.js'], base.replace('old\n', 'new 1\nnew 2\n'));
});

test('changes with up to three lines between them are one hunk', () => {
	const near = divide([file('a.js', `x\n${lines(1, 3)}y\n`, `X\n${lines(1, 3)}Y\n`)], fits);
	assert.deepEqual(
		near.pieces.map(({ line: first, lines: count }) => [first, count]),
		[[1, 5]],
	);
	assert.equal(divide([file('a.js', `x\n${lines(1, 4)}y\n`, `X\n${lines(1, 4)}Y\n`)], fits).pieces.length, 2);
});

test('binary files, links, modes and very different files are one piece each', () => {
	const changed: ChangedFile[] = [
		file('a.bin', 'a\0b\nc', 'a\0b\nd'),
		{ path: 'latin.js', base: { mode: '100644', content: Buffer.from([0xe9, 10]) }, head: state('x\n') },
		{ path: 'link', base: state('x', '120000'), head: state('y', '120000') },
		{ path: 'run.sh', base: state('x\n'), head: state('y\n', '100755') },
		file('big.js', lines(1, 5_000), lines(10_001, 15_000)),
	];
	const division = divide(changed, fits);
	assert.deepEqual(new Set(division.pieces.map(({ kind, line: first }) => `${kind} ${first}`)), new Set(['file 0']));
	assert.equal(division.pieces.length, changed.length);
	const versions = division.compose(() => false);
	assert.deepEqual(
		versions.map(({ path, state: there }) => [path, there?.mode]).sort(),
		changed.map(({ path, base }) => [path, base?.mode]).sort(),
	);
});

test('additions come first and removals last', () => {
	const division = divide([file('z.js', null, 'z'), file('b.js', 'b\n', 'B\n'), file('a.js', 'other\n', null)], fits);
	assert.deepEqual(
		division.pieces.map(({ path, change }) => `${change} ${path}`),
		['added z.js', 'changed b.js', 'deleted a.js'],
	);
});

test('a moved file keeps its hunks, and its old place until the end', () => {
	const changed = [
		file('old.js', lines(1, 40), null),
		file('new.js', null, lines(1, 40).replace('line 20\n', 'slow\n')),
	];
	const division = divide(changed, fits);
	assert.deepEqual(
		division.pieces.map(({ path, kind, change, line: first }) => `${change} ${kind} ${path} ${first}`),
		['added file new.js 0', 'changed hunk new.js 20', 'deleted file old.js 0'],
	);
	const [, hunk] = division.pieces;
	assert.deepEqual(
		treeOf(changed, division, (piece) => piece !== hunk),
		{ 'new.js': lines(1, 40) },
	);
	assert.deepEqual(
		treeOf(changed, division, (piece) => piece.change === 'added'),
		{
			'old.js': lines(1, 40),
			'new.js': lines(1, 40),
		},
	);
});

test('comments, tests and documents are unlikely', () => {
	const division = divide(
		[
			file('lib/a.js', `a\n${lines(1, 9)}// one\n`, `A\n${lines(1, 9)}// two\n`),
			file('test/a.js', 'x\n', 'y\n'),
			file('HOW.md', 'x\n', 'y\n'),
		],
		fits,
	);
	assert.deepEqual(
		division.pieces.map(({ path, weight }) => [path, weight === 1]),
		[
			['HOW.md', false],
			['lib/a.js', true],
			['lib/a.js', false],
			['test/a.js', false],
		],
	);
});

test('a submodule cannot be removed', () => {
	const changed: ChangedFile[] = [
		file('a.js', 'x\n', 'y\n'),
		{ path: 'vendor/lib/', base: state('1'.repeat(40), '160000'), head: state('2'.repeat(40), '160000') },
	];
	const division = divide(changed, fits);
	assert.deepEqual(division.pieces.map(division.isFixed), [true, false]);
	assert.deepEqual(
		division.compose(() => false).map(({ path }) => path),
		['a.js'],
	);
	assert.match(division.notes.join(), /submodule vendor\/lib differs/);
});

test('a difference of very many hunks is divided into files', () => {
	const many = Array.from({ length: 60 }, (_, at) =>
		file(
			`lib/${at}.js`,
			Array.from({ length: 40 }, (_0, hunk) => `a${hunk}\n${lines(1, 5)}`).join(''),
			Array.from({ length: 40 }, (_0, hunk) => `b${hunk}\n${lines(1, 5)}`).join(''),
		),
	);
	const division = divide(many, fits);
	assert.equal(division.pieces.length, 60);
	assert.match(division.notes.join(), /2400 hunks, so whole files/);
});
