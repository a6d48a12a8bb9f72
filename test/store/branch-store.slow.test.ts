import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { baselinePath, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import { STORED_LIMITS } from '../../src/formats/baseline/read-stored.ts';
import { branchStore } from '../../src/store/branch-store.ts';
import type { BranchOptions, Store } from '../../src/store/store.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { isUserError } from '../../src/types/errors.ts';
import { syntheticRecords } from '../support/baselines/records.ts';
import { type GitServer, startGitServer } from './git-server.ts';

const OPTIONS: BranchOptions = {
	branch: 'benchgate',
	folder: 'baselines',
	author: { name: 'benchgate', email: 'benchgate@example.org' },
	patience: 60,
};
const RECORDS = syntheticRecords({ seed: 1, commits: 12, cells: 2 });
const one = (index: number) => RECORDS[index] as BaselineRecord;

const storeOf = (server: GitServer, options: Partial<BranchOptions> = {}): Store =>
	branchStore(server.remote, { ...OPTIONS, ...options });
const pathsOf = (records: readonly BaselineRecord[]) => records.map(baselinePath).sort();
const filesOn = (server: GitServer, branch: string) =>
	server.git('ls-tree', '-r', '--name-only', branch).split('\n').filter(Boolean);

test('records are kept on a branch beside the code, once, and nothing else of the repository changes', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	const main = server.git('rev-parse', 'main');
	assert.deepEqual(await store.read(), { records: [], notes: [], unread: [] }, 'no branch yet');
	const first = await store.append([one(0), one(1)]);
	assert.deepEqual(first, {
		kind: 'stored',
		place: 'branch benchgate of origin',
		added: 2,
		folded: 0,
		tries: 1,
		reason: null,
	});
	assert.equal((await store.append([one(1), one(2)])).added, 1);
	const { records, unread } = await store.read();
	assert.deepEqual(pathsOf(records), pathsOf([one(0), one(1), one(2)]));
	assert.deepEqual(
		records.find(({ run }) => run.id === one(0).run.id),
		one(0),
		'as it was written, number for number',
	);
	assert.deepEqual(unread, []);
	assert.equal(server.git('rev-parse', 'main'), main);
	assert.equal(server.git('rev-list', '--count', 'benchgate'), '2', 'no history of the code');
	assert.deepEqual(
		filesOn(server, 'benchgate').sort(),
		records.map((each) => `baselines/${baselinePath(each)}`).sort(),
	);
	const cloneFolder = join(server.remote.cacheFolder, 'store');
	assert.deepEqual(existsSync(cloneFolder) ? readdirSync(cloneFolder) : [], [], 'nothing is left on the machine');
});

test('competing writers all succeed', async (t) => {
	const server = await startGitServer(t);
	const done = await Promise.all(
		RECORDS.slice(0, 6).map((record) => storeOf(server, { patience: 280 }).append([record])),
	);
	assert.ok(done.every(({ kind, added }) => kind === 'stored' && added === 1));
	assert.deepEqual(pathsOf((await storeOf(server).read()).records), pathsOf(RECORDS.slice(0, 6)));
	assert.equal(server.git('rev-list', '--count', 'benchgate'), '6');
});

test('other files on a branch stay unchanged', async (t) => {
	const server = await startGitServer(t);
	await storeOf(server, { branch: 'main' }).append([one(0)]);
	assert.deepEqual(filesOn(server, 'main').sort(), ['README.md', `baselines/${baselinePath(one(0))}`].sort());
	assert.equal(server.git('show', 'main:README.md'), 'A project');
});

test('a branch for a pull request begins at its base branch', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server, { branch: 'benchgate/baselines', from: 'main' });
	await store.append([one(0)]);
	await store.append([one(1)]);
	assert.equal(server.git('merge-base', 'main', 'benchgate/baselines'), server.git('rev-parse', 'main'));
	assert.equal(server.git('rev-list', '--count', 'main..benchgate/baselines'), '2');
});

test('after a pull request is merged and its branch deleted, its records are read from its base branch', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server, { branch: 'benchgate/baselines', from: 'main' });
	assert.deepEqual((await store.read()).records, [], 'nothing yet, and main has code alone');
	await store.append([one(0), one(1)]);
	server.git('update-ref', 'refs/heads/main', 'benchgate/baselines');
	server.git('update-ref', '-d', 'refs/heads/benchgate/baselines');
	assert.deepEqual(
		pathsOf((await store.read()).records),
		pathsOf([one(0), one(1)]),
		'an empty history would begin anew',
	);
	assert.equal((await store.append([one(1), one(2)])).added, 1);
	assert.deepEqual(pathsOf((await store.read()).records), pathsOf([one(0), one(1), one(2)]));
});

