/**
 * Precomputed parts of the bundles, which make them start sooner. `npm run check:dist` compares them with the sources.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readCatalogueFiles } from '../../src/config/load-catalogue-files.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { RAW_SCHEMA_VERSION } from '../../src/types/result.ts';
import { assertExit, CLI, makePlayground } from '../support/cli.ts';

const playground = makePlayground(
	{ after },
	{
		'benchgate.yml': {
			budget: 'soon',
			scenarios: [{ name: 'ok', request: { path: 'ping' }, expect: { status: 200 } }],
		},
		'raw.json': { kind: 'benchgate-raw', schemaVersion: RAW_SCHEMA_VERSION, rounds: [] },
	},
);

test('bundles take the modules of Node as CommonJS does', () => {
	const folder = join(TOOL_ROOT, 'dist');
	const bundles = readdirSync(folder).filter((name) => /^(?:cli|commands|watchdog|action.*)\.js$/.test(name));
	assert.ok(bundles.includes('action.js'));
	for (const name of bundles) {
		const text = readFileSync(join(folder, name), 'utf8');
		assert.doesNotMatch(text, /[;}]import[^;()'"]{1,200}from"(?:node:)?(?:https?|fs|crypto|stream|process)"/, name);
	}
});

test('packing the catalogue loses nothing', async () => {
	const files = await readCatalogueFiles(TOOL_ROOT);
	assert.deepEqual(JSON.parse(JSON.stringify(files)), files);
});

test('lists need no file of a server or scenario', async () => {
	const tool = join(playground.root, 'tool');
	for (const part of ['package.json', 'dist']) cpSync(join(TOOL_ROOT, part), join(tool, part), { recursive: true });
	const [packed, whole] = await Promise.all(
		[join(tool, 'dist/cli.js'), CLI].map((cli) => playground.run(['list'], { cli })),
	);
	assert.ok(packed && whole);
	assertExit(packed, 0);
	assert.equal(packed.stdout, whole.stdout);
});

const REFUSED: readonly (readonly [words: readonly string[], messages: readonly string[]])[] = [
	[
		['compare', '--base', 'main', '--head', '.'],
		['budget: "soon" is not allowed', 'scenarios[0].request.path: "ping" is not allowed; a path that starts with "/"'],
	],
	[['judge', 'raw.json'], ["must have required property 'context'"]],
];

for (const [words, messages] of REFUSED) {
	test(`${words[0]} reports a bad file even if schemas cannot be compiled`, () => {
		const argv = ['--disallow-code-generation-from-strings', CLI, ...words];
		const { status, stderr } = spawnSync(process.execPath, argv, { cwd: playground.folder, encoding: 'utf8' });
		assert.equal(status, 2, stderr);
		const flat = stderr.replace(/\s+/g, ' ');
		for (const part of messages) assert.ok(flat.includes(part), stderr);
	});
}
