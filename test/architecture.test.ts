import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PURE = ['plan', 'stats', 'judge', 'report'];
/** Parts of other stages that are pure too and that pure stages may use. */
const PURE_FILES = ['src/config/margins.ts', 'src/config/durations.ts'];
/** Libraries without I/O, clock or randomness. */
const PURE_PACKAGES = [
	// Hashes only.
	'node:crypto',
	'simple-statistics',
	'markdown-table',
	'string-width',
	'picocolors',
	'ajv',
	'ajv/dist/2020.js',
	'ms',
	'@observablehq/plot',
];
/** Browser code: it draws into the page it runs in. */
const BROWSER = 'src/report/html/page/';
const IMPURE = /\b(?:process\.|Date\.now|new Date\(\)|performance\.|Math\.random|setTimeout|fetch\()/;

const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();

/** Source without comments, so that prose is not taken for code. */
function codeOf(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

function importsOf(file: string): string[] {
	return [...codeOf(file).matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map(([, name = '']) =>
		name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name,
	);
}

const isPure = (file: string) =>
	PURE.some((stage) => file.startsWith(`src/${stage}/`)) ||
	(file.startsWith('src/types/') && !file.endsWith('.d.ts')) ||
	PURE_FILES.includes(file);

for (const file of files.filter((name) => isPure(name) && !name.startsWith(BROWSER))) {
	test(`${file} is pure`, () => {
		for (const name of importsOf(file)) {
			const allowed = name.startsWith('src/') ? isPure(name) : PURE_PACKAGES.includes(name);
			assert.ok(allowed, `${file} imports ${name}`);
		}
		assert.doesNotMatch(codeOf(file), IMPURE);
	});
}

test('only the client knows autocannon', () => {
	const users = files.filter((file) => importsOf(file).some((name) => name.startsWith('autocannon')));
	assert.deepEqual(users, ['src/measure/generator/client.ts']);
});

test('files stay short', () => {
	const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 251);
	assert.deepEqual(long, []);
});
