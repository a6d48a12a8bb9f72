/** Scenarios that a built-in server leaves out, from the list to the report: an installation with two small servers. */
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readCatalogueFiles } from '../../../src/config/load-catalogue-files.ts';
import { PACKED_CATALOGUE } from '../../../src/config/load-packed-catalogue.ts';
import type { Result } from '../../../src/types/result.ts';
import { assertExit, complaint, makePlayground } from '../../support/cli.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const revision = (version: string) => ({ name: 'tinyframe', version, main: 'index.js' });
const playground = makePlayground(
	{ after },
	{
		'base/package.json': revision('1.0.0'),
		'base/index.js': '',
		'head/package.json': revision('1.0.1'),
		'head/index.js': '// changed',
	},
);
const tool = join(playground.root, 'tool');
for (const part of ['dist', 'package.json', 'schema']) cpSync(join(ROOT, part), join(tool, part), { recursive: true });
cpSync(join(ROOT, 'test/fixtures/tool'), tool, { recursive: true });
writeFileSync(join(tool, 'dist', PACKED_CATALOGUE), JSON.stringify(await readCatalogueFiles(tool)));

const run = (line: string) => playground.run(line.split(' '), { cli: join(tool, 'dist/cli.js') });
/** One round, then the end. */
const COMPARE = 'compare --base dir:base --head dir:head --seed 7 --warmup 200ms --budget 1s';
const SAID = 'page is not measured for partial (it has no pages)';

test('list shows the scenarios that a server leaves out', async () => {
	const { stdout } = await run('list');
	assert.match(stdout, /^Servers\n +partial +Has no pages\.\n +whole +Answers everything\.\n/m);
	assert.match(stdout, /^ {2}partial\/page {2}it has no pages$/m);
});

test('a group may include one: it is not measured, and every report notes it', async () => {
	const done = await run(
		`${COMPARE} --server partial,whole --scenario core --verbose --json result.json --markdown report.md`,
	);
	assert.ok(done.code === 0 || done.code === 1, done.stderr);
	const { cells, warnings } = JSON.parse(playground.read('result.json')) as Result;
	assert.deepEqual(
		cells.map(({ server, scenario, verdict }) => [`${server}/${scenario}`, verdict === 'invalid']).sort(),
		[
			['partial/ping', false],
			['whole/page', false],
			['whole/ping', false],
		],
	);
	assert.deepEqual(
		warnings.filter(({ code }) => code === 'scenario-left-out'),
		[{ code: 'scenario-left-out', message: SAID }],
	);
	assert.ok(done.stdout.replace(/\s+/g, ' ').includes(SAID), done.stdout);
	assert.ok(playground.read('report.md').includes(SAID));
});

test('a request for left-out scenarios only is refused before any preparation', async () => {
	const refused = await run(`${COMPARE} --server partial --scenario page`);
	assertExit(refused, 2);
	assert.match(complaint(refused), /no chosen server answers "page": partial leaves it out \(it has no pages\)/);
});