test('a protected branch: records wait beside it, are still read, and the next writer folds them in', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	await store.append([one(0)]);
	server.hook('update', 'case $1 in refs/heads/benchgate) echo "GH006: Protected branch update failed"; exit 1;; esac');
	const pending = await store.append([one(1)]);
	assert.equal(pending.kind, 'pending');
	assert.match(pending.place, /^branch benchgate-pending\/\S+ of origin$/);
	assert.match(pending.reason ?? '', /Protected branch/);
	assert.equal(pending.tries, 1, 'asking again is of no use');
	assert.deepEqual(pathsOf((await store.read()).records), pathsOf([one(0), one(1)]));
	server.hook('update', null);
	const { kind, added, folded } = await store.append([one(2)]);
	assert.deepEqual({ kind, added, folded }, { kind: 'stored', added: 1, folded: 1 });
	assert.deepEqual(filesOn(server, 'benchgate').length, 3);
	assert.equal(server.git('branch', '--list', 'benchgate-pending/*'), '');
});

/** Replaces git by a program that counts its fetches and acts before the first. */
function watchGit(
	server: GitServer,
	before = '',
): { readonly remote: GitServer['remote']; readonly fetches: () => number } {
	const folder = mkdtempSync(join(server.folder, 'bin-'));
	const log = join(folder, 'fetches');
	const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
	const lines = [
		'#!/bin/sh',
		`case " $* " in *" fetch "*) [ -e ${log} ] || ( unset GIT_DIR; cd ${server.folder}; ${before || ':'} ); echo >> ${log};; esac`,
		`exec ${real} "$@"`,
	];
	writeFileSync(join(folder, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 });
	const PATH = `${folder}:${process.env.PATH}`;
	return {
		remote: { ...server.remote, environment: { ...server.remote.environment, PATH } },
		fetches: () => (existsSync(log) ? readFileSync(log, 'utf8').length : 0),
	};
}

/** A branch that accepts no push, with `count` records beside it. */
async function leaveWaiting(server: GitServer, count: number): Promise<void> {
	await storeOf(server).append([one(0)]);
	server.hook('update', 'case $1 in refs/heads/benchgate) echo "GH006: Protected branch update failed"; exit 1;; esac');
	for (let index = 1; index <= count; index++) await storeOf(server).append([one(index)]);
}

test('all records that wait beside a protected branch are fetched together', async (t) => {
	const server = await startGitServer(t);
	await leaveWaiting(server, 4);
	const { remote, fetches } = watchGit(server);
	const { records } = await branchStore(remote, OPTIONS).read();
	assert.deepEqual(pathsOf(records), pathsOf(RECORDS.slice(0, 5)));
	assert.equal(fetches(), 1);
});

test('a branch that a writer folds in during a read makes no reader fail', async (t) => {
	const server = await startGitServer(t);
	await leaveWaiting(server, 1);
	const [waiting = ''] = server.git('for-each-ref', '--format=%(refname)', 'refs/heads/benchgate-pending/').split('\n');
	const { remote, fetches } = watchGit(server, `git update-ref -d ${waiting}`);
	const { records } = await branchStore(remote, OPTIONS).read();
	assert.deepEqual(pathsOf(records), pathsOf([one(0)]), 'gone before it could be read');
	assert.equal(fetches(), 2);
});

test('a writer that is refused a few times succeeds', async (t) => {
	const server = await startGitServer(t);
	// Refuses the first two pushes, as if another writer had been first.
	server.hook('update', 'echo >> tries; [ $(wc -l < tries) -gt 2 ] || { echo "cannot lock ref"; exit 1; }');
	const { kind, tries } = await storeOf(server, { random: () => 0 }).append([one(0)]);
	assert.deepEqual({ kind, tries }, { kind: 'stored', tries: 3 });
});

test('a writer that is refused until its patience ends leaves its record beside the branch', async (t) => {
	const server = await startGitServer(t);
	server.hook('update', 'case $1 in refs/heads/benchgate) echo "cannot lock ref"; exit 1;; esac');
	const { kind } = await storeOf(server, { patience: 0 }).append([one(0)]);
	assert.equal(kind, 'pending');
	server.hook('update', null);
	assert.equal((await storeOf(server).append([])).folded, 1);
});

test('a token that may not write: the lines to add, at once', async (t) => {
	const server = await startGitServer(t, { write: false });
	await assert.rejects(storeOf(server).append([one(0)]), (error) => {
		assert.ok(isUserError(error));
		assert.equal(error.code, 'store-forbidden');
		assert.match(error.remedy ?? '', /permissions:\n\s+contents: write/);
		assert.match(error.message, /artifact of this run keeps them/);
		return true;
	});
});

test('unreadable files are named and kept, and hide no other', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	const newer = renderBaseline(one(3)).replace('"schemaVersion":1', '"schemaVersion":2');
	const strange = {
		'baselines/2026/01/cut.json': renderBaseline(one(2)).slice(0, 400),
		'baselines/2026/01/other.json': '{"entries":{}}',
		'baselines/2026/01/newer.json': newer,
		'baselines/2026/01/shape.json': renderBaseline(one(2)).replace('"purpose":"level"', '"purpose":"fun"'),
		'baselines/README.md': 'Ours\n',
		'baselines/another/2026/01/store.json': 'of its own',
	};
	server.commit('benchgate', strange, { orphan: true });
	await store.append([one(0)]);
	const { records, unread } = await store.read();
	assert.deepEqual(pathsOf(records), pathsOf([one(0)]));
	assert.deepEqual(
		unread.map(({ file, kind }) => [file, kind]),
		[
			['2026/01/cut.json', 'truncated'],
			['2026/01/newer.json', 'newer'],
			['2026/01/other.json', 'foreign'],
			['2026/01/shape.json', 'foreign'],
		],
	);
	assert.match(unread[1]?.why ?? '', /schema version 2; this one reads 1/);
	for (const [path, text] of Object.entries(strange))
		assert.equal(server.git('show', `benchgate:${path}`), text.trim());
});

