/** Bench servers of one revision, laid over the checkouts of both sides. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Prepared } from '../../../src/types/prepared.ts';
import {
	commit,
	customServer,
	type Files,
	git,
	makeFolder,
	openSetting,
	printOf,
	userError,
	writeFiles,
} from '../support.ts';

const HARNESS = { harness: ['bench'] };
const API = customServer('bench', 'node server.js');
/** A bench server that loads the code under test and prints its owner. */
const server = (whose: string) => `console.log('${whose}', require('../lib.js'));`;
const lib = (version: string) => `module.exports = '${version}';`;

const cwdOf = (prepared: Prepared, side: 'base' | 'head') => prepared.sides[side].servers.api?.cwd ?? '';

/** A repository whose commits are tagged, and a setting in it. */
async function openRepository(t: TestContext, commits: Readonly<Record<string, Files>>, harnessFrom?: string) {
	const cwd = makeFolder(t);
	for (const [tag, files] of Object.entries(commits)) commit(cwd, tag, files);
	return { cwd, setting: await openSetting(t, { cwd, ...(harnessFrom !== undefined && { harnessFrom }) }) };
}

test('a bench server that head tunes is measured on neither side', async (t) => {
	const { cwd, setting } = await openRepository(
		t,
		{
			trunk: { 'bench/server.js': server('honest'), 'lib.js': lib('one') },
			cheat: { 'bench/server.js': `console.log('cached');`, 'bench/extra.js': '', 'lib.js': lib('two') },
		},
		'git:trunk',
	);
	const prepared = await setting.prepare('trunk', 'cheat', [API], HARNESS);
	assert.equal(printOf(prepared, 'base', 'api'), 'honest one');
	assert.equal(printOf(prepared, 'head', 'api'), 'honest two');
	// Replaced, not merged.
	assert.deepEqual(readdirSync(cwdOf(prepared, 'head')), ['server.js']);
	assert.deepEqual(prepared.harness, {
		label: 'trunk',
		sha: git(cwd, 'rev-parse', 'trunk'),
		folders: ['bench'],
	});
	assert.deepEqual(
		prepared.warnings.map(({ message }) => message),
		[
			'Head changes bench servers (bench). Those of trunk ran on both sides; the change takes effect once it is merged.',
		],
	);
	// The user's checkout is head's and stays unchanged.
	assert.match(readFileSync(join(cwd, 'bench/server.js'), 'utf8'), /cached/);
	const without = await setting.prepare('trunk', 'cheat', [API]);
	assert.equal(printOf(without, 'head', 'api'), 'cached');
	assert.equal(without.harness, undefined);
});

test('releases older than the bench servers run those of today, each with its own lockfile', async (t) => {
	const locked = (version: string) => ({
		'package.json': { name: 'app', version },
		'package-lock.json': JSON.stringify({
			name: 'app',
			version,
			lockfileVersion: 3,
			packages: { '': { name: 'app', version } },
		}),
		'lib.js': lib(version),
	});
	const { cwd, setting } = await openRepository(t, { v1: locked('1.0.0'), v2: locked('2.0.0') });
	// In no commit: the local files.
	writeFiles(cwd, { 'bench/server.js': server('today'), 'bench/package.json': { type: 'commonjs' } });
	const prepared = await setting.prepare('v1', 'v2', [API], HARNESS);
	assert.equal(printOf(prepared, 'base', 'api'), 'today 1.0.0');
	assert.equal(printOf(prepared, 'head', 'api'), 'today 2.0.0');
	assert.deepEqual(prepared.harness, { label: 'the working tree', folders: ['bench'] });
	for (const [side, tag] of [
		['base', 'v1'],
		['head', 'v2'],
	] as const) {
		const lockfile = readFileSync(join(cwdOf(prepared, side), '../package-lock.json'), 'utf8');
		assert.equal(lockfile, git(cwd, 'show', `${tag}:package-lock.json`));
	}
	const sha = commit(cwd, 'v3', {});
	const committed = await setting.prepare('v1', 'v2', [API], HARNESS);
	assert.deepEqual(committed.harness, { label: sha.slice(0, 7), sha, folders: ['bench'] });
	// Made of the same files: nothing is built again.
	assert.deepEqual(committed.sides, prepared.sides);
});

