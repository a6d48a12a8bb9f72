/** The catalogue as the build packs it. That it is what the folders say today is what `npm run check:dist` holds. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCatalogueFiles } from '../../src/config/load-catalogue-files.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { CLI, makePlayground } from '../support/cli.ts';

test('packing loses nothing', async () => {
	const files = await readCatalogueFiles(TOOL_ROOT);
	assert.deepEqual(JSON.parse(JSON.stringify(files)), files);
});

test('the command line lists what there is without a file of a server or scenario', async (t) => {
	const playground = makePlayground(t);
	const tool = join(playground.root, 'tool');
	for (const part of ['package.json', 'dist']) cpSync(join(TOOL_ROOT, part), join(tool, part), { recursive: true });
	const list = async (cli: string) => {
		const { code, stdout, stderr } = await playground.run(['list'], { cli });
		assert.equal(code, 0, stderr);
		return stdout;
	};
	assert.equal(await list(join(tool, 'dist/cli.js')), await list(CLI));
});
