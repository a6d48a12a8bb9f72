/** How preparation uses the users of the sides. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { SAME_USER } from '../../src/process/users/same-user.ts';
import type { SideUser } from '../../src/types/isolation.ts';
import type { Side, Sides } from '../../src/types/units.ts';
import { commit, customServer, makeFolder, openSetting, tinyFramework, tinyTool } from './support.ts';

test('installed servers are readable by all, a checkout by its own side, and files to rebuild are taken back first', async (t) => {
	const cwd = makeFolder(t);
	const server = { 'server.js': 'console.log(1);' };
	commit(cwd, 'v1', { ...tinyFramework('1.0.0'), ...server });
	commit(cwd, 'v2', { ...tinyFramework('2.0.0'), ...server });
	const calls: [Side | 'run', string, string, boolean?][] = [];
	const hidden: Sides<readonly string[]>[] = [];
	const kindOf = (folder: string) => basename(dirname(folder));
	const sideUser = (side: Side): SideUser => ({
		...SAME_USER,
		allow: async (folder, shared) => void calls.push([side, 'allow', kindOf(folder), shared]),
	});
	const isolation = {
		level: 'users' as const,
		sides: { base: sideUser('base'), head: sideUser('head') },
		hide: (folders: Sides<readonly string[]>) => void hidden.push(folders),
		reclaim: async (folder: string) => void calls.push(['run', 'reclaim', kindOf(folder)]),
		shareCaches: async () => void calls.push(['run', 'share', '']),
	};
	const setting = await openSetting(t, { cwd, toolRoot: tinyTool(t), isolation });
	await setting.prepare('v1', 'v2', ['tiny', 'bare', customServer('.')]);
	assert.equal(calls.filter(([, call]) => call === 'share').length, 1);
	const allowed = calls.filter(([, call]) => call === 'allow');
	assert.deepEqual(
		allowed.map(([side, , kind, shared]) => `${side} ${kind} ${shared}`),
		['base', 'head'].flatMap((side) => [
			`${side} workspaces true`,
			`${side} workspaces true`,
			`${side} checkouts false`,
		]),
	);
	const [{ base, head } = { base: [], head: [] }, ...others] = hidden;
	assert.equal(others.length, 0);
	// The server without the subject is the same installation on both sides.
	assert.deepEqual(
		[base, head].map((folders) => folders.map(kindOf)),
		[
			['workspaces', 'checkouts'],
			['workspaces', 'checkouts'],
		],
	);
	assert.notDeepEqual(base, head);
	const reclaimed = calls.filter(([, call]) => call === 'reclaim').map(([, , kind]) => kind);
	assert.deepEqual([...new Set(reclaimed)].sort(), ['checkouts', 'tarballs', 'workspaces']);
});

test('permission for a side to read its files is no change of them', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': 'console.log(1);' });
	commit(cwd, 'v2', { 'server.js': 'console.log(2);' });
	const user: SideUser = { ...SAME_USER, allow: async (folder) => chmodSync(join(folder, 'server.js'), 0o640) };
	const isolation = {
		level: 'users' as const,
		sides: { base: user, head: user },
		reclaim: async () => {},
		hide() {},
		shareCaches: () => assert.fail('nothing was downloaded'),
	};
	const setting = await openSetting(t, { cwd, isolation });
	const { sides } = await setting.prepare('v1', 'v2', [customServer('.')]);
	assert.ok(sides.base.servers.api && sides.head.servers.api);
});