test('bytes and modes are those of the commit, whatever attributes head gives the folder', async (t) => {
	const bytes = Buffer.from([0, 255, 13, 10, 13, 10, 128, 10]);
	const { cwd, setting } = await openRepository(t, { old: { 'lib.js': '' } }, 'git:trunk');
	mkdirSync(join(cwd, 'bench'));
	writeFileSync(join(cwd, 'bench/data.bin'), bytes);
	writeFileSync(join(cwd, 'bench/start.sh'), '#!/bin/sh\r\necho "$Id$"\n', { mode: 0o755 });
	const trunk = commit(cwd, 'trunk', {});
	commit(cwd, 'cheat', { '.gitattributes': 'bench/** text=auto eol=lf ident export-ignore\n' });
	const prepared = await setting.prepare('old', 'cheat', [customServer('bench', 'true')], HARNESS);
	for (const side of ['base', 'head'] as const) {
		assert.deepEqual(readFileSync(join(cwdOf(prepared, side), 'data.bin')), bytes);
		assert.equal(readFileSync(join(cwdOf(prepared, side), 'start.sh'), 'latin1'), '#!/bin/sh\r\necho "$Id$"\n');
		assert.equal(statSync(join(cwdOf(prepared, side), 'start.sh')).mode & 0o111, 0o111);
		assert.equal(statSync(join(cwdOf(prepared, side), 'data.bin')).mode & 0o111, 0);
	}
	assert.equal(prepared.harness?.sha, trunk);
});

test('bench servers that the build changes are restored, and its new files stay', async (t) => {
	const build = [
		`const fs = require('node:fs');`,
		`fs.writeFileSync('bench/server.js', "console.log('cached')");`,
		`fs.rmSync('bench/parts', { recursive: true }); fs.symlinkSync('../elsewhere', 'bench/parts');`,
		`fs.writeFileSync('bench/built.txt', 'built');`,
	].join('\n');
	const { setting } = await openRepository(
		t,
		{
			trunk: {
				'bench/server.js': `console.log(require('./parts/part.js'));`,
				'bench/parts/part.js': `module.exports = 'honest';`,
				'build.js': '',
			},
			cheat: { 'build.js': build, 'elsewhere/part.js': `module.exports = 'cheat';` },
		},
		'git:trunk',
	);
	const config = { ...HARNESS, prepare: 'node build.js' };
	const prepared = await setting.prepare('trunk', 'cheat', [API], config);
	assert.equal(printOf(prepared, 'head', 'api'), 'honest');
	assert.ok(existsSync(join(cwdOf(prepared, 'head'), 'built.txt')));
	assert.match(
		prepared.warnings.map(({ message }) => message).join(),
		/^head \(cheat\): the build changed files of the bench servers \(bench\/parts\/part\.js, bench\/server\.js\); they were put back$/,
	);
	// A server of an earlier run may have written into its start folder.
	writeFileSync(join(cwdOf(prepared, 'head'), 'server.js'), `console.log('cached')`);
	const again = await setting.prepare('trunk', 'cheat', [API], config);
	assert.equal(again.installs, 0);
	assert.equal(printOf(again, 'head', 'api'), 'honest');
});

test('a link in the way is not followed: the folder itself is replaced, a path to it is refused', async (t) => {
	const outside = makeFolder(t, { 'server.js': 'untouched' });
	const { cwd, setting } = await openRepository(t, { old: { 'lib.js': lib('old') } }, 'git:trunk');
	commit(cwd, 'trunk', { 'bench/server.js': server('honest'), 'tools/bench/server.js': 'console.log(1)' });
	git(cwd, 'rm', '--quiet', '-r', 'bench', 'tools');
	symlinkSync(outside, join(cwd, 'bench'));
	symlinkSync(outside, join(cwd, 'tools'));
	commit(cwd, 'links', {});
	const prepared = await setting.prepare('old', 'links', [API], HARNESS);
	assert.equal(printOf(prepared, 'head', 'api'), 'honest old');
	assert.deepEqual(readdirSync(outside), ['server.js']);
	assert.equal(readFileSync(join(outside, 'server.js'), 'utf8'), 'untouched');
	const error = await userError(
		setting.prepare('old', 'links', [customServer('tools/bench')], { harness: ['tools/bench'] }),
	);
	assert.deepEqual([error.code, error.where, error.exitCode], ['harness-blocked', 'head (links)', 2]);
	assert.match(error.message, /"tools" is a symbolic link in this revision/);
	assert.deepEqual(readdirSync(outside), ['server.js']);
});

test('a change of only the bench servers leaves nothing to measure', async (t) => {
	const { setting } = await openRepository(
		t,
		{
			trunk: { 'bench/server.js': server('honest'), 'lib.js': lib('one') },
			tuned: { 'bench/server.js': 'tuned', 'bench/data.json': '{}' },
			changed: { 'lib.js': lib('two') },
		},
		'git:trunk',
	);
	assert.ok('unchanged' in (await setting.prepareChanged('trunk', 'tuned', [API], HARNESS)));
	assert.ok(!('unchanged' in (await setting.prepareChanged('trunk', 'tuned', [API]))));
	assert.ok(!('unchanged' in (await setting.prepareChanged('tuned', 'changed', [API], HARNESS))));
});
