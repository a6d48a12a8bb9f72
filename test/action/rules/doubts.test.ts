/** Changed files that decide how a change is measured, and its jobs whose check may pass for the reporter's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtChanges, doubtJobNames } from '../../../src/action/rules/doubts.ts';
import { readCalls } from '../../../src/action/rules/measuring-workflow.ts';
import { INITIAL_WORKFLOWS } from '../../../src/init/initial-workflow.ts';
import { findExecuted } from '../../../src/init/workflows/executed-files.ts';
import { WORKFLOW, workflowText } from '../receive/reporting.ts';

type Texts = Readonly<Record<string, string>>;

/** An expression of GitHub's. */
const of = (inner: string) => `\${{ ${inner} }}`;
const readIn = (texts: Texts, isOwn = false) => ({
	read: async (path: string) => texts[path] ?? null,
	isLinked: async () => false,
	isOwn,
});
const changing = (...paths: readonly string[]) => ({ paths, lines: new Map(), complete: true });

async function doubt(base: Texts, file: string, isOwn = false): Promise<readonly string[]> {
	const text = base[WORKFLOW] ?? '';
	const executed = await findExecuted(text, readIn(base, isOwn));
	return doubtChanges({
		changed: changing('lib/a.js', file),
		workflow: WORKFLOW,
		calls: readCalls(text, { isOwn }),
		executed,
	});
}

const job = (...steps: readonly string[]) =>
	['on: pull_request', 'jobs:', '  measure:', '    runs-on: ubuntu-latest', '    steps:', ...steps, ''].join('\n');
const composite = (uses: string) => `name: x\nruns:\n  using: composite\n  steps:\n    - uses: ${uses}\n`;
const INDIRECT = 'on: pull_request\njobs:\n  measure:\n    uses: ./.github/workflows/measure.yml\n';
const JAVASCRIPT = 'name: x\nruns: { using: node24, main: dist/action.js, post: dist/action.js }\n';

/** Call of benchgate in the base branch's workflow; a changed file that decides the measurement; one that does not. */
const CALLS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[], readonly string[]])[] = [
	[
		'through a workflow beside it',
		{ [WORKFLOW]: INDIRECT, '.github/workflows/measure.yml': workflowText() },
		['.github/workflows/measure.yml', '.github/workflows/other.yml'],
		['measure.yml', '.github/labels.yml'],
	],
	[
		'beside an action in any folder',
		{
			[WORKFLOW]: job('      - uses: ./tools/set-up/', '      - uses: benchgate/benchgate@v0'),
			'tools/set-up/action.yml': composite('actions/checkout@v7'),
		},
		['tools/set-up/action.yml', 'tools/set-up/lib/a.sh'],
		['tools/set-up.md', 'tools/other/action.yml', '.github/workflows/other.yml'],
	],
	[
		'through an action that uses another',
		{
			[WORKFLOW]: job('      - uses: ./tools/outer', '      - uses: benchgate/benchgate@v0'),
			'tools/outer/action.yaml': composite('./tools/inner'),
			'tools/inner/action.yml': composite('actions/checkout@v7'),
		},
		['tools/outer/a.sh', 'tools/inner/a.js'],
		['built/other.js'],
	],
	[
		'as the action that it is itself',
		{ [WORKFLOW]: job('      - uses: ./'), 'action.yml': JAVASCRIPT },
		['action.yml', 'action.yaml', 'dist/action.js', 'dist/chunk.js'],
		['distance.md', 'lib/action.yml'],
	],
	[
		'as the action of its own commit',
		{
			[WORKFLOW]: job("      - uses: '$/.github/action'", '      - uses: benchgate/benchgate@v0'),
			'.github/action/action.yml': JAVASCRIPT.replaceAll('dist/', '../../dist/'),
		},
		['.github/action/action.yml', 'dist/action.js'],
		['action.yml'],
	],
];

for (const [how, base, deciding, harmless] of CALLS) {
	test(`benchgate called ${how}: changing that is a doubt`, async () => {
		const isOwn = how.endsWith('itself') || how.endsWith('commit');
		for (const file of deciding) assert.equal((await doubt(base, file, isOwn)).length, 1, file);
		for (const file of harmless) assert.deepEqual(await doubt(base, file, isOwn), [], file);
	});
}

test('a workflow that uses its repository in ways that cannot be followed may execute anything', async () => {
	const names = Array.from({ length: 40 }, (_, index) => `tools/${index}`);
	const base = {
		[WORKFLOW]: job(...names.map((name) => `      - uses: ./${name}`), '      - uses: benchgate/benchgate@v0'),
		...Object.fromEntries(names.map((name) => [`${name}/action.yml`, composite('actions/checkout@v7')])),
	};
	assert.match((await doubt(base, 'README.md')).join(), /more files than can be followed.*lib\/a\.js/);
});

test('a program of an action, and an action from another repository, may execute anything', async () => {
	const node = { 'tools/x/action.yml': JAVASCRIPT };
	for (const uses of ['./tools/x', './tools/none', 'owner/action@v1', 'docker://node:24']) {
		const base = { [WORKFLOW]: job(`      - uses: ${uses}`, '      - uses: benchgate/benchgate@v0'), ...node };
		assert.match(
			(await doubt(base, 'README.md')).join(),
			/may execute this change outside of isolation.*read lib\/a\.js/,
			uses,
		);
	}
});

test('actions that use each other are followed once', async () => {
	const base = {
		[WORKFLOW]: job('      - uses: ./one', '      - uses: benchgate/benchgate@v0'),
		'one/action.yml': composite('./two'),
		'two/action.yml': composite('./one'),
	};
	assert.equal((await doubt(base, 'two/action.yml')).length, 1);
	assert.deepEqual(await doubt(base, 'three/action.yml'), []);
});

