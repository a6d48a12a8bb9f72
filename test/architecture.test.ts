import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The order of the stages: which folders each folder of src/ may import. All other imports run backwards. Folders in
 * PURE are pure; `runs` wires stages and knows neither argv nor GitHub; `cli` and `action` never import each other.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
	types: [],
	text: ['types'],
	stats: ['types', 'text'],
	config: ['types', 'text', 'process', 'formats'],
	formats: ['types', 'text'],
	plan: ['types', 'text', 'config', 'stats'],
	impact: ['types', 'text'],
	explain: ['types', 'text', 'stats', 'impact', 'trend'],
	judge: ['types', 'text', 'config', 'stats', 'plan', 'formats'],
	trend: ['types', 'text', 'config', 'stats', 'judge', 'formats'],
	rank: ['types', 'text', 'config', 'stats', 'judge', 'formats'],
	report: ['types', 'text', 'config', 'stats', 'plan', 'impact', 'explain', 'judge', 'trend', 'rank', 'formats'],
	site: ['types', 'text', 'formats', 'stats', 'trend', 'report'],
	store: ['types', 'text', 'formats', 'process'],
	process: ['types', 'text'],
	inject: ['types', 'text', 'process'],
	isolation: ['types', 'text', 'process'],
	output: ['types', 'text'],
	init: ['types', 'text', 'config', 'process'],
	prepare: ['types', 'text', 'config', 'process'],
	measure: ['types', 'text', 'process', 'formats'],
	'version.ts': ['process'],
	github: ['types', 'text', 'version.ts'],
	runs: [
		...['types', 'text', 'config', 'stats', 'plan', 'impact', 'explain', 'judge', 'trend', 'rank', 'report', 'formats'],
		...['process', 'inject', 'isolation', 'prepare', 'measure', 'store', 'version.ts'],
	],
	cli: [
		'store',
		'site',
		'trend',
		'types',
		'text',
		'config',
		'formats',
		'init',
		'judge',
		'measure',
		'output',
		'plan',
		'process',
		'rank',
		'report',
		'runs',
		'stats',
		'version.ts',
	],
	'cli.ts': ['cli', 'config', 'process', 'report', 'types', 'version.ts'],
	action: [
		...['types', 'text', 'config', 'plan', 'explain', 'judge', 'trend', 'report', 'formats'],
		...['process', 'init', 'prepare', 'measure', 'output', 'github', 'store', 'runs', 'site', 'version.ts'],
	],
	'action.ts': ['action', 'process'],
	'action-post.ts': ['action', 'process'],
};
const PURE = [
	'site',
	'text',
	'plan',
	'impact',
	'explain',
	'stats',
	'judge',
	'trend',
	'rank',
	'report',
	'formats',
	'config',
];
/** The only files of a pure folder that read files or draw numbers; no pure file imports them. */
const LOADERS = /^src\/config\/load-[^/]+\.ts$/;
/** Libraries without I/O, clock or randomness. */
const PURE_PACKAGES = [
	// Hashes only.
	'node:crypto',
	// Synchronous functions only.
	'node:zlib',
	'acorn',
	'diff',
	'fastest-levenshtein',
	'csv-parse/sync',
	'yaml',
	'simple-statistics',
	'markdown-table',
	'string-width',
	'picocolors',
	'ajv',
	'ajv/dist/2020.js',
	'ms',
	'@observablehq/plot',
];
/** Data that the bundles contain. */
const DATA = /^scenarios\/[^/]+\.json$/;
/** Browser code: it draws into the page it runs in. */
const BROWSER = ['src/report/html/page/', 'src/site/page/'];
const IMPURE = /\b(?:process\.|Date\.now|new Date\(\)|performance\.|Math\.random|setTimeout|fetch\()/;

const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();

/** Source without comments, so that prose does not count as code. */
function codeOf(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

function importsOf(file: string): string[] {
	return [...codeOf(file).matchAll(/(?:^(?:import|export)\b[^;]*?from |\bimport\()'([^']+)'/gm)].map(([, name = '']) =>
		name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name,
	);
}

const isPure = (file: string) =>
	(PURE.some((stage) => file.startsWith(`src/${stage}/`)) && !LOADERS.test(file)) ||
	(file.startsWith('src/types/') && !file.endsWith('.d.ts'));

/** The folder of src/ that contains a file; an entry is its own. */
const stageOf = (file: string) => file.split('/')[1] ?? file;

for (const stage of new Set(files.map(stageOf))) {
	test(`src/${stage} imports only earlier stages`, () => {
		const allowed = ALLOWED[stage];
		assert.ok(allowed, `${stage} has no place in the order of stages`);
		const backwards = files
			.filter((file) => stageOf(file) === stage)
			.flatMap((file) => importsOf(file).map((name) => [file, name] as const))
			.filter(([, name]) => name.startsWith('src/') && stageOf(name) !== stage && !allowed.includes(stageOf(name)))
			.map(([file, name]) => `${file} imports ${name}`);
		assert.deepEqual(backwards, []);
	});
}

test('the order of stages has no cycle', () => {
	const visit = (stage: string, path: readonly string[]) => {
		assert.ok(!path.includes(stage), [...path, stage].join(' → '));
		for (const next of ALLOWED[stage] ?? []) visit(next, [...path, stage]);
	};
	for (const stage of Object.keys(ALLOWED)) visit(stage, []);
});

test('no files import each other in a cycle, not even types', () => {
	const done = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string, path: readonly string[]) => {
		if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		if (done.has(file) || path.includes(file)) return;
		for (const name of importsOf(file)) if (files.includes(name)) visit(name, [...path, file]);
		done.add(file);
	};
	for (const file of files) visit(file, []);
	assert.deepEqual(circles, []);
});

/** Code after a comment about a detail of the file instead of its purpose. */
const INSIDE = /^(?:const|let) /;

test('the first comment of a file is not about a detail', () => {
	const silent = files.filter((file) => {
		const text = readFileSync(join(ROOT, file), 'utf8');
		const [, after = ''] = /\/\*\*[\s\S]*?\*\/\s*(.*)/.exec(text) ?? [];
		return !text.startsWith('/**') && INSIDE.test(after);
	});
	assert.deepEqual(silent, []);
});

/** Functions that k6 calls by name in the generated script. */
const CALLED_BY_K6 = new Set(['setup', 'teardown', 'handleSummary']);

test('another file uses every export of a file of src/', () => {
	const everywhere = globSync('{src,test,evaluation,benchmarks,scripts}/**/*.{ts,mjs}', { cwd: ROOT });
	const uses = new Map<string, number>();
	for (const file of everywhere) {
		const words = new Set(readFileSync(join(ROOT, file), 'utf8').match(/[\w$]+/g));
		for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
	}
	const unused = files.flatMap((file) =>
		[...codeOf(file).matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm)]
			.map(([, name = '']) => name)
			.filter((name) => uses.get(name) === 1 && !CALLED_BY_K6.has(name))
			.map((name) => `${file}: ${name}`),
	);
	assert.deepEqual(unused, []);
});

