import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
	commit,
	git,
	makeFolder,
	openSetting,
	printOf,
	setEnvironment,
	tinyFramework,
	tinyTool,
	userError,
} from './support.ts';

test('two tags become two built, installed servers, and nothing is left in the repository', async (t) => {
	const cwd = makeFolder(t);
	const sha = commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'main', ['tiny']);

	assert.equal(printOf(prepared, 'base', 'tiny'), '1.0.0');
	assert.equal(printOf(prepared, 'head', 'tiny'), '2.0.0');
	const { base, head } = prepared.sides;
	assert.equal(base.info.sha, sha);
	assert.equal(base.info.label, 'v1');
	assert.match(head.info.label, /^main@[0-9a-f]{7}$/);
	assert.deepEqual(base.info.subject, { name: 'tinyframe', version: '1.0.0' });
	assert.deepEqual(base.info.versions, { tiny: { tinyframe: '1.0.0' } });
	assert.equal(base.servers.tiny?.cwd.length, head.servers.tiny?.cwd.length);
	assert.notEqual(base.servers.tiny?.cwd, head.servers.tiny?.cwd);
	assert.deepEqual(prepared.warnings, []);

	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	assert.equal(git(cwd, 'status', '--porcelain', '--ignored'), '');
	assert.deepEqual(
		readdirSync(join(setting.context.cacheDir, 'checkouts')).filter((name) => !name.endsWith('.log')),
		[],
	);
});

test('a second run installs nothing and starts no package manager', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	const toolRoot = tinyTool(t);
	const setting = await openSetting(t, { cwd, toolRoot });
	const first = await setting.prepare('v1', 'v2', ['tiny']);
	assert.equal(first.installs, 2);
	// A package manager that would fail if it were run.
	const again = await openSetting(t, { cwd, toolRoot, cacheDir: setting.context.cacheDir, npm: '/bin/false' });
	const second = await again.prepare('v1', 'v2', ['tiny']);
	assert.equal(second.installs, 0);
	assert.deepEqual(second.sides, first.sides);
	assert.deepEqual(again.steps, ['Resolving revisions', 'base (v1): from the cache', 'head (v2): from the cache']);
});

test('the same code under another name is found in the cache', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'same', {});
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'same', ['tiny']);
	assert.equal(prepared.installs, 1);
	assert.equal(prepared.sides.base.servers.tiny?.cwd, prepared.sides.head.servers.tiny?.cwd);
});

test('a build sees neither secrets nor what surrounds this process', async (t) => {
	setEnvironment(t, { GITHUB_SHA: 'x', MY_TOKEN: 'secret', GIT_DIR: '/nowhere', NODE_ENV: 'production' });
	const cwd = makeFolder(t);
	const dump = `require('node:fs').writeFileSync('index.js', 'module.exports=' + JSON.stringify(Object.keys(process.env).join()))`;
	delete process.env.GIT_DIR;
	commit(cwd, 'v1', {
		...tinyFramework('1.0.0', { scripts: { prepare: 'node dump.js && node build.js' } }),
		'dump.js': dump,
	});
	process.env.GIT_DIR = '/nowhere';
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v1', ['tiny']);
	const names = printOf(prepared, 'base', 'tiny').split(',');
	for (const name of ['GITHUB_SHA', 'MY_TOKEN', 'GIT_DIR', 'NODE_ENV']) assert.ok(!names.includes(name), name);
	assert.ok(names.includes('PATH') && names.includes(setting.context.janitor.marker.name));
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

test('a side that does not build ends with code 3, its last lines, the command to repeat it, and no worktree', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const failing = `for (let i = 0; i < 40; i++) console.log('line ' + i); console.error('no such module: left'); process.exit(7);`;
	const sha = commit(cwd, 'broken', { 'build.js': failing });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'broken', ['tiny']));
	assert.equal(error.code, 'build-failed');
	assert.equal(error.exitCode, 3);
	assert.equal(error.where, 'head (broken)');
	assert.match(error.details ?? '', /no such module: left/);
	assert.ok((error.details ?? '').split('\n').length <= 20);
	assert.match(
		error.remedy ?? '',
		new RegExp(`git worktree add --detach ../benchgate-head ${sha} && cd ../benchgate-head && npm pack`),
	);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	const log = /whole log: ([^;]+)/.exec(error.remedy ?? '')?.[1] ?? '';
	assert.match(readFileSync(log, 'utf8'), /line 0\n/);
	// The repeat command repeats the failure.
	const command = (error.remedy ?? '').replace(/^repeat it by hand: /, '').replace(/; the whole log.*$/, '');
	const sandbox = makeFolder(t);
	const repeated = spawnSync('/bin/sh', ['-c', command.replaceAll('../benchgate-head', join(sandbox, 'copy'))], {
		cwd,
		encoding: 'utf8',
	});
	assert.notEqual(repeated.status, 0);
	assert.match(repeated.stdout + repeated.stderr, /no such module: left/);
});

test('a config prepare command replaces the default install', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { ...tinyFramework('1.0.0', { scripts: {}, devDependencies: { 'not-a-package-anywhere': '9' } }) });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v1', ['tiny'], { prepare: 'node build.js' });
	assert.equal(printOf(prepared, 'base', 'tiny'), '1.0.0');
	const error = await userError(setting.prepare('v1', 'v1', ['tiny'], { prepare: 'node build.js && exit 4' }));
	assert.equal(error.message, 'node build.js && exit 4 failed with exit code 4');
});

for (const prepare of ['cd inner; test -e ../index.js || exit 9\nnode -e 0', 'export NODE_ENV=production']) {
	test(`the command that repeats a failure runs "${prepare}" as it ran: in a shell of its own`, async (t) => {
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
		// Past the prepare command, in the right folder, to the very failure.
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

test('a revision without package.json in the subject folder is told', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'README.md': 'nothing' });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny'], { subject: 'packages/core' }));
	assert.equal(error.code, 'no-package');
	assert.match(error.message, /"packages\/core" has no package.json/);
	assert.match(error.remedy ?? '', /subject:/);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
});
