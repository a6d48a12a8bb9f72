import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMissing } from '../../../src/prepare/build/named-files.ts';
import type { Manifest } from '../../../src/prepare/package/manifest.ts';

/**
 * Named files, existing files and missing files; `!` marks those that an import of the package needs, `?` those that no
 * import loads.
 */
const cases: readonly (readonly [string, Manifest, readonly string[], readonly string[]])[] = [
	['nothing', {}, ['package.json'], []],
	['a main that is there', { main: './lib/index.js' }, ['lib/index.js'], []],
	['a main without its ending', { main: 'lib/index' }, ['lib/index.js'], []],
	['a main that is a folder', { main: './lib/' }, ['lib/index.js'], []],
	['the folder itself as main', { main: './' }, ['index.js'], []],
	['a main that is not there', { main: 'dist/index.js' }, ['src/index.ts'], ['!dist/index.js']],
	['a main that is not there beside an index', { main: 'dist/index.js' }, ['index.js'], ['dist/index.js']],
	['a path that leads out of the package', { main: '../other/index.js' }, [], []],
	['exports before main', { main: 'old.js', exports: './new.js' }, ['new.js'], []],
	['types', { main: 'index.js', exports: { types: './dist/index.d.ts', default: './index.js' } }, ['index.js'], []],
	[
		'both kinds of code, of which import counts',
		{ exports: { '.': { types: './t.d.ts', import: './dist/index.js', require: './dist/cjs/index.js' } } },
		['dist/cjs/index.js'],
		['!dist/index.js'],
	],
	['code for require only', { exports: { require: './dist/index.cjs' } }, [], ['!dist/index.cjs']],
	[
		'conditions that Node does not match',
		{ exports: { '.': { bun: './src/index.ts', browser: './b.js', '@acme/source': './s.ts', default: './index.js' } } },
		['index.js'],
		[],
	],
	['the first condition that matches', { exports: { node: './node.js', default: './web.js' } }, ['node.js'], []],
	[
		'conditions within conditions',
		{ exports: { node: { import: './a.mjs', require: './a.cjs' }, default: './web.js' } },
		['a.mjs'],
		['a.cjs'],
	],
	['a list of alternatives', { exports: ['./a.js', './b.js'] }, ['a.js'], []],
	['a path that is not exported', { exports: { '.': './index.js', './internal': null } }, ['index.js'], []],
	['a pattern', { exports: { '.': './index.js', './*': './dist/*.js' } }, ['index.js', 'dist/x/y.js'], []],
	['a pattern without a file', { exports: { '.': './index.js', './*': './dist/*.js' } }, ['index.js'], ['dist/*.js']],
	['a folder of old', { exports: { '.': './index.js', './lib/': './lib/' } }, ['index.js', 'lib/a.js'], []],
	['one of many paths', { exports: { '.': './index.js', './cors': './cors.js' } }, ['index.js'], ['cors.js']],
	['a program', { main: 'index.js', bin: { acme: './dist/cli.js' } }, ['index.js'], ['?dist/cli.js']],
	['one program', { bin: 'cli.js' }, [], ['?cli.js']],
	['a module for bundlers', { main: 'index.js', module: 'dist/index.mjs' }, ['index.js'], ['?dist/index.mjs']],
	[
		'the same file twice, by how much it is needed',
		{ main: 'dist/index.js', module: 'dist/index.js' },
		[],
		['!dist/index.js'],
	],
	['values that are no path', { main: 7, exports: 7, bin: [7], module: {} }, [], []],
];

for (const [label, manifest, files, missing] of cases) {
	test(`files named by a package.json: ${label}`, () => {
		const outcome = findMissing(manifest, new Set(files));
		assert.deepEqual(
			outcome.map(({ path, entry, loaded }) => `${entry ? '!' : loaded ? '' : '?'}${path}`),
			missing,
		);
	});
}
