import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceBranch } from '../../src/store/replace-branch.ts';
import { startGitServer } from './git-server.ts';

const OPTIONS = {
	branch: 'site',
	author: { name: 'Bot', email: 'bot@example.org' },
	message: 'Publish\n',
	ours: ['site.js'],
	kept: ['CNAME'],
};
const filesOf = (text: string) => [
	{ path: 'site.js', text },
	{ path: 'data/c/koa/ping.json', text: '{}\n' },
];

test('a branch is replaced by one commit each time, and files of GitHub on it stay', async (t) => {
	const server = await startGitServer(t);
	const publish = (text: string) => replaceBranch(server.remote, OPTIONS, async () => filesOf(text));
	assert.deepEqual(await publish('one'), { kind: 'published' });
	assert.equal(server.git('show', 'site:site.js'), 'one');
	const tip = server.git('rev-parse', 'site');
	assert.deepEqual(await publish('one'), { kind: 'same' });
	assert.equal(server.git('rev-parse', 'site'), tip, 'nothing is pushed for nothing');
	server.commit('site', { CNAME: 'speed.example.org\n', 'old.txt': 'gone soon\n' });
	assert.deepEqual(await publish('two'), { kind: 'published' });
	assert.equal(server.git('rev-list', '--count', 'site'), '1', 'without history');
	assert.deepEqual(server.git('ls-tree', '-r', '--name-only', 'site').split('\n'), [
		'CNAME',
		'data/c/koa/ping.json',
		'site.js',
	]);
	assert.equal(server.git('show', 'site:CNAME'), 'speed.example.org');
});

test('a foreign branch is left unchanged', async (t) => {
	const server = await startGitServer(t);
	server.commit('site', { 'index.html': 'my homepage\n' });
	const tip = server.git('rev-parse', 'site');
	const done = await replaceBranch(server.remote, OPTIONS, async () => filesOf('one'));
	assert.deepEqual(done, { kind: 'refused', why: 'the branch site holds something else' });
	assert.equal(server.git('rev-parse', 'site'), tip);
});

test('files are made anew when another writer was first', async (t) => {
	const server = await startGitServer(t);
	let made = 0;
	const done = await replaceBranch(server.remote, { ...OPTIONS, random: () => 0 }, async () => {
		made++;
		return filesOf(`version ${made}`);
	});
	assert.deepEqual(done, { kind: 'published' });
	server.commit('main', { 'site.js': 'of the other writer' });
	// The other writer pushes between our fetch and our push: once, when the first push arrives.
	server.hook(
		'pre-receive',
		`test -e first && exit 0
touch first
env -u GIT_QUARANTINE_PATH git update-ref refs/heads/site refs/heads/main`,
	);
	const again = await replaceBranch(server.remote, { ...OPTIONS, random: () => 0 }, async () => {
		made++;
		return filesOf(`version ${made}`);
	});
	assert.deepEqual(again, { kind: 'published' });
	assert.equal(made, 3);
	assert.equal(server.git('show', 'site:site.js'), 'version 3');
});

test('a refused push is reported, not thrown', async (t) => {
	const server = await startGitServer(t, { write: false });
	const done = await replaceBranch(server.remote, { ...OPTIONS, patience: 0 }, async () => filesOf('one'));
	assert.equal(done.kind, 'refused');
});
