/** Variables of the shell that a build does not get, and the source of packages. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { listen } from '../support/servers/http-server.ts';
import { commit, customServer, makeFolder, openSetting, setEnvironment, userError } from './support.ts';

test('a failing build names the variables that were withheld, but not their values', async (t) => {
	setEnvironment(t, { DEPLOY_KEY: 'hunter2', DATABASE_URL: 'postgres://me:hunter2@db/app', HARMLESS: 'hunter3' });
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.sh': 'true' });
	const setting = await openSetting(t, { cwd, withheld: ['GPG_PASSPHRASE'] });
	const prepare = 'env | grep -c hunter; exit 1';
	const error = await userError(setting.prepare('v1', 'v1', [customServer('.', 'true')], { prepare }));
	assert.equal(error.details, "$ /bin/sh -c 'env | grep -c hunter; exit 1'\n1");
	const names = /not passed on, because they may hold secrets: (.*)$/.exec(error.remedy ?? '')?.[1]?.split(', ') ?? [];
	for (const name of ['DATABASE_URL', 'DEPLOY_KEY', 'GPG_PASSPHRASE']) assert.ok(names.includes(name), name);
	assert.ok(!names.includes('HARMLESS'));
	assert.doesNotMatch(JSON.stringify(error), /hunter2/);
});

test('a .npmrc of the checkout cannot change the source of a package of the registry', async (t) => {
	const requests = { user: 0, checkout: 0 };
	const registry = (whose: keyof typeof requests) =>
		listen(
			createServer((_, response) => {
				requests[whose]++;
				response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
			}),
		);
	await using users = await registry('user');
	await using foreign = await registry('checkout');
	const home = makeFolder(t, { npmrc: `registry=${users.origin}/\n` });
	const cwd = makeFolder(t, {
		'.npmrc': `registry=${foreign.origin}/\n@acme:registry=${foreign.origin}/\n`,
		'package.json': { name: 'app', version: '1.0.0' },
	});
	setEnvironment(t, { npm_config_userconfig: join(home, 'npmrc'), npm_config_cache: makeFolder(t) });
	// A cache in the checkout is inside of the package, too.
	const setting = await openSetting(t, { cwd, cacheFolder: join(cwd, '.benchgate') });
	for (const revision of ['npm:tinyframe@1.0.0', 'npm:@acme/tinyframe@1.0.0', 'npm:tinyframe@latest']) {
		const error = await userError(setting.prepare(revision, revision, ['express']));
		assert.equal(error.code, 'no-such-package');
	}
	assert.ok(requests.user > 0);
	assert.equal(requests.checkout, 0);
});
