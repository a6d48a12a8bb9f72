import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUntouched } from '../../../src/runs/check/check-pair.ts';
import type { AskedPair } from '../../../src/runs/verify-pair.ts';
import { commit, configOf, customServer, makeFolder, openSetting } from '../../prepare/support.ts';

test('a check names the servers that a comparison may skip, and none if the config has no `reads`', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'api/server.js': '1', 'web/server.js': '1' });
	commit(cwd, 'v2', { 'api/server.js': '2' });
	commit(cwd, 'v3', { 'other/a.js': '2' });
	const { context } = await openSetting(t, { cwd });
	const servers = ['api', 'web'].map((name) => ({ ...customServer(name), name }));
	const notes = async (base: string, head: string, named: readonly (typeof servers)[number][]) => {
		const request: AskedPair = {
			...context,
			config: configOf(named),
			revisions: { base, head },
		};
		return (await describeUntouched(request)).map(({ kind, text }) => `${kind}: ${text}`);
	};
	const reading = servers.map((server) => ({ ...server, reads: [server.name] }));
	assert.deepEqual(await notes('v1', 'v2', reading), [
		'note: web: nothing that is read differs, so --skip-unchanged skips it',
	]);
	assert.deepEqual(await notes('v2', 'v3', reading), [
		'note: api, web: nothing that is read differs, so --skip-unchanged skips them',
	]);
	assert.deepEqual(await notes('v1', 'v2', servers), []);
});
