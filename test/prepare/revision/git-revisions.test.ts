import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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
} from '../support.ts';

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
		readdirSync(join(setting.context.cacheFolder, 'checkouts')).filter((name) => !name.endsWith('.log')),
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
	// A package manager that would fail if it ran.
	const again = await openSetting(t, { cwd, toolRoot, cacheFolder: setting.context.cacheFolder, npm: '/bin/false' });
	const second = await again.prepare('v1', 'v2', ['tiny']);
	assert.equal(second.installs, 0);
	assert.deepEqual(second.sides, first.sides);
	assert.deepEqual(again.steps, ['Resolving revisions', 'base (v1): from the cache', 'head (v2): from the cache']);
});

test('a build sees neither secrets nor the environment of this process', async (t) => {
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

test('a revision without package.json in the subject folder is reported', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'README.md': 'nothing' });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny'], { subject: 'packages/core' }));
	assert.equal(error.code, 'no-package');
	assert.match(error.message, /"packages\/core" has no package.json/);
	assert.match(error.remedy ?? '', /subject:/);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
});
