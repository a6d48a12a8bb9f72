/** Invalid harnesses, in a commit and in local files: reported with the place and a remedy. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commit, customServer, git, makeFolder, openSetting, userError, writeFiles } from '../support.ts';

const server = customServer('bench');
const config = { file: 'benchgate.yml', harness: ['bench'] };

test('links, submodules, files, and missing folders', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'none', { 'lib.js': '1' });
	commit(cwd, 'file', { bench: 'not a folder' });
	git(cwd, 'rm', '--quiet', 'bench');
	writeFiles(cwd, { 'bench/server.js': '1', 'elsewhere/x.js': '1' });
	symlinkSync('../lib.js', join(cwd, 'bench/link.js'));
	commit(cwd, 'link', {});
	git(cwd, 'rm', '--quiet', '-r', 'bench');
	symlinkSync('elsewhere', join(cwd, 'bench'));
	commit(cwd, 'linked', {});
	const cases = [
		['none', ['bench'], /^"bench" does not exist in none$/],
		['file', ['bench'], /^"bench" is no folder in file$/],
		['link', ['bench'], /^"bench\/link\.js" is a symbolic link in link$/],
		['linked', ['bench'], /^"bench" is a symbolic link in linked$/],
		['linked', ['bench/x'], /^"bench" is a symbolic link in linked$/],
		['linked', ['elsewhere', 'bench'], /^"bench" is a symbolic link in linked$/],
	] as const;
	for (const [tag, harness, message] of cases) {
		git(cwd, 'checkout', '--quiet', tag);
		for (const harnessFrom of [`git:${tag}`, undefined]) {
			const setting = await openSetting(t, { cwd, ...(harnessFrom !== undefined && { harnessFrom }) });
			const error = await userError(setting.prepare('none', 'none', [server], { ...config, harness }));
			assert.deepEqual([error.code, error.where, error.exitCode], ['bad-harness', 'benchgate.yml: harness', 2]);
			assert.match(error.message.replace('the working tree', tag), message);
			assert.ok(error.remedy);
		}
	}
	git(cwd, 'rm', '--quiet', 'bench');
	git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${git(cwd, 'rev-parse', 'none')},bench/sub`);
	git(cwd, 'commit', '--quiet', '-m', 'submodule');
	const setting = await openSetting(t, { cwd, harnessFrom: 'git:HEAD' });
	const error = await userError(setting.prepare('none', 'none', [server], config));
	assert.match(error.message, /^"bench\/sub" is a submodule in HEAD@/);
	const empty = await openSetting(t, { cwd });
	writeFiles(cwd, { 'bench/server.js': '1', 'bench/sub/.keep': '' });
	rmSync(join(cwd, 'bench/sub/.keep'));
	assert.match(
		(await userError(empty.prepare('none', 'none', [server], config))).message,
		/^"bench\/sub" is a submodule in the working tree$/,
	);
	git(cwd, 'clone', '--quiet', cwd, 'bench/sub');
	for (const harness of [['bench'], ['bench/sub'], ['bench/sub/elsewhere']]) {
		const filled = await openSetting(t, { cwd });
		const servers = [customServer(`${harness}`)];
		const refused = await userError(filled.prepare('none', 'none', servers, { ...config, harness }));
		assert.match(refused.message, /^"bench\/sub" is a submodule in the working tree$/, `${harness}`);
	}
});

test('a missing cwd, unpinned dependencies, installed packages, an invalid revision', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'trunk', {
		'bench/server.js': '1',
		'pinned/package.json': { dependencies: { 'left-pad': '1.3.0' } },
		'installed/node_modules/x/index.js': '1',
	});
	const failing = async (harness: string, where: string, harnessFrom = 'git:trunk') => {
		const setting = await openSetting(t, { cwd, harnessFrom });
		return userError(setting.prepare('trunk', 'trunk', [customServer(where)], { ...config, harness: [harness] }));
	};
	const folder = await failing('bench', 'bench/api');
	assert.deepEqual([folder.code, folder.where, folder.exitCode], ['no-folder', 'server api', 2]);
	assert.match(folder.message, /its cwd "bench\/api" is not in the bench servers of trunk/);
	const unpinned = await failing('pinned', 'pinned');
	assert.deepEqual([unpinned.code, unpinned.where], ['bad-harness', 'pinned/package.json']);
	assert.match(unpinned.remedy ?? '', /in pinned, run npm install --package-lock-only/);
	assert.match((await failing('installed', 'installed')).message, /is an installed package in trunk$/);
	for (const from of ['npm:left-pad@1.3.0', 'git:nowhere', 'nowhere']) {
		assert.match((await failing('bench', 'bench', from)).message, /which is no commit or folder here$/);
	}
});

test('folders to write in an installation that other runs use too', async (t) => {
	const cwd = makeFolder(t);
	const manifest = { name: 'bench', version: '1.0.0' };
	const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } };
	commit(cwd, 'v1', { 'bench/package.json': manifest, 'bench/package-lock.json': lock, 'bench/server.js': '1' });
	const setting = await openSetting(t, { cwd, harnessFrom: 'git:v1' });
	const error = await userError(setting.prepare('v1', 'v1', [{ ...server, writable: ['var'] }], config));
	assert.deepEqual([error.code, error.where, error.exitCode], ['writable-shared', 'server api', 2]);
});
