import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commit, makeFolder, openSetting, printOf, tinyTool } from './support.ts';
import { workspaces } from './workspaces.ts';

test('a workspace of an npm monorepo is packed with the siblings it depends on', async (t) => {
	const cwd = makeFolder(t);
	const root = { 'package.json': { private: true, workspaces: ['packages/*'] } };
	commit(cwd, 'v1', workspaces('one', '1.0.0', root));
	commit(cwd, 'v2', workspaces('two', '1.0.0', root));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny'], { subject: 'packages/core' });
	assert.equal(printOf(prepared, 'base', 'tiny'), 'one sibling one');
	assert.equal(printOf(prepared, 'head', 'tiny'), 'two sibling two');
	assert.deepEqual(prepared.warnings, []);
});
