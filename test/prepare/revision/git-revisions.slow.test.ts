import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commit, makeFolder, openSetting, printOf, tinyFramework, tinyTool, userError } from '../support.ts';

test('the same code under another name is found in the cache', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'same', {});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'same', ['tiny']);
	assert.equal(prepared.installs, 1);
	assert.equal(prepared.sides.base.servers.tiny?.cwd, prepared.sides.head.servers.tiny?.cwd);
});

test('a post-checkout hook of the user does not run', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const hook = join(cwd, '.git/hooks/post-checkout');
	writeFileSync(hook, `#!/bin/sh\ntouch "${cwd}/hooked"\n`);
	chmodSync(hook, 0o755);
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	await setting.prepare('v1', 'v1', ['tiny']);
	assert.equal(existsSync(join(cwd, 'hooked')), false);
});

for (const prepare of ['cd inner; test -e ../index.js || exit 9\nnode -e 0', 'export NODE_ENV=production']) {
	test(`the command that repeats a failure runs "${prepare}" the same way: in its own shell`, async (t) => {
		const cwd = makeFolder(t);
		const broken = { 'build.js': `console.error('no such module: left'); process.exit(7);`, 'inner/x': '' };
		commit(cwd, 'v1', { ...tinyFramework('1.0.0'), ...broken });
		const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
		const error = await userError(setting.prepare('v1', 'v1', ['tiny'], { prepare }));
		assert.equal(error.message, 'npm pack failed with exit code 7');
		const command = /^repeat it by hand: (.*); the whole log/s.exec(error.remedy ?? '')?.[1] ?? '';
		const sandbox = join(makeFolder(t), 'copy');
		const repeated = spawnSync('/bin/sh', ['-c', command.replaceAll('../benchgate-base', sandbox)], {
			cwd,
			encoding: 'utf8',
		});
		// Past the prepare command, in the right folder, to the same failure.
		assert.match(repeated.stdout + repeated.stderr, /no such module: left/);
		assert.ok(command.includes(`sh -c '${prepare}'`), command);
	});
}

test('a subject whose scripts do not touch what is packed is packed without installing', async (t) => {
	const cwd = makeFolder(t);
	const plain = (version: string) =>
		tinyFramework(version, {
			main: 'index.js',
			files: ['index.js'],
			scripts: { test: 'exit 1', lint: 'exit 1', prepublishOnly: 'exit 1' },
			devDependencies: { 'not-a-package-anywhere': '9' },
		});
	commit(cwd, 'v1', plain('1.0.0'));
	commit(cwd, 'v2', plain('2.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	assert.equal(printOf(prepared, 'head', 'tiny'), '2.0.0');
	assert.deepEqual(
		setting.steps.filter((step) => /: npm /.test(step)),
		['base (v1): npm pack', 'head (v2): npm pack'],
	);
});
