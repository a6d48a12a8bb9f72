/**
 * Failed installations for a ranking: a row with its reason for a faulty server, and an error for a missing request.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { installServers } from '../../../src/runs/ranking/install-servers.ts';
import type { Config, CustomServer } from '../../../src/types/config.ts';
import { EXIT } from '../../../src/types/errors.ts';
import {
	configOf,
	customServer,
	cutNetwork,
	type Files,
	makeFolder,
	openSetting,
	userError,
	writeFiles,
} from '../../prepare/support.ts';

const PLAIN: Files = {
	'servers/plain/package.json': { name: 'plain', private: true },
	'servers/plain/server.mjs': `console.log('plain');`,
};

async function setUp(t: TestContext, files: Files) {
	cutNetwork(t);
	const { context, steps } = await openSetting(t, {
		cwd: makeFolder(t),
		toolRoot: makeFolder(t, { ...PLAIN, ...files }),
	});
	const facts = (name: string) => ({
		...{ description: 'a server', direct: [] },
		...(name === 'own-node' && { runtime: 'node@9.9.9' }),
	});
	return {
		...{ steps, folder: context.cwd },
		install: (servers: readonly (string | CustomServer)[], more: Partial<Config> = {}) =>
			installServers({ ...configOf(servers), ...more }, facts, context),
	};
}

test('a server that cannot run here, or whose runtime is unavailable, keeps its place with the reason', async (t) => {
	const { install } = await setUp(t, {
		'servers/old/package.json': { name: 'old', private: true, engines: { node: '<10' } },
		'servers/native/package.json': { name: 'native', private: true, benchgate: { glibc: '99.0' } },
		'servers/foreign/package.json': { name: 'foreign', private: true, scripts: { start: 'no-such-program x' } },
		'servers/own-node/package.json': { name: 'own-node', private: true, engines: { node: '<10' } },
	});
	const names = ['plain', 'old', 'native', 'foreign', 'own-node', 'plain on node@22.1.0', 'plain on bun'];
	const { servers, prepared } = await install(names);
	assert.deepEqual([...prepared.keys()], ['plain']);
	assert.deepEqual(
		servers.map(({ name, state }) => [name, state]),
		[
			['plain', 'installed'],
			['old', 'unsupported'],
			['native', 'unsupported'],
			['foreign', 'unsupported'],
			['own-node', 'not-installed'],
			['plain on node@22.1.0', 'not-installed'],
			['plain on bun', 'not-installed'],
		],
	);
	const reasonOf = (name: string) => servers.find((server) => server.name === name)?.reason ?? '';
	assert.match(reasonOf('native'), /its binaries need glibc 99\.0, and this machine has .*; run it on a system with/);
	assert.match(reasonOf('foreign'), /no-such-program is not installed; install it/);
	assert.match(reasonOf('old'), /^it needs Node <10, and this is .*; give the path of such a Node/);
	assert.match(
		reasonOf('own-node'),
		/^it needs node@9\.9\.9, which could not be installed: no network: .* could not reach the package registry; /,
	);
	assert.match(reasonOf('plain on node@22.1.0'), /could not reach the package registry/);
	assert.match(reasonOf('plain on bun'), /Bun has to be installed first.*; .*connection/);
});

test('a package of another name ends the run before any server is installed, and names no server', async (t) => {
	const { install, steps } = await setUp(t, {
		'servers/koa/package.json': {
			name: 'koa-server',
			private: true,
			dependencies: { koa: '3.0.0' },
			benchgate: { unserved: ['koa'] },
		},
	});
	const other = makeFolder(t, { 'package.json': { name: 'not-koa', version: '1.0.0' } });
	for (const [place, message] of [
		[other, /^.* is the package not-koa, not koa$/],
		['./nowhere', /^there is no folder or tarball /],
	] as const) {
		const error = await userError(install(['plain', 'koa'], { packages: [{ name: 'koa', place }] }));
		assert.match(error.message, message);
		assert.equal(error.where, `package koa=${place}`);
		assert.equal(error.exitCode, EXIT.usage);
	}
	assert.ok(!steps.some((step) => /plain/.test(step)), steps.join('\n'));
});

test('servers of the config are built once, each in its own copy with a step that names it, and a failing one stops no other', async (t) => {
	const { install, steps, folder } = await setUp(t, {});
	writeFiles(folder, { 'package.json': { name: 'service', private: true }, 'api/server.js': '', 'late/server.js': '' });
	const named = (name: string, cwd = name) => ({ ...customServer(cwd), name });
	const well = await install([named('api'), 'plain', named('late')], { prepare: 'true' });
	assert.deepEqual(
		well.servers.map(({ name, state }) => [name, state]),
		[
			['api', 'installed'],
			['plain', 'installed'],
			['late', 'installed'],
		],
	);
	assert.deepEqual(steps, ['api: true', 'late: true']);
	const [api, late] = ['api', 'late'].map((name) => well.prepared.get(name)?.cwd ?? '');
	assert.notEqual(api?.replace(/api$/, ''), late?.replace(/late$/, ''));

	const { servers, prepared } = await install([named('api'), named('gone', 'nowhere'), named('late')]);
	assert.deepEqual([...prepared.keys()], ['api', 'late']);
	assert.match(
		servers[1]?.reason ?? '',
		/^its cwd "nowhere" does not exist; cwd is relative to the top of the checkout/,
	);
});
