import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findInstallRoot, findPackageManager, missingManagers } from '../../../src/prepare/package/package-manager.ts';
import { type Files, makeFolder, openSetting, sessionOf, userError } from '../support.ts';

/** Returns how the folder `inner` of a checkout is installed, with no package manager but npm on PATH. */
async function install(t: TestContext, files: Files, inner = '.') {
	const root = makeFolder(t, files);
	const session = sessionOf(await openSetting(t, { cwd: root }));
	const alone = { ...session, environment: { ...session.environment, PATH: '' } };
	const folder = join(root, inner);
	const installRoot = await findInstallRoot(alone, root, folder);
	const manager = await findPackageManager(alone, root, folder);
	if (installRoot === null) return { command: null, packs: manager.spoken };
	const where = relative(root, installRoot.folder);
	return { where, command: [installRoot.manager.spoken, ...installRoot.args].join(' '), packs: manager.spoken };
}

const DEPENDENT = { 'package.json': { name: 'a', devDependencies: { x: '1' } } };

test('the lockfile decides', async (t) => {
	const command = async (files: Files) => (await install(t, { ...DEPENDENT, ...files })).command;
	assert.equal(await command({ 'package-lock.json': '{}' }), 'npm ci');
	assert.equal(await command({ 'npm-shrinkwrap.json': '{}' }), 'npm ci');
	assert.equal(await command({}), 'npm install');
	const pnpm = (version: string) => command({ 'pnpm-lock.yaml': `lockfileVersion: ${version}\n` });
	assert.equal(await pnpm("'9.0'"), 'npx pnpm@10 install --frozen-lockfile');
	assert.equal(await pnpm("'6.0'"), 'npx pnpm@8 install --frozen-lockfile');
	assert.equal(await pnpm('5.4'), 'npx pnpm@7 install --frozen-lockfile');
	assert.equal(await command({ 'yarn.lock': '# yarn lockfile v1\n' }), 'npx yarn@1 install --frozen-lockfile');
	assert.equal(
		await command({ 'yarn.lock': '#\n\n__metadata:\n' }),
		'npx --package=@yarnpkg/cli-dist@4 yarn install --immutable',
	);
});

test('bun reads its text and its old lockfile, in a version that packs', async (t) => {
	const locked = (files: Files) => install(t, { ...DEPENDENT, ...files });
	const bun = { where: '', command: 'npx bun@1 install --frozen-lockfile', packs: 'npx bun@1' };
	assert.deepEqual(await locked({ 'bun.lock': '{}' }), bun);
	assert.deepEqual(await locked({ 'bun.lockb': '' }), bun);
	const pinned = async (packageManager: string) =>
		(await locked({ 'package.json': { packageManager, dependencies: { x: '1' } }, 'bun.lock': '{}' })).packs;
	assert.equal(await pinned('bun@1.2.20'), 'npx bun@1.2.20');
	assert.equal(await pinned('bun@1.1.27'), 'npx bun@1.1.27');
	assert.equal(await pinned('bun@2.0.0'), 'npx bun@2.0.0');
	assert.equal(await pinned('bun@1.1.26'), 'npx bun@1');
	const without = { 'package.json': { packageManager: 'bun@1.2.20', dependencies: { x: '1' } } };
	assert.equal((await install(t, without)).command, 'npx bun@1.2.20 install');
});

test('packageManager pins the version, and decides for packages without a lockfile', async (t) => {
	const pinned = (packageManager: string, files: Files = {}) =>
		install(t, { 'package.json': { name: 'a', packageManager, dependencies: { x: '1' } }, ...files });
	const lock = { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" };
	assert.equal((await pinned('pnpm@9.1.0+sha512.abc', lock)).command, 'npx pnpm@9.1.0 install --frozen-lockfile');
	assert.equal((await pinned('pnpm@9.1.0')).command, 'npx pnpm@9.1.0 install --no-frozen-lockfile');
	assert.equal((await pinned('yarn@1.22.22')).command, 'npx yarn@1.22.22 install');
	assert.equal(
		(await pinned('yarn@4.1.0')).command,
		'npx --package=@yarnpkg/cli-dist@4.1.0 yarn install --no-immutable',
	);
});

test('a package manager that a prepare command calls is fetched in the version of the repository, unless it exists or the command brings it', async (t) => {
	const root = makeFolder(t, {
		'package.json': { name: 'a', packageManager: 'pnpm@9.1.0' },
		'yarn.lock': '#\n\n__metadata:\n',
		'bin/bun': '',
	});
	chmodSync(join(root, 'bin/bun'), 0o755);
	const session = sessionOf(await openSetting(t, { cwd: root }));
	const poor = { ...session, environment: { ...session.environment, PATH: join(root, 'bin') } };
	for (const [command, specs] of [
		['pnpm install && pnpm build', ['pnpm@9.1.0']],
		['cd app; CI=1 yarn install | tee log && (pnpm -r build)', ['@yarnpkg/cli-dist@4', 'pnpm@9.1.0']],
		['bun install && bun run build', []],
		['npm ci && npx pnpm build && echo pnpm', []],
		['corepack enable && pnpm install', []],
		['npm install --global pnpm && pnpm install', []],
	] as const)
		assert.deepEqual(await missingManagers(poor, root, command), specs, command);
});

test('a folder is installed by the nearest lockfile around it', async (t) => {
	const files = {
		'package.json': { private: true },
		'package-lock.json': '{}',
		'packages/core/package.json': DEPENDENT['package.json'],
	};
	assert.deepEqual(await install(t, files, 'packages/core'), { where: '', command: 'npm ci', packs: 'npm' });
	const withLockfile = { ...files, 'packages/core/yarn.lock': '# yarn lockfile v1\n' };
	assert.equal((await install(t, withLockfile, 'packages/core')).where, 'packages/core');
	assert.deepEqual(await install(t, { 'main.py': '' }), { command: null, packs: 'npm' });
	assert.deepEqual(await install(t, { 'package.json': { name: 'a' } }), { command: null, packs: 'npm' });
});

test('an unknown package manager needs a prepare command, unless a known one has a lockfile, too', async (t) => {
	const error = await userError(install(t, { ...DEPENDENT, 'deno.lock': '' }));
	assert.equal(error.code, 'unknown-package-manager');
	assert.match(error.remedy ?? '', /prepare: deno install/);
	const both = { ...DEPENDENT, 'deno.lock': '', 'package-lock.json': '{}' };
	assert.deepEqual(await install(t, both), { where: '', command: 'npm ci', packs: 'npm' });
});
