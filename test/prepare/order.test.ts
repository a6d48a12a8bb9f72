/** Attacks of head's build on the finished base. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacked } from './attacked.ts';
import { commit, customServer, makeFolder, openSetting, tinyFramework, tinyTool, userError } from './support.ts';

test('base is packed and installed before the first line of head runs', async (t) => {
	const setting = await attacked(t, '');
	await setting.prepare('v1', 'v2', ['tiny']);
	const sides = setting.steps.map((step) => /^(base|head) \(/.exec(step)?.[1]).filter((side) => side !== undefined);
	assert.deepEqual(sides, ['base', 'base', 'head', 'head']);
});

test('a head that edits the start folder of a custom server ends the run', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.sh': 'echo one' });
	commit(cwd, 'v2', { 'attack.sh': 'for file in ../*/server.sh; do echo sleep 1 >> $file; done' });
	const setting = await openSetting(t, { cwd });
	const prepare = 'if [ -e attack.sh ]; then sh attack.sh; fi';
	const work = setting.prepare('v1', 'v2', [customServer('.', 'sh server.sh')], { prepare });
	assert.equal((await userError(work)).code, 'workspace-changed');
});

test('two packages of different names are distinguished before any build', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('1.0.0', { name: 'other' }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	assert.equal((await userError(setting.prepare('v1', 'v2', ['tiny']))).code, 'different-subjects');
	assert.deepEqual(setting.steps, ['Resolving revisions']);
});