test('a base name is unique within its stage', () => {
	const named = Map.groupBy(files, (file) => `${file.split('/')[1]}: ${basename(file)}`);
	const repeated = [...named].filter(([, same]) => same.length > 1).map(([name]) => name);
	assert.deepEqual(repeated, []);
});

for (const file of files.filter((name) => isPure(name) && !BROWSER.some((folder) => name.startsWith(folder)))) {
	test(`${file} is pure`, () => {
		for (const name of importsOf(file)) {
			const allowed = name.startsWith('src/') ? isPure(name) : DATA.test(name) || PURE_PACKAGES.includes(name);
			assert.ok(allowed, `${file} imports ${name}`);
		}
		assert.doesNotMatch(codeOf(file), IMPURE);
	});
}

test('only the client imports autocannon', () => {
	const users = files.filter((file) => importsOf(file).some((name) => name.startsWith('autocannon')));
	assert.deepEqual(users, ['src/measure/generator/client.ts']);
});

/** A bundle with another import of ajv would contain all of ajv, and compile schemas in every run. */
test('only validators import ajv, and the build compiles each of them', () => {
	const importing = (name: string) => files.filter((file) => importsOf(file).includes(name));
	const home = 'src/formats/validator-of.ts';
	const compilers = files.filter((file) => /^import \{.*\} from 'ajv/m.test(codeOf(file)));
	assert.deepEqual(compilers, [home]);
	const strangers = importing(home).filter(
		(file) => /\bvalidatorOf\b/.test(codeOf(file)) && !file.endsWith('-validator.ts'),
	);
	assert.deepEqual(strangers, []);
	for (const file of files.filter((name) => name.endsWith('-validator.ts'))) {
		assert.deepEqual(codeOf(file).match(/^export .*? = /gm), ['export const validate = '], file);
	}
});

/** Files that may be longer than LONGEST, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};
const LONGEST = 500;

test('a file over 500 lines has a reason', () => {
	const long = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > LONGEST);
	assert.deepEqual(long, Object.keys(LONG_FILES));
});

test('ARCHITECTURE.md names the pure stages', () => {
	const [, named = ''] =
		/\*\*Pure stages\.\*\* (.*?) know no files/.exec(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')) ?? [];
	const stages = [...named.matchAll(/`(\w+)`/g)].map(([, stage]) => stage);
	assert.deepEqual(stages.toSorted(), ['types', ...PURE].toSorted());
});
