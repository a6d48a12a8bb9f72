import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeInDiff } from '../../src/explain/place-in-diff.ts';
import { readPatch } from '../../src/github/repository.ts';

const PATCH = [
	'@@ -10,7 +10,8 @@ function handle() {',
	' a',
	'-b',
	'+B',
	'+C',
	' d',
	' e',
	'@@ -40,4 +41,3 @@',
	' f',
	'-+++ g',
	' h',
	' i',
	'\\ No newline at end of file',
].join('\n');
const CHANGED = new Map([
	['lib/router.js', readPatch(PATCH)],
	['packages/koa/index.js', readPatch('@@ -0,0 +1,2 @@\n+one\n+two')],
	['packages/hono/index.js', readPatch('@@ -5 +5 @@\n-one\n+two')],
]);

test('a patch has new lines, and lines after removed ones', () => {
	assert.deepEqual(
		[...CHANGED.values()],
		[
			[
				{ first: 11, last: 12 },
				{ first: 42, last: 42 },
			],
			[{ first: 1, last: 2 }],
			[{ first: 5, last: 5 }],
		],
	);
	assert.deepEqual(readPatch(''), []);
});

const at = (path: string, line: number, lines?: number) => {
	const place = placeInDiff({ path, line, ...(lines !== undefined && { lines }) }, CHANGED);
	return place && `${place.path}:${place.line}`;
};

test('code is found at its first changed line, also at its installed path', () => {
	assert.equal(at('lib/router.js', 3), 'lib/router.js:11');
	assert.equal(at('lib/router.js', 12), 'lib/router.js:12');
	assert.equal(at('node_modules/express/lib/router.js', 13), 'lib/router.js:42');
	assert.equal(at('lib/router.js', 0), 'lib/router.js:11');
	assert.equal(at('lib/router.js', 42, 0), 'lib/router.js:42');
	assert.equal(at('lib/router.js', 10, 2), 'lib/router.js:11');
});

test('code that is not in the change, or could be in several files, is not found', () => {
	assert.equal(at('lib/router.js', 13, 20), null);
	assert.equal(at('lib/router.js', 43), null);
	assert.equal(at('lib/other.js', 1), null);
	assert.equal(at('/etc/passwd', 1), null);
	assert.equal(at('node_modules/x/index.js', 1), null);
	assert.equal(at('packages/koa/index.js', 1), 'packages/koa/index.js:1');
});
