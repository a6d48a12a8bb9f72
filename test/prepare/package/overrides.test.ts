import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { preparePinned } from '../../../src/prepare/prepare-pinned.ts';
import { explainUnserved, missingPackage } from '../../../src/prepare/workspace.ts';
import { EXIT, isUserError, UserError } from '../../../src/types/errors.ts';
import {
	commit,
	configOf,
	cutNetwork,
	makeFolder,
	openSetting,
	printOf,
	tinyFramework,
	userError,
} from '../support.ts';

/** A server of two packages outside of every registry, one in the dependency tree of the other. */
function pairTool(t: TestContext): string {
	return makeFolder(t, {
		'servers/pair/package.json': {
			name: 'pair',
			private: true,
			dependencies: { tinyframe: '1.0.0' },
			benchgate: { unserved: ['tinyframe', 'tinyhelp'] },
		},
		'servers/pair/server.mjs': `import tinyframe from 'tinyframe'; console.log(tinyframe);`,
	});
}

/** Prints its own code, and the version of the helper it finds. */
const FRAME = { main: 'index.js', files: ['index.js'], scripts: {}, dependencies: { tinyhelp: '1.0.0' } };
const frame = (version: string) => ({
	'package.json': { name: 'tinyframe', version, ...FRAME },
	'index.js': `module.exports = '${version} with ' + require('tinyhelp');`,
});
const helper = (version: string) => ({
	// A script would make another version; no script runs.
	'package.json': { name: 'tinyhelp', version, main: 'index.js', scripts: { prepare: 'node break.js' } },
	'index.js': `module.exports = '${version}';`,
	'break.js': `require('node:fs').writeFileSync('index.js', 'module.exports = "built"');`,
});

test('a folder replaces a dependency wherever it is used, on both sides alike', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'v1', frame('1.0.0'));
	commit(cwd, 'v2', frame('2.0.0'));
	const helpers = makeFolder(t, helper('1.5.0'));
	const setting = await openSetting(t, { cwd, toolRoot: pairTool(t) });
	const prepare = (place: string) => setting.prepare('v1', 'v2', ['pair'], { packages: [{ name: 'tinyhelp', place }] });
	const first = await prepare(helpers);
	assert.equal(printOf(first, 'base', 'pair'), '1.0.0 with 1.5.0');
	assert.equal(printOf(first, 'head', 'pair'), '2.0.0 with 1.5.0');
	assert.deepEqual(first.sides.head.info.versions, { pair: { tinyframe: '2.0.0', tinyhelp: '1.5.0' } });
	assert.deepEqual(
		first.warnings.filter(({ code }) => code !== 'left-behind'),
		[],
	);
	assert.equal((await prepare(helpers)).installs, 0);
});

test('a server whose packages no registry has is installed from the given folder and tarball', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t);
	const { context } = await openSetting(t, { cwd, toolRoot: pairTool(t) });
	const helpers = makeFolder(t, helper('1.6.0'));
	execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: helpers });
	const packages = [
		{ name: 'tinyframe', place: makeFolder(t, frame('3.0.0')) },
		{ name: 'tinyhelp', place: join(helpers, 'tinyhelp-1.6.0.tgz') },
	];
	const prepared = await preparePinned({ ...configOf(['pair']), packages }, context);
	assert.equal(printOf(prepared, 'base', 'pair'), '3.0.0 with 1.6.0');
});

test('a wrong package, a missing one, and the subject are refused before any installation', async (t) => {
	cutNetwork(t);
	const cwd = makeFolder(t, { 'plain.txt': 'x', '1.0.0/package.json': { name: 'tinyhelp', version: '1.0.0' } });
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	const other = makeFolder(t, { ...helper('1.0.0'), 'empty/readme': 'x' });
	const setting = await openSetting(t, { cwd, toolRoot: pairTool(t) });
	const refusal = (name: string, place: string) =>
		userError(setting.prepare('v1', 'v1', ['pair'], { packages: [{ name, place }] }));
	const wrong = await refusal('tinyframe', other);
	assert.equal(wrong.message, `${other} is the package tinyhelp, not tinyframe`);
	assert.equal(wrong.where, `package tinyframe=${other}`);
	assert.equal(wrong.exitCode, EXIT.usage);
	assert.match((await refusal('tinyhelp', join(other, 'empty'))).message, /holds no package with a name$/);
	assert.equal((await refusal('tinyhelp', './nowhere')).code, 'no-folder');
	assert.equal((await refusal('tinyhelp', './plain.txt')).code, 'bad-tarball');
	for (const place of ['1.0.0', 'plain.txt']) {
		const twofold = await refusal('tinyhelp', place);
		assert.equal(twofold.code, 'ambiguous-package');
		assert.match(twofold.remedy ?? '', /^choose one: tinyhelp=\.\//);
	}
	const subject = await refusal('tinyframe', '.');
	assert.equal(subject.code, 'package-is-subject');
	assert.match(subject.message, /^tinyframe is the package that is compared: each side has its own$/);
});

test('a package that the registry lacks is named, with the flag that gives it', () => {
	const output = [
		'npm error code E404',
		'npm error 404 Not Found - GET http://127.0.0.1:4873/@some%2fcore - Not found',
		`npm error 404  '@some/core@0.6.1' is not in this registry.`,
	].join('\n');
	assert.equal(missingPackage(output), '@some/core');
	const noVersion = 'npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for plain@0.3.6.\n';
	const absent =
		"npm error code E404\nnpm error 404  The requested resource '@some/core@1.0.0' could not be found or you do not";
	assert.equal(missingPackage(absent), '@some/core');
	assert.equal(missingPackage(noVersion), 'plain');
	assert.equal(missingPackage(`printed by a test: '@some/core@1' is not in this registry`), null);

	const server = { name: 'wrapper', description: '', dependencies: [] };
	const failed = new UserError({ code: 'build-failed', message: 'npm install failed', details: output });
	const explained = explainUnserved(server, failed);
	assert.ok(isUserError(explained));
	assert.equal(explained.code, 'not-installed');
	assert.equal(explained.message, 'the registry has no package @some/core');
	assert.match(explained.remedy ?? '', /--package @some\/core=FOLDER/);
	assert.equal(explained.exitCode, EXIT.nothingMeasured);
	const other = new UserError({ code: 'build-failed', message: 'exit code 1', details: 'gyp ERR!' });
	assert.equal(explainUnserved(server, other), other);
});
