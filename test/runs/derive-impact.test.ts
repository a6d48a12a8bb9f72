/** Which rows a change affects, by main's coverage and two commits' texts alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packCoverage, unpackCoverage } from '../../src/formats/baseline/kept-coverage.ts';
import { type CommitFiles, type DerivedImpact, deriveImpact } from '../../src/runs/derive-impact.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { Config } from '../../src/types/config.ts';
import { configOf, STEADY } from '../action/receive/raw-cases.ts';
import { changing, commitOf, type Files, PACKAGE, recordOf } from '../support/impact-cases.ts';

const TEXT = 'servers: [express]\nscenarios: [ping, json-nested, param-text]\n';
const CONFIG = configOf(TEXT);
const { environment } = STEADY.context;
const AT = { sha: '7'.repeat(40), environment };
const NAMES = (scenario: string) => (scenario === 'json-nested' ? ['json'] : ['send']);
const RECORD = recordOf(CONFIG, AT, NAMES);
const BASE = commitOf(PACKAGE);

const derive = (
	head: Files | CommitFiles,
	given: { readonly [K in 'config' | 'records' | 'machine' | 'base']?: unknown } = {},
) => {
	const { config = CONFIG, records = [RECORD], machine = environment, base = BASE } = given;
	const side = 'entries' in head ? (head as CommitFiles) : commitOf(head as Files);
	const machines = machine === null ? [] : [machine as typeof environment];
	return deriveImpact(config as Config, records as BaselineRecord[], machines, {
		base: base as CommitFiles,
		head: side,
	});
};
const rowsOf = (derived: DerivedImpact | string) => {
	assert.ok(typeof derived !== 'string', `${derived}`);
	return Object.fromEntries([...derived.rows].map(([id, reason]) => [id, reason?.kind ?? null]));
};
const ALL = { 'express/ping': null, 'express/json-nested': null, 'express/param-text': null };

test('a function that no row runs affects none, and is named', async () => {
	const derived = await derive(changing('sendFile'));
	assert.deepEqual(rowsOf(derived), ALL);
	assert.ok(typeof derived !== 'string');
	const { changes, notExercised } = derived.changed;
	assert.deepEqual([changes.map(({ name }) => name), notExercised], [['exports.sendFile'], 1]);
});

test('a function affects the rows that run it', async () => {
	assert.deepEqual(rowsOf(await derive(changing('json'))), { ...ALL, 'express/json-nested': 'code' });
	const derived = await derive(changing('send'));
	assert.deepEqual(rowsOf(derived), { ...ALL, 'express/ping': 'code', 'express/param-text': 'code' });
});

test('a new script beside those that run affects no row', async () => {
	assert.deepEqual(
		rowsOf(await derive({ ...PACKAGE, 'lib/response.json': '{}', 'lib/more.js': '', 'more.js': '' })),
		ALL,
	);
});

test('documents, tests and comments affect no row', async () => {
	const commented = { ...PACKAGE, 'index.js': `// Loads the library.\n${PACKAGE['index.js']}` };
	const beside = { 'Readme.md': 'new', 'test/response.js': 'changed', 'test/more.js': 'new' };
	assert.deepEqual(rowsOf(await derive({ ...commented, ...beside })), ALL);
});

test('a script that base loads and head lacks, or that another could replace, affects every row', async () => {
	const { 'lib/response.js': _, ...without } = PACKAGE;
	assert.ok(Object.values(rowsOf(await derive(without))).every((kind) => kind !== null));
	const folder = { ...without, 'lib/response.js/index.js': PACKAGE['lib/response.js'] ?? '' };
	assert.ok(Object.values(rowsOf(await derive(folder))).every((kind) => kind !== null));
});

test('a row is affected if any baseline of the commit shows it', async () => {
	const other = recordOf(CONFIG, AT, () => ['json']);
	assert.deepEqual(rowsOf(await derive(changing('json'), { records: [RECORD, other] })), {
		...{ 'express/ping': 'code', 'express/json-nested': 'code', 'express/param-text': 'code' },
	});
});

test("a row whose request differs from main's, or depends on the seed, gets no prediction", async () => {
	const slower = configOf(`${TEXT}warmup: 9s\n`);
	assert.deepEqual(rowsOf(await derive(changing('sendFile'), { config: slower })), {});
	const [ping, ...others] = CONFIG.scenarios;
	assert.ok(ping);
	const mix = { ...ping, mix: [{ weight: 1, request: ping.request, expect: ping.expect }] };
	const mixed = { ...CONFIG, scenarios: [mix, ...others] };
	const { 'express/ping': _, ...rest } = ALL;
	assert.deepEqual(rowsOf(await derive(changing('sendFile'), { config: mixed })), rest);
});

test('base files that differ from those of main, as after a build, decide nothing', async () => {
	const built = recordOf(CONFIG, AT, NAMES, changing('json'));
	assert.deepEqual(rowsOf(await derive(changing('sendFile'), { records: [built] })), {});
});

const manifest = (more: string) => ({ ...PACKAGE, 'package.json': `{ "name": "express", ${more} }` });
const sibling = (text: string) => ({
	...manifest('"main": "index.js", "dependencies": { "core": "file:core" }'),
	...{ 'core/package.json': '{ "name": "core" }', 'core/index.js': text },
});
const link = commitOf(changing('sendFile'), { 'lib/response.js': '120000' });
const packed = Buffer.from('no coverage').toString('base64');
const reading = (path: string): BaselineRecord => {
	const { coverage } = RECORD;
	assert.ok(coverage);
	const cells = Object.entries(unpackCoverage(coverage) ?? {}).map(([key, cell]) => [key, { ...cell, reads: [path] }]);
	return { ...RECORD, coverage: { ...coverage, packed: packCoverage(Object.fromEntries(cells)) ?? '' } };
};

const UNKNOWN: readonly (readonly [string, RegExp, Files | CommitFiles, Parameters<typeof derive>[1]])[] = [
	['another Node', /no coverage of base from a machine/, PACKAGE, { machine: { ...environment, node: '23.0.0' } }],
	['more CPUs', /no coverage of base from a machine/, PACKAGE, { machine: { ...environment, cpus: 96 } }],
	['no machine', /no coverage of base from a machine/, PACKAGE, { machine: null }],
	['no coverage', /no coverage of base/, PACKAGE, { records: [] }],
	['damaged coverage', /damaged/, PACKAGE, { records: [{ ...RECORD, coverage: { ...RECORD.coverage, packed } }] }],
	[
		'another package',
		/another package/,
		PACKAGE,
		{ records: [{ ...RECORD, coverage: { ...RECORD.coverage, folder: 'x' } }] },
	],
	['a build in the config', /prepare/, PACKAGE, { config: { ...CONFIG, prepare: 'npm run compile' } }],
	['another package.json', /package\.json changed/, manifest('"version": "5.1.0"'), {}],
	['a lockfile', /package-lock\.json changed/, { ...PACKAGE, 'package-lock.json': '{}' }, {}],
	['a list of packed files', /\.npmignore changed/, { ...PACKAGE, '.npmignore': 'lib' }, {}],
	['data among tests', /reads its tests/, PACKAGE, { records: [reading('node_modules/express/test/data.json')] }],
	['a listing of all files', /reads its tests/, PACKAGE, { records: [reading('node_modules/express/')] }],
	['a native addon', /binding\.gyp changed/, { ...PACKAGE, 'binding.gyp': '{}' }, {}],
	['a link', /no plain file/, link, {}],
	...[
		['main without an extension', manifest('"main": "index"'), 'index'],
		['main that is a folder', { ...manifest('"main": "lib"'), 'lib/index.js': "require('./response.js')" }, 'lib.js'],
		['main that is missing', manifest('"main": "fast.js"'), 'fast.js'],
	].map(([label, base, added]) => {
		const records = [recordOf(CONFIG, AT, NAMES, base as Files)];
		const head = { ...(base as Files), [`${added}`]: 'slow()' };
		return [
			`${label}, and a file in its place`,
			/express may lead/,
			head,
			{ base: commitOf(base as Files), records },
		] as const;
	}),
	['a package that is packed beside', /in a package of its own/, sibling('slow()'), { base: commitOf(sibling('')) }],
	...['prepare', 'postprepare', 'dependencies', 'prepack', 'postpack', 'build', 'install', 'postinstall'].map(
		(script) => {
			const files = manifest(`"scripts": { "${script}": "node make.js" }`);
			return [
				`the script ${script}`,
				new RegExp(`^the script ${script} of package.json may write`),
				files,
				{ base: commitOf(files) },
			] as const;
		},
	),
];

for (const [label, why, head, given] of UNKNOWN) {
	test(`${label}: no prediction, with the reason`, async () => {
		const derived = await derive(head, given);
		assert.ok(typeof derived === 'string');
		assert.match(derived, why);
	});
}

test('a change outside of the package decides nothing', async () => {
	const config = configOf(`${TEXT}subject: packages/express\n`);
	const inside = (files: Files) =>
		Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/express/${path}`, text]));
	const { coverage, ...record } = recordOf(config, AT, NAMES);
	const records = [{ ...record, coverage: { ...coverage, folder: 'packages/express' } }];
	const base = commitOf(inside(PACKAGE));
	assert.deepEqual(rowsOf(await derive(inside(changing('sendFile')), { config, records, base })), ALL);
	const beside = { ...inside(PACKAGE), 'packages/other/index.js': 'changed' };
	assert.match(
		`${await derive(beside, { config, records, base })}`,
		/packages\/other\/index\.js changed, which is outside/,
	);
});