const STEPS = job(
	'      - uses: actions/checkout@v7',
	'      - run: npm ci',
	'      - run: ./ci/start-database.sh',
	'      - uses: benchgate/benchgate@v0',
);
const LOCKED = JSON.stringify({ packages: { '': {}, 'node_modules/express': {} } });
const BASE: Texts = {
	[WORKFLOW]: STEPS,
	'package.json': '{"name":"x"}',
	'package-lock.json': LOCKED,
	'ci/start-database.sh': '#!/bin/sh\ndocker run -d postgres:16\n',
};

test('a change of files that steps beside benchgate install or execute is a doubt, and no other change', async () => {
	for (const file of [
		'package.json',
		'package-lock.json',
		'.npmrc',
		'packages/x/package.json',
		'binding.gyp',
		'.corepack.env',
		'node_modules/x/index.js',
		'ci/start-database.sh',
		'CI/start-database.sh',
	]) {
		assert.match((await doubt(BASE, file)).join(), /changes how it is measured/, file);
	}
	for (const file of ['ci/other.sh', 'lib/b.js', 'docs/x.md']) assert.deepEqual(await doubt(BASE, file), [], file);
});

test('a link or submodule in place of a folder changes the programs below it', async () => {
	const base = {
		...BASE,
		[WORKFLOW]: job('      - run: ../x.sh', '        working-directory: tools/ci'),
		'tools/x.sh': 'ls',
	};
	for (const file of ['ci', 'CI']) assert.match((await doubt(BASE, file)).join(), /changes how it is measured/, file);
	for (const file of ['tools', 'tools/ci'])
		assert.match((await doubt(base, file)).join(), /changes how it is measured/, file);
	assert.deepEqual(
		(await doubt(base, 'tools/ci/other')).filter((each) => /tools/.test(each)),
		[],
	);
});

test('if a step may execute anything, only prose changes leave no doubt', async () => {
	const text = STEPS.replace('npm ci', 'make db');
	const executed = await findExecuted(text, readIn(BASE));
	const doubtsOf = (...paths: readonly string[]) =>
		doubtChanges({
			changed: changing(...paths),
			workflow: WORKFLOW,
			calls: readCalls(text, { isOwn: false }),
			executed,
		});
	assert.deepEqual(doubtsOf('README.md', 'docs/a.png', 'LICENSE'), []);
	for (const file of ['Makefile', 'lib/b.js', 'benchgate.yml', 'docs/conf.py', 'requirements.txt']) {
		assert.match(doubtsOf('README.md', file).join(), new RegExp(`\\(run: make db\\): read ${file} before`));
	}
});

test('the workflow that init writes leaves no doubt about a change of code and lockfiles', async () => {
	const base = { [WORKFLOW]: INITIAL_WORKFLOWS[0]?.text ?? '' };
	for (const file of ['package.json', 'package-lock.json', '.npmrc', 'Makefile']) {
		assert.deepEqual(await doubt(base, file), [], file);
	}
});

const OTHER = '.github/workflows/other.yml';
const named = (id: string, ...lines: readonly string[]) =>
	['on: pull_request', 'jobs:', `  ${id}:`, ...lines.map((line) => `    ${line}`), '    runs-on: x', ''].join('\n');

/** A job of another workflow, and whether its check may pass for the reporter's. */
const JOBS: readonly (readonly [string, boolean])[] = [
	[named('benchgate'), true],
	[named('x', 'name: benchgate'), true],
	[named('x', `name: ${of("'benchgate'")}`), true],
	[named('x', `name: bench${of("'gate'")}`), true],
	['jobs: [', true],
	[named('x', 'name: tests'), false],
	[named('x', `name: tests on ${of('matrix.os')}`), false],
	[named('benchgate', 'name: tests'), false],
];

const doubtJob = (head: string, base: Texts = {}, check = 'benchgate') =>
	doubtJobNames(
		{
			changed: changing('lib/a.js', OTHER),
			read: async (path, from) => (from === 'head' && path === OTHER ? head : (base[path] ?? null)),
		},
		check,
	);

for (const [text, forges] of JOBS) {
	test(`a change that brings ${JSON.stringify(text)} is ${forges ? 'doubted' : 'not doubted'}`, async () => {
		assert.equal((await doubtJob(text)).length, forges ? 1 : 0);
		const isUnreadable = text === 'jobs: [';
		assert.equal((await doubtJob(text, { [OTHER]: text })).length, isUnreadable ? 1 : 0);
	});
}

test('a job with a matrix is named by its values, and each key has its own check', async () => {
	const matrix = named('benchgate', 'strategy: { matrix: { os: [linux] } }');
	assert.equal((await doubtJob(matrix, {}, 'benchgate (linux)')).length, 1);
	assert.equal((await doubtJob(named('benchgate'), {}, 'benchgate (linux)')).length, 0);
	assert.equal((await doubtJob(matrix, { [OTHER]: named('benchgate') })).length, 1);
});

test('names designed to be slow to parse are not parsed, and too many workflows are not read', async () => {
	const slow = named('x', `name: "b${`${of('1')}e`.repeat(20_000)}"`);
	const open = named('x', `name: "${'$'.concat('{{').repeat(100_000)}"`);
	const long = `${named('x')}${'#\n'.repeat(40_000)}`;
	for (const text of [slow, open, long]) assert.equal((await doubtJob(text)).length, 1);
	const paths = Array.from({ length: 21 }, (_, index) => `.github/workflows/${index}.yml`);
	const read = () => assert.fail('nothing is read');
	assert.equal((await doubtJobNames({ changed: changing(...paths), read }, 'benchgate')).length, 1);
});
