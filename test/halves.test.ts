/** The name of its file puts every test into one of two halves. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chooseTests, FIRST, groupOf, listTests, TOGETHER } from '../scripts/test.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('test/**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: ROOT, exclude: ['test/fixtures/**'] }).sort();
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const slow = listTests('slow');
const usual = listTests('usual');

test('each test file is in one half, once', () => {
	const tests = files.filter((file) => /[.-]tests?\.\w+$|\.spec\.\w+$/.test(file));
	assert.deepEqual([...usual, ...slow].sort(), tests);
	assert.ok(slow.length > 0 && usual.length > slow.length);
});

test('a module that registers tests is a test file, or a test file imports it', () => {
	const register = /^import \{[^}]*\b(?:test|it|describe|suite)\b[^}]*\} from 'node:test';/m;
	const imported = new Set(
		[...usual, ...slow].flatMap((file) =>
			[...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => join(dirname(file), name)),
		),
	);
	const forgotten = files.filter(
		(file) => register.test(read(file)) && !file.endsWith('.test.ts') && !imported.has(file),
	);
	assert.deepEqual(forgotten, []);
});

test('the scripts run the quick half, the slow one, and both', () => {
	const { scripts } = JSON.parse(read('package.json'));
	assert.equal(scripts.test, 'node scripts/test.ts');
	assert.equal(scripts['test:slow'], 'node scripts/test.ts --slow');
	assert.equal(scripts['test:full'], 'npm test && npm run test:slow');
	assert.match(read('.ci/run'), /^npm ci && npm run test:full$/m);
});

test('named files of a half run, and no others', () => {
	const [first = '', second = ''] = slow;
	assert.deepEqual(chooseTests([], 'slow'), slow);
	assert.deepEqual(chooseTests([second, `./${first}`], 'slow'), [first, second]);
	assert.deepEqual(chooseTests([join(ROOT, usual[0] ?? '')], 'usual'), [usual[0]]);
	assert.throws(() => chooseTests([first, 'test/no.slow.test.ts'], 'slow'), /no test file test\/no\.slow\.test\.ts$/);
	assert.throws(() => chooseTests([first], 'usual'), /runs with --slow$/);
	assert.throws(() => chooseTests([usual[0] ?? ''], 'slow'), /runs without --slow$/);
});

test('a file that shares a process is in one group, and changes no shared state', () => {
	const shared = usual.filter((file) => groupOf(file) >= 0);
	assert.ok(shared.length > 150, `${shared.length}`);
	assert.equal(groupOf('test/halves.test.ts'), -1);
	assert.deepEqual(
		shared.filter((file) => /process\.env|child_process/.test(read(file))),
		[],
	);
	assert.deepEqual(
		TOGETHER.flat().filter((folder) => !shared.some((file) => file.startsWith(folder))),
		[],
	);
});

test('long files start first', () => {
	const isLong = (file: string) => FIRST.some((prefix) => file.startsWith(prefix));
	// A renamed file would start with the short ones.
	assert.deepEqual(
		FIRST.filter((prefix) => ![...usual, ...slow].some((file) => file.startsWith(prefix))),
		[],
	);
	for (const folder of ['act', 'e2e', 'servers']) assert.ok(FIRST.includes(`test/${folder}/`));
	for (const half of [usual, slow]) {
		const firstShort = half.findIndex((file) => !isLong(file));
		assert.deepEqual(half.slice(firstShort).filter(isLong), []);
	}
});
