/** Searches every process for the token of the runner's services, as a daemon of a build could. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActionSession } from '../../../src/action/action-session.ts';
import { openServices } from '../../../src/action/services/open-services.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import { findMarked } from '../../../src/process/processes.ts';
import { makeFolder, setEnvironment } from '../../prepare/support.ts';

const TOKEN = 'eyJ-runtime-token-of-the-job';

const HARVESTER = `
const fs = require('node:fs');
setInterval(() => {
	for (const pid of fs.readdirSync('/proc')) {
		try {
			const found = /ACTIONS_RUNTIME_TOKEN=([^\\0]+)/.exec(fs.readFileSync('/proc/' + pid + '/environ', 'latin1'));
			if (found) fs.writeFileSync('stolen', found[1]);
		} catch {}
	}
	fs.writeFileSync('looking', '');
}, 1);
`;

test('nothing of the code under test lives while the caches are saved with the token', {
	skip: process.platform !== 'linux',
}, async (t) => {
	const folder = makeFolder(t, { 'harvest.js': HARVESTER });
	// As large as an installation, so that tar takes its time.
	const installed = makeFolder(t);
	for (let at = 0; at < 2000; at++) writeFileSync(join(installed, `${at}.js`), 'x'.repeat(20_000));
	const janitor = await startJanitor();
	t.after(() => janitor.close());
	const { name, value } = janitor.marker;
	const daemon = spawn(process.execPath, ['harvest.js'], {
		cwd: folder,
		detached: true,
		stdio: 'ignore',
		env: { PATH: process.env.PATH ?? '', [name]: value },
	});
	const ended = once(daemon, 'exit');
	while (!existsSync(join(folder, 'looking'))) await delay(20);
	assert.deepEqual(findMarked(`${name}=${value}`), [daemon.pid]);
	// Without a listener there: the upload does not matter, only the processes started before it.
	const runtime = { ACTIONS_RUNTIME_TOKEN: TOKEN, ACTIONS_CACHE_URL: 'http://127.0.0.1:9/' };
	setEnvironment(t, { RUNNER_TEMP: makeFolder(t), GITHUB_SERVER_URL: 'https://github.com' });
	const { cache } = openServices({ runtime, janitor } as unknown as ActionSession);
	await cache?.save([installed], 'benchgate-test').catch(() => {});
	assert.equal(existsSync(join(folder, 'stolen')) && readFileSync(join(folder, 'stolen'), 'utf8'), false);
	assert.deepEqual(findMarked(`${name}=${value}`), []);
	assert.equal((await ended)[1], 'SIGKILL');
	assert.equal(process.env.ACTIONS_RUNTIME_TOKEN, undefined);
});
