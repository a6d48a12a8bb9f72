import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { baselinePath } from '../../src/formats/baseline/baseline-file.ts';
import { branchStore } from '../../src/store/branch-store.ts';
import { syntheticRecords } from '../support/records.ts';
import { startGitServer } from './git-server.ts';

const WRITERS = 50;
const KILLED = 8;
const OPTIONS = {
	branch: 'benchgate',
	folder: 'baselines',
	author: { name: 'benchgate', email: 'benchgate@example.org' },
	patience: 280,
};

test('fifty writers at once, some killed on the way: every record that was said to be stored is there, whole', async (t) => {
	const server = await startGitServer(t);
	const records = syntheticRecords({ seed: 11, commits: WRITERS + KILLED, cells: 6 });
	const script = new URL('./one-writer.ts', import.meta.url).pathname;
	const start = (index: number) =>
		spawn(
			process.execPath,
			[script, server.remote.url, join(server.remote.cacheFolder, String(index)), String(index)],
			{
				stdio: ['ignore', 'pipe', 'inherit'],
			},
		);
	const began = performance.now();
	const writers = Array.from({ length: WRITERS }, (_, index) => start(index));
	const victims = Array.from({ length: KILLED }, (_, index) => start(WRITERS + index));
	for (const [index, victim] of victims.entries()) {
		await delay(150 * index);
		victim.kill('SIGKILL');
	}
	const ends = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit')) as [number]));
	t.diagnostic(`${WRITERS} writers, ${KILLED} killed: ${((performance.now() - began) / 1000).toFixed(1)} s`);
	assert.deepEqual(
		ends.map(([code]) => code),
		ends.map(() => 0),
	);
	const { records: read, unread } = await branchStore(server.remote, OPTIONS).read();
	const there = new Set(read.map(baselinePath));
	assert.deepEqual(unread, []);
	for (const record of records.slice(0, WRITERS)) assert.ok(there.has(baselinePath(record)));
	assert.equal(server.git('fsck', '--no-progress', '--no-dangling'), '');
	for (let index = 0; index < WRITERS; index++) {
		const left = join(server.remote.cacheFolder, String(index), 'store');
		assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
	}
});
