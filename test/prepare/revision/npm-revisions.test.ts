import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { ServerSpec } from '../../../src/types/config.ts';
import {
	commit,
	customServer,
	cutNetwork,
	makeFolder,
	openSetting,
	printOf,
	tinyFramework,
	tinyTool,
	userError,
	writeFiles,
} from '../support.ts';

test('tarballs are subjects too, wherever they were packed', async (t) => {
	const cwd = makeFolder(t, tinyFramework('3.0.0'));
	execFileSync('npm', ['pack', '--silent'], { cwd });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const prepared = await setting.prepare('file:tinyframe-3.0.0.tgz', 'dir:.', ['tiny']);
	assert.equal(prepared.sides.base.info.kind, 'file');
	assert.equal(prepared.sides.base.info.label, 'tinyframe-3.0.0.tgz');
	assert.equal(printOf(prepared, 'base', 'tiny'), '3.0.0');
});

test('an invalid tarball of a package is reported', async (t) => {
	const cwd = makeFolder(t, { 'text.tgz': 'no tarball', 'folder/readme': 'x' });
	execFileSync('tar', ['-czf', 'empty.tgz', 'folder'], { cwd });
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	for (const file of ['text.tgz', 'empty.tgz']) {
		const error = await userError(setting.prepare(`file:${file}`, `file:${file}`, ['tiny']));
		assert.equal(error.code, 'bad-tarball');
	}
});

test('the content of a tarball is the checkout of custom servers', async (t) => {
	const cwd = makeFolder(t, {
		'package.json': { name: 'app', version: '1.0.0', devDependencies: { 'left-pad': '1.3.0' } },
		'server.js': 'console.log(1)',
	});
	execFileSync('npm', ['pack', '--silent'], { cwd });
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('file:app-1.0.0.tgz', 'file:app-1.0.0.tgz', [customServer('.')]);
	assert.equal(printOf(prepared, 'base', 'api'), '1');
	assert.deepEqual(prepared.sides.base.info.versions, { api: {} });
});

test('packages of different names cannot be base and head', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('1.0.0', { name: 'otherframe' }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v2', ['tiny']));
	assert.equal(error.code, 'different-subjects');
	assert.match(error.message, /tinyframe .* otherframe/);
});

test('a selection that does not run the subject is refused with the servers that would', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['bare']));
	assert.equal(error.code, 'subject-unused');
	assert.match(error.remedy ?? '', /: tiny$/);
});

test('a machine whose servers do not run the subject measures them if another machine has one that does', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const toolRoot = tinyTool(t);
	writeFiles(toolRoot, {
		'servers/plain/package.json': { name: 'plain', private: true },
		'servers/plain/server.mjs': `console.log('plain');`,
	});
	const prepare = async (...elsewhere: readonly ServerSpec[]) => {
		const setting = await openSetting(t, { cwd, toolRoot, elsewhere });
		return setting.prepare('v1', 'v1', ['bare']);
	};
	for (const other of [{ kind: 'built-in', name: 'tiny' } as const, customServer('.')]) {
		const { warnings } = await prepare(other);
		assert.deepEqual(
			warnings.map(({ code }) => code),
			['subject-unused'],
		);
	}
	const error = await userError(prepare({ kind: 'built-in', name: 'plain' }));
	assert.deepEqual([error.code, error.exitCode], ['subject-unused', 2]);
	assert.match(error.message, /\(bare, plain\)/);
});

test('an install that needs the network reports that, and keeps exit code 3', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0', { dependencies: { 'left-pad': '1.3.0' } }));
	cutNetwork(t);
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v1', ['tiny']));
	assert.equal(error.code, 'network');
	assert.equal(error.exitCode, 3);
	assert.match(error.details ?? '', /^npm error code ECONNREFUSED$/m);
});
