import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
	commit,
	customServer,
	git,
	makeFolder,
	openSetting,
	printOf,
	tinyFramework,
	tinyTool,
	userError,
} from './support.ts';

test('a custom server starts in a prepared checkout that stays in the cache, with paths of equal length', async (t) => {
	const cwd = makeFolder(t);
	const app = (mark: string) => ({
		'package.json': { name: 'app', version: '1.0.0', dependencies: { 'left-pad': '1.3.0' } },
		'bench/server.js': `console.log('${mark}', require('left-pad')('x', 2))`,
	});
	commit(cwd, 'v1', app('one'));
	commit(cwd, 'v2', app('two'));
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', [customServer('bench')]);
	const { base, head } = prepared.sides;
	assert.equal(printOf(prepared, 'base', 'api'), 'one  x');
	assert.equal(printOf(prepared, 'head', 'api'), 'two  x');
	assert.equal(base.servers.api?.cwd.length, head.servers.api?.cwd.length);
	assert.deepEqual(base.servers.api?.versions, { 'left-pad': '1.3.0' });
	assert.deepEqual(base.info.subject, { name: 'app', version: '1.0.0' });
	assert.equal(prepared.installs, 2);
	assert.equal(git(cwd, 'worktree', 'list').split('\n').length, 1);
	const again = await setting.prepare('v1', 'v2', [customServer('bench')]);
	assert.equal(again.installs, 0);
	assert.deepEqual(again.sides, prepared.sides);
});

test('equal code on both sides still gets two folders', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.sh': 'echo hello' });
	const setting = await openSetting(t, { cwd });
	const { sides } = await setting.prepare('v1', 'dir:.', [customServer('.', 'sh server.sh')]);
	const same = await setting.prepare('v1', 'v1', [customServer('.', 'sh server.sh')]);
	for (const prepared of [sides, same.sides]) {
		assert.notEqual(prepared.base.servers.api?.cwd, prepared.head.servers.api?.cwd);
		assert.equal(prepared.base.servers.api?.cwd.length, prepared.head.servers.api?.cwd.length);
	}
});

test('a server whose cwd one side lacks is absent there, and that side does not run its prepare command', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'README.md': 'nothing yet' });
	commit(cwd, 'v2', { 'bench/main.py': 'print("python")' });
	const setting = await openSetting(t, { cwd });
	const python = customServer('bench', 'python3 main.py');
	const prepared = await setting.prepare('v1', 'v2', [python], { prepare: 'touch bench/prepared' });
	assert.deepEqual(prepared.sides.base.servers, {});
	assert.equal(printOf(prepared, 'head', 'api'), 'python');
	assert.ok(existsSync(join(prepared.sides.head.servers.api?.cwd ?? '', 'prepared')));
	assert.equal(prepared.sides.head.info.subject, undefined);

	const error = await userError(setting.prepare('v1', 'v2', [customServer('bnech')]));
	assert.equal(error.code, 'no-folder');
	assert.match(error.message, /neither in base nor in head/);
	assert.equal((await userError(setting.prepare('v1', 'v2', [customServer('../..')]))).code, 'cwd-outside');
});

test('built-in and custom servers share one checkout', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), 'server.js': `console.log(require('tinyframe'))` });
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('v1', 'v2', ['tiny', 'bare', customServer('.', 'cat index.js')]);
	assert.equal(printOf(prepared, 'head', 'tiny'), '2.0.0');
	assert.match(printOf(prepared, 'base', 'api'), /1\.0\.0/);
	assert.deepEqual(
		prepared.warnings.map(({ code }) => code),
		['subject-unused'],
	);
	assert.equal(setting.steps.filter((step) => step.endsWith('npm pack')).length, 2);
});
