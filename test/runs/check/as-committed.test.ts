import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAsCommitted } from '../../../src/runs/check/as-committed.ts';
import { commit, git, makeFolder, writeFiles } from '../../prepare/support.ts';

test('a folder is as committed while only documents, workflows and the config differ', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': '1', 'README.md': 'one', '.gitignore': 'ignored\n' });
	assert.equal(await isAsCommitted(cwd), true);
	writeFiles(cwd, { 'benchgate.yml': '', '.github/workflows/benchgate.yml': '', 'README.md': 'two', ignored: '1' });
	assert.equal(await isAsCommitted(cwd), true);
	for (const file of ['new.js', 'server.js', '.env', 'with space "quoted".js', 'packages/a/benchgate.yml']) {
		writeFiles(cwd, { [file]: '2' });
		assert.equal(await isAsCommitted(cwd), false, file);
		mkdirSync(join(cwd, 'packages'), { recursive: true });
		assert.equal(await isAsCommitted(join(cwd, 'packages')), false, 'from below');
		rmSync(join(cwd, file));
		git(cwd, 'checkout', '--quiet', 'server.js');
	}
	git(cwd, 'mv', 'server.js', 'README.txt');
	assert.equal(await isAsCommitted(cwd), false, 'a file that is gone');
});

test('without a repository no folder is as committed', async (t) => {
	assert.equal(await isAsCommitted(makeFolder(t)), false);
});

test('a submodule at another commit is seen, even if .gitmodules hides it', async (t) => {
	const data = makeFolder(t);
	commit(data, 'd1', { 'table.txt': 'one' });
	const cwd = makeFolder(t);
	git(cwd, 'init', '--quiet');
	git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', data, 'data');
	git(cwd, 'config', '--file', '.gitmodules', 'submodule.data.ignore', 'all');
	commit(cwd, 'v1', {});
	assert.equal(await isAsCommitted(cwd), true);
	writeFiles(cwd, { 'data/table.txt': 'two' });
	assert.equal(await isAsCommitted(cwd), false);
});
