/** Files that a build puts in places that we read: none of them blocks a read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPlainText } from '../../src/prepare/content/plain-file.ts';
import { readInstalledVersions } from '../../src/prepare/package/installed-versions.ts';
import { readManifest } from '../../src/prepare/package/manifest.ts';
import { commit, cutNetwork, makeFolder, openSetting, tinyFramework, tinyTool, userError } from './support.ts';

/** A blocked read would wait for ever. */
const LIMIT = { timeout: 120_000 };

test('only a regular file of a sensible size is read, and a pipe is not waited for', LIMIT, async (t) => {
	const folder = makeFolder(t, { 'plain.json': '{"a":1}', 'empty.json': '' });
	execFileSync('mkfifo', [join(folder, 'pipe.json')]);
	symlinkSync('/dev/zero', join(folder, 'endless.json'));
	writeFileSync(join(folder, 'huge.json'), '{}');
	truncateSync(join(folder, 'huge.json'), 65 * 1024 * 1024);
	assert.equal(await readPlainText(join(folder, 'plain.json')), '{"a":1}');
	assert.equal(await readPlainText(join(folder, 'empty.json')), '');
	for (const name of ['pipe', 'endless']) {
		await assert.rejects(readPlainText(join(folder, `${name}.json`)), /is not a regular file/);
	}
	await assert.rejects(readPlainText(join(folder, 'huge.json')), /is larger than 64 MiB/);
	await assert.rejects(readPlainText(join(folder, 'none.json')), { code: 'ENOENT' });
});

test('links are not followed: an error would quote files that only we can read', LIMIT, async (t) => {
	const folder = makeFolder(t, { 'elsewhere/token.txt': 'hunter2-s3cr3t!', 'subject/index.js': '' });
	symlinkSync('../elsewhere/token.txt', join(folder, 'subject/package.json'));
	await assert.rejects(readPlainText(join(folder, 'subject/package.json')), /is not a regular file/);
	assert.equal(await readManifest(join(folder, 'subject'), 'head'), null);
});

test('pipes in place of manifests and of the installed list count as missing', LIMIT, async (t) => {
	const folder = makeFolder(t);
	mkdirSync(join(folder, 'node_modules/one'), { recursive: true });
	for (const path of ['package.json', 'node_modules/.package-lock.json', 'node_modules/one/package.json']) {
		execFileSync('mkfifo', [join(folder, path)]);
	}
	assert.equal(await readManifest(folder, 'head'), null);
	assert.deepEqual(await readInstalledVersions(folder), {});
});

test('a pipe in place of the tarball ends the run, on its side', LIMIT, async (t) => {
	const cwd = makeFolder(t);
	cutNetwork(t);
	const swap = 'cd "$npm_config_pack_destination" && for file in *.tgz; do rm "$file" && mkfifo "$file"; done';
	commit(cwd, 'v1', tinyFramework('1.0.0'));
	commit(cwd, 'v2', tinyFramework('2.0.0', { scripts: { prepare: 'node build.js', postpack: swap } }));
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t) });
	const error = await userError(setting.prepare('v1', 'v2', ['tiny']));
	assert.deepEqual([error.code, error.where], ['bad-tarball', 'head (v2)']);
	assert.match(error.message, /it is not a regular file/);
});
