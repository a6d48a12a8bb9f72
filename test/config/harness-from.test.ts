/** On the command line bench servers come from where the config does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from '../../src/config/load-request.ts';
import { commit, makeFolder } from '../prepare/support.ts';

const CONFIG = 'harness: [bench]\nservers: [{ name: api, command: node server.js, cwd: bench }]\nscenarios: [ping]\n';

test('the commit of a config that is read from one, else the files at hand', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'benchgate.yml': CONFIG, 'other.yml': CONFIG });
	const from = async (config?: string) =>
		(await readRequest(cwd, { base: 'v1', head: 'v1', ...(config !== undefined && { config }) })).harnessFrom;
	assert.equal(await from('git:v1:benchgate.yml'), 'git:v1');
	assert.equal(await from('other.yml'), undefined);
	assert.equal(await from(), undefined);
});
