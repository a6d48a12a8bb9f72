/** On the command line, bench servers come from the revision of the config. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaselineRequest, readRequest } from '../../src/config/load-request.ts';
import { commit, makeFolder } from '../prepare/support.ts';

const CONFIG = 'harness: [bench]\nservers: [{ name: api, command: node server.js, cwd: bench }]\nscenarios: [ping]\n';

test('the commit of a config that is read from one, else the local files', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'benchgate.yml': CONFIG, 'other.yml': CONFIG });
	const from = async (config?: string) =>
		(await readRequest(cwd, { base: 'v1', head: 'v1', ...(config !== undefined && { config }) })).harnessFrom;
	assert.equal(await from('git:v1:benchgate.yml'), 'git:v1');
	assert.equal(await from('other.yml'), undefined);
	assert.equal(await from(), undefined);
});

test('the same for a baseline, except for the checked-out commit, which uses its own', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'benchgate.yml': CONFIG });
	const from = async (flags: Readonly<Record<string, string>>) => (await readBaselineRequest(cwd, flags)).harnessFrom;
	assert.equal(await from({}), 'HEAD');
	assert.equal(await from({ head: 'v1' }), undefined);
	assert.equal(await from({ head: 'v1', config: 'git:v1:benchgate.yml' }), 'git:v1');
});
