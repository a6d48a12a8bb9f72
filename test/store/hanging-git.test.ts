/** A hanging helper of git does not delay a caller that has given up. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LATE, within } from '../../src/process/deadline.ts';
import { listBranches, openPrivateRepository } from '../../src/store/store-git.ts';
import { until } from '../support/cli.ts';

const LINUX = { skip: process.platform !== 'linux' && 'only Linux tells what a process has started' };
const PATIENCE_MS = 60_000;
const ALLOW = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.ext.allow', GIT_CONFIG_VALUE_0: 'always' };

test('an abandoned store does not wait for processes that git has started', LINUX, async (t) => {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-hanging-'));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const helper = join(root, 'helper');
	writeFileSync(helper, '#!/bin/sh\n: >"$0.started"\nexec sleep 300\n', { mode: 0o755 });
	const run = new AbortController();
	const remote = {
		...{ url: `ext::${helper}`, name: 'origin', cacheFolder: join(root, 'cache') },
		environment: { PATH: process.env.PATH, HOME: root, ...ALLOW },
		janitor: { guardDirectory: () => () => {} },
		signal: run.signal,
	};
	await using repository = await openPrivateRepository(remote);
	const listed = listBranches(repository, remote, ['*']).catch((error: Error) => error);
	await until('the helper', () => existsSync(`${helper}.started`));
	run.abort(new Error('given up'));
	const end = await within(PATIENCE_MS, listed);
	assert.ok(end !== LATE, 'the helper has the output of git');
	assert.match(String(end), /given up/);
});
