import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LARGEST_DATA } from '../../src/config/file/check-data.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { loadData } from '../../src/config/load-data.ts';
import { commit, type Files, git, makeFolder, writeFiles } from '../prepare/support.ts';
import { CATALOGUE } from './example-catalogue.ts';

/** A config with one scenario that takes its values from `file`. */
const configFor = (file: string) => `servers: [{ name: api, command: node server.js }]
scenarios:
  - name: user
    data: ${file}
    request: { path: "/users/{{id}}" }
    expect: { status: 200 }
`;
const CONFIG = configFor('users.csv');
const USERS = 'id,name\n7,Ann\n9,Bob\n';

async function rowsIn(folder: string, name?: string) {
	const file = await loadConfig(folder, name, CATALOGUE);
	const [scenario] = file?.scenarios ?? [];
	assert.ok(typeof scenario === 'object');
	return scenario.data?.rows;
}

const refuses = (folder: string, message: RegExp, name?: string) => assert.rejects(rowsIn(folder, name), { message });

const made = (t: TestContext, files: Files) => makeFolder(t, { 'benchgate.yml': CONFIG, ...files });

test('rows come from the folder of the config, with the columns that are used', async (t) => {
	assert.deepEqual(await rowsIn(made(t, { 'users.csv': USERS })), [{ id: '7' }, { id: '9' }]);
	const nested = { 'ci/b.yml': configFor('data/users.json'), 'ci/data/users.json': [{ id: 7 }] };
	assert.deepEqual(await rowsIn(made(t, nested), 'ci/b.yml'), [{ id: 7 }]);
});

test('a file that is missing, too large, not UTF-8 or not regular is reported with the line of the config', async (t) => {
	await refuses(made(t, {}), /^benchgate\.yml:4: scenarios\[0\]\.data: users\.csv does not exist; /);
	await refuses(made(t, { 'users.csv': 'x'.repeat(LARGEST_DATA + 1) }), /users\.csv is larger than 10 MB/);
	const folder = made(t, {});
	mkdirSync(join(folder, 'users.csv'));
	await refuses(folder, /users\.csv is not a plain file/);
	await refuses(made(t, { 'users.csv': 'id\n\uFFFD\n' }), /users\.csv is not UTF-8/);
});

for (const path of ['../users.csv', '/etc/users.csv', 'a/../users.csv', './users.csv', '.git/users.csv', 'users.txt']) {
	test(`${path} is an invalid path of a data file, whether or not the file exists`, async (t) => {
		await refuses(
			made(t, { 'benchgate.yml': configFor(path), 'users.txt': USERS }),
			/is not allowed; a \.csv or \.json file/,
		);
	});
}

test('links are not followed, in a folder or in a commit', async (t) => {
	const outside = makeFolder(t, { 'users.csv': USERS });
	const folder = made(t, {});
	symlinkSync(join(outside, 'users.csv'), join(folder, 'users.csv'));
	await refuses(folder, /users\.csv is not a plain file; put the file itself there/);
	const sha = commit(folder, 'linked', {});
	await refuses(folder, /users\.csv is not a plain file/, `git:${sha}:benchgate.yml`);

	const through = makeFolder(t, { 'benchgate.yml': configFor('data/users.csv') });
	symlinkSync(outside, join(through, 'data'));
	await refuses(through, /data\/users\.csv is not a plain file/);
	const second = commit(through, 'linked', {});
	await refuses(through, /data\/users\.csv does not exist/, `git:${second}:benchgate.yml`);
});

test('a config of a commit has the rows of that commit, even from a subfolder', async (t) => {
	const folder = makeFolder(t);
	const sha = commit(folder, 'old', { 'ci/benchgate.yml': CONFIG, 'ci/users.csv': USERS });
	writeFiles(folder, { 'ci/users.csv': 'id\n1\n' });
	git(folder, 'rm', '--quiet', '--cached', 'ci/users.csv');
	assert.deepEqual(await rowsIn(join(folder, 'ci')), [{ id: '1' }]);
	assert.deepEqual(await rowsIn(folder, `git:${sha}:ci/benchgate.yml`), [{ id: '7' }, { id: '9' }]);
	assert.deepEqual(await rowsIn(join(folder, 'ci'), `git:${sha}:benchgate.yml`), [{ id: '7' }, { id: '9' }]);
});

test('the data files of a config have a common size limit', async (t) => {
	const config = ['a', 'b', 'c'].map((name) => configFor(`${name}.csv`).replace('name: user', `name: ${name}`));
	const text = [config[0], ...config.slice(1).map((one) => one.split('\n').slice(2).join('\n'))].join('');
	const rows = `id\n${'x\n'.repeat(LARGEST_DATA / 2 - 2)}`;
	const folder = makeFolder(t, { 'benchgate.yml': text, 'a.csv': rows, 'b.csv': rows, 'c.csv': rows });
	const texts = await loadData(folder, 'benchgate.yml', text);
	assert.deepEqual(
		Object.values(texts).map((found) => 'text' in found),
		[true, true, false],
	);
});