test('a file of any size or encoding hides no other', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	const [large, latin] = ['baselines/2000/01/large.json', 'baselines/2000/01/latin.json'];
	const padding = ' '.repeat(STORED_LIMITS.bytes);
	server.commit('benchgate', { [large]: renderBaseline(one(3)) + padding }, { orphan: true });
	// Invalid UTF-8 grows when it is read as text.
	server.commit('benchgate', { [latin]: Buffer.from([0x7b, ...Array.from({ length: 500 }, () => 0xff), 0x7d]) });
	await store.append([one(0), one(1)]);
	const { records, unread } = await store.read();
	assert.deepEqual(pathsOf(records), pathsOf([one(0), one(1)]));
	assert.deepEqual(
		unread.map(({ file, kind }) => [file, kind]),
		[
			['2000/01/large.json', 'foreign'],
			['2000/01/latin.json', 'truncated'],
		],
	);
	assert.match(unread[0]?.why ?? '', /more than 4194304 bytes/);
});

test('of a store larger than memory the newest records are read, and all others are named', async (t) => {
	const server = await startGitServer(t);
	await storeOf(server).append(RECORDS);
	const inOrder = RECORDS.toSorted((a, b) => (baselinePath(a) < baselinePath(b) ? -1 : 1));
	const room = inOrder.slice(-2).reduce((sum, record) => sum + Buffer.byteLength(renderBaseline(record)), 0);
	const { records, unread } = await storeOf(server, { mostBytes: room }).read();
	assert.deepEqual(pathsOf(records), pathsOf(inOrder.slice(-2)));
	assert.equal(unread.length, RECORDS.length - 2);
	assert.match(unread[0]?.why ?? '', /the store has more than \d+ bytes; prune it/);
});

for (const filters of [true, false]) {
	test(`only the newest are opened, with a server that ${filters ? 'sends what is asked for' : 'sends everything'}`, async (t) => {
		const server = await startGitServer(t);
		server.git('config', 'uploadpack.allowFilter', String(filters));
		const store = storeOf(server);
		assert.deepEqual(
			await store.read({ newest: 3 }),
			{ records: [], notes: [], unread: [], older: 0 },
			'no branch yet',
		);
		server.commit('benchgate', { 'baselines/2020/01/strange.json': '{}' }, { orphan: true });
		await store.append(RECORDS);
		const byAge = RECORDS.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
		const { records, unread, older } = await store.read({ newest: 3 });
		assert.deepEqual(pathsOf(records), pathsOf(byAge.slice(0, 3)));
		assert.equal(older, RECORDS.length - 3);
		assert.deepEqual(
			unread.map(({ file }) => file),
			['2020/01/strange.json'],
			'files not named like baselines are reported at any age',
		);
		const all = await store.read({ newest: 100 });
		assert.deepEqual([pathsOf(all.records), all.older], [pathsOf(RECORDS), 0]);
	});
}

test('a history replaced by force is continued', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	await store.append([one(0)]);
	server.commit('benchgate', { [`baselines/${baselinePath(one(1))}`]: renderBaseline(one(1)) }, { orphan: true });
	await store.append([one(2)]);
	assert.deepEqual(pathsOf((await store.read()).records), pathsOf([one(1), one(2)]));
});

test('removed records disappear from the branch and stay in its history', async (t) => {
	const server = await startGitServer(t);
	const store = storeOf(server);
	await store.append([one(0), one(1)]);
	await store.remove([baselinePath(one(0)), 'not/there.json']);
	assert.deepEqual(pathsOf((await store.read()).records), pathsOf([one(1)]));
	assert.equal(server.git('rev-list', '--count', 'benchgate'), '2');
});

test('a remote that does not answer is an error with its name, and never an empty history', async (t) => {
	const server = await startGitServer(t);
	const remote = { ...server.remote, url: server.remote.url.replace('project.git', 'nothing.git') };
	await assert.rejects(
		branchStore(remote, OPTIONS).read(),
		(error) => isUserError(error) && error.code === 'store-unreachable',
	);
});

test('a hash that resembles a refusal is not one', async (t) => {
	const server = await startGitServer(t);
	// Git's message for a push that came too late, with a commit that has 403 in its hash.
	server.hook('update', 'echo "denied only by name: 1292357403d46d00032ddce3ccc5525dc7d38bfa"; exit 1');
	await assert.rejects(storeOf(server, { patience: 0 }).append([one(0)]), (error) => {
		assert.ok(isUserError(error));
		return error.code === 'store-refused';
	});
});
