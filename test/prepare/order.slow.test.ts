/** Other attacks of head's build on the finished base. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeFailure } from '../../src/action/publish/describe-failure.ts';
import { failureKind } from '../../src/judge/consequence.ts';
import { attacked } from './attacked.ts';
import { customServer, makeFolder, printOf, userError } from './support.ts';

test('a head that breaks the npm on PATH breaks its own installation, not that of base', async (t) => {
	const npm = join(makeFolder(t), 'npm');
	const real = execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
	writeFileSync(npm, `#!/bin/sh\nexec '${real}' "$@"\n`);
	chmodSync(npm, 0o755);
	const broken = `#!/bin/sh\n[ "$1" = install ] && exit 1\nexec '${real}' "$@"\n`;
	const replace = `fs.writeFileSync('${npm}.new', ${JSON.stringify(broken)}, { mode: 0o755 }); fs.renameSync('${npm}.new', '${npm}');`;
	const setting = await attacked(t, replace, npm);
	const error = await userError(setting.prepare('v1', 'v2', ['tiny']));
	assert.equal(error.code, 'build-failed');
	assert.equal(failureKind(describeFailure(error)), 'head');
});

for (const [label, attack, named] of [
	[
		'edits the installation of base',
		`for (const file of find('workspaces', 'tiny/node_modules/tinyframe/dist/index.js')) { const { atime, mtime } = fs.statSync(file); fs.writeFileSync(file, "module.exports = '6.6.6';"); fs.utimesSync(file, atime, mtime); }`,
		/: tiny\/node_modules\/tinyframe\/dist\/index\.js\./,
	],
	[
		'adds a file that is found first',
		`for (const folder of find('workspaces', 'tiny/node_modules/tinyframe')) { fs.mkdirSync(folder + '/node_modules'); fs.writeFileSync(folder + '/node_modules/x.js', ''); }`,
		/: tiny\/node_modules\/tinyframe\/node_modules\/x\.js \(new\)\./,
	],
	[
		'removes a file of base',
		`for (const file of find('workspaces', 'tiny/server.mjs')) fs.rmSync(file);`,
		/: tiny\/server\.mjs\./,
	],
] as const) {
	test(`a head whose build ${label} ends the run without blame for base`, async (t) => {
		const setting = await attacked(t, attack);
		const error = await userError(setting.prepare('v1', 'v2', ['tiny']));
		assert.equal(error.code, 'workspace-changed');
		assert.match(error.message, named);
		assert.equal(failureKind(describeFailure(error)), 'other');
		assert.equal(error.exitCode, 3);
	});
}

for (const servers of [['tiny'], ['tiny', customServer('.')]] as const) {
	test(`a head that replaces base's packed subject by its own future one is not unchanged, for ${servers.length} of 2 servers`, async (t) => {
		// Small, because head's real tarball is hard to guess: one with equal files suffices.
		const setting = await attacked(
			t,
			`fs.mkdirSync('copy/package/dist', { recursive: true });
for (const name of ['package.json', 'dist/index.js']) fs.copyFileSync(name, 'copy/package/' + name);
for (const file of find('tarballs', 'subject.tgz')) require('node:child_process').execFileSync('tar', ['-czf', file, '-C', 'copy', 'package']);`,
		);
		const outcome = await setting.prepareChanged('v1', 'v2', servers).catch((error: unknown) => error);
		assert.equal((outcome as { code?: string }).code, 'workspace-changed');
	});
}

test('an untouched base is fine before the first round and between rounds', async (t) => {
	const setting = await attacked(t, '');
	const prepared = await setting.prepare('v1', 'v2', ['tiny']);
	await prepared.checkBase?.();
	assert.equal(printOf(prepared, 'base', 'tiny'), '1.0.0');
	await prepared.checkBase?.();
});
