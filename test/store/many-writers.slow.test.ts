import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { baselinePath } from '../../src/formats/baseline/baseline-file.ts';
import { branchStore } from '../../src/store/branch-store.ts';
import { startGitServer } from './git-server.ts';
import { recordsOfWriters, WRITER_OPTIONS } from './one-writer.ts';
import { runWriters } from './run-writers.ts';

const WRITERS = 50;
const KILLED = 8;

test('fifty writers at once, some killed on the way: every record reported as stored is present and complete', async (t) => {
	const server = await startGitServer(t);
	const { writers, seconds } = await runWriters(server, WRITERS, KILLED);
	const tries = writers.map((writer) => writer.tries ?? 0);
	const pushes = tries.reduce((sum, one) => sum + one, 0);
	t.diagnostic(
		`${WRITERS} writers, ${KILLED} killed: ${seconds.toFixed(1)} s, ${pushes} tries, at most ${Math.max(...tries)}`,
	);
	assert.deepEqual(
		writers.map(({ code }) => code),
		writers.map(() => 0),
	);
	const { records: read, unread } = await branchStore(server.remote, WRITER_OPTIONS).read();
	const there = new Set(read.map(baselinePath));
	assert.deepEqual(unread, []);
	for (const record of recordsOfWriters().slice(0, WRITERS)) assert.ok(there.has(baselinePath(record)));
	assert.equal(server.git('fsck', '--no-progress', '--no-dangling'), '');
	for (let index = 0; index < WRITERS; index++) {
		const cloneFolder = join(server.remote.cacheFolder, String(index), 'store');
		assert.deepEqual(existsSync(cloneFolder) ? readdirSync(cloneFolder) : [], []);
	}
});
