import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findKeptCredentials } from '../../../src/action/secrets.ts';

const HEADER = [
	'http.https://github.com/.extraheader',
	'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hzX3NlY3JldA==',
] as const;

function makeRepository(t: TestContext): { folder: string; set: (key: string, value: string) => void } {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-kept-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
	git('init');
	git('remote', 'add', 'origin', 'https://github.com/o/r');
	return { folder, set: (key, value) => git('config', '--add', key, value) };
}

test('a checkout without credentials gives no warning', async (t) => {
	const { folder, set } = makeRepository(t);
	set('http.https://github.com/.extraheader', 'X-Trace: 1');
	set('url.git@github.com:.insteadOf', 'https://github.com/');
	assert.equal(await findKeptCredentials(folder), null);
});

test('a header in the configuration is found, and reported without its value', async (t) => {
	const { folder, set } = makeRepository(t);
	set(...HEADER);
	const warning = await findKeptCredentials(folder);
	assert.equal(warning?.code, 'credentials-kept');
	assert.match(warning.message, /\(http\.\*\.extraheader\).*persist-credentials: false/);
	assert.doesNotMatch(warning.message, /basic|eC1h/);
});

test('a header in an included file is found', async (t) => {
	const { folder, set } = makeRepository(t);
	writeFileSync(join(folder, 'credentials'), `[http "https://github.com/"]\n\textraheader = ${HEADER[1]}\n`);
	set(`includeIf.gitdir:${join(folder, '.git')}.path`, join(folder, 'credentials'));
	assert.equal((await findKeptCredentials(folder))?.code, 'credentials-kept');
});

for (const [key, value] of [
	['remote.origin.pushurl', 'https://x-access-token:ghs_secret@github.com/o/r'],
	['url.https://ghs_0123456789abcdef0123@github.com/.insteadOf', 'https://github.com/'],
] as const) {
	test(`a password in ${key.split('.')[0]} is found, and reported without its value`, async (t) => {
		const { folder, set } = makeRepository(t);
		set(key, value);
		const warning = await findKeptCredentials(folder);
		assert.equal(warning?.code, 'credentials-kept');
		assert.doesNotMatch(warning.message, /ghs_/);
	});
}

test('a folder that is no repository, or missing, has no credentials', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-kept-'));
	t.after(() => rmSync(folder, { recursive: true }));
	assert.equal(await findKeptCredentials(folder), null);
	assert.equal(await findKeptCredentials(join(folder, 'missing')), null);
});
