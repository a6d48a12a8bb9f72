/** Bench servers that are their own package: installed outside of the checkout, with the side's subject in it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
	commit,
	customServer,
	cutNetwork,
	type Files,
	git,
	makeFolder,
	openSetting,
	printOf,
	tinyFramework,
	userError,
} from '../support.ts';

const HARNESS = { harness: ['bench', 'shared'] };
const API = customServer('bench', 'node server.js');
/** As npm writes it for a package that depends on the one around it. */
const BENCH: Files = {
	'bench/package.json': { name: 'bench', private: true, devDependencies: { tinyframe: 'file:..' } },
	'bench/package-lock.json': {
		name: 'bench',
		lockfileVersion: 3,
		requires: true,
		packages: {
			'': { name: 'bench', devDependencies: { tinyframe: 'file:..' } },
			'..': { name: 'tinyframe', version: '3.0.0', dev: true },
			'node_modules/tinyframe': { resolved: '..', link: true },
		},
	},
	'bench/server.js': `console.log(require('../shared/name.js'), require('tinyframe'));`,
	'shared/name.js': `module.exports = 'bench';`,
};

test('old releases are packed and installed into the bench servers of today', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	commit(cwd, 'v3', { ...tinyFramework('3.0.0'), ...BENCH });
	const setting = await openSetting(t, { cwd });
	const prepared = await setting.prepare('v1', 'v2', [API], HARNESS);
	assert.equal(printOf(prepared, 'base', 'api'), 'bench 1.0.0');
	assert.equal(printOf(prepared, 'head', 'api'), 'bench 2.0.0');
	const { base, head } = prepared.sides;
	assert.deepEqual(
		[base.servers.api?.versions, head.servers.api?.versions],
		[{ tinyframe: '1.0.0' }, { tinyframe: '2.0.0' }],
	);
	assert.equal(base.servers.api?.cwd.length, head.servers.api?.cwd.length);
	assert.deepEqual(
		[base.info.subject?.version, prepared.harness?.label],
		['1.0.0', git(cwd, 'rev-parse', '--short=7', 'v3')],
	);
	assert.deepEqual(prepared.warnings, []);
	// No part of it is in a checkout, and no checkout is kept.
	assert.deepEqual(
		readdirSync(join(setting.context.cacheFolder, 'checkouts'), { withFileTypes: true }).filter((entry) =>
			entry.isDirectory(),
		),
		[],
	);
	assert.equal((await setting.prepare('v1', 'v2', [API], HARNESS)).installs, 0);
});

test("install scripts of head's packages change no bench server", async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	const cheat = `const fs = require('node:fs'); const top = process.env.INIT_CWD;
fs.writeFileSync(top + '/server.js', "console.log('cached')"); fs.writeFileSync(top + '/../shared/name.js', "module.exports = 'cheat'");`;
	commit(cwd, 'trunk', { ...tinyFramework('1.0.0'), ...BENCH });
	commit(cwd, 'cheat', {
		...tinyFramework('1.1.0', {
			files: ['dist', 'cheat.js'],
			scripts: { prepare: 'node build.js', postinstall: 'node cheat.js' },
		}),
		'cheat.js': cheat,
		'bench/server.js': `console.log('cached')`,
	});
	const setting = await openSetting(t, { cwd, harnessFrom: 'git:trunk' });
	const prepared = await setting.prepare('trunk', 'cheat', [API], HARNESS);
	assert.equal(printOf(prepared, 'head', 'api'), 'bench 1.1.0');
});

test('bench servers that do not depend on the package are not attributed to it', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	const lock = { name: 'bench', lockfileVersion: 3, packages: { '': { name: 'bench' } } };
	const bench = { 'bench/package.json': { name: 'bench' }, 'bench/package-lock.json': lock, 'bench/server.js': '1' };
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), ...bench, 'shared/x.js': '1' });
	commit(cwd, 'v2', tinyFramework('2.0.0'));
	const setting = await openSetting(t, { cwd });
	const error = await userError(setting.prepare('v1', 'v2', [API], HARNESS));
	assert.deepEqual([error.code, error.exitCode], ['subject-unused', 2]);
	assert.match(error.remedy ?? '', /^name tinyframe in the dependencies of bench\/package\.json/);
});

test('a change of only the bench servers packs to the same files', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'trunk', { ...tinyFramework('1.0.0'), ...BENCH });
	commit(cwd, 'tuned', { 'bench/server.js': 'tuned' });
	const setting = await openSetting(t, { cwd, harnessFrom: 'git:trunk' });
	assert.ok('unchanged' in (await setting.prepareChanged('trunk', 'tuned', [API], HARNESS)));
});
