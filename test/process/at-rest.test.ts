import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntilAtRest } from '../../src/process/at-rest.ts';
import { listTree, readTreeTimes, usedBetween } from '../../src/process/process-tree.ts';

/** Works for as many milliseconds as a message asks for, then replies. */
const WORKER = `process.on('message', (ms) => {
	process.send('begun');
	for (const end = performance.now() + ms; performance.now() < end; );
});`;

async function startWorker() {
	const child = spawn(process.execPath, ['-e', WORKER], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	const pid = child.pid as number;
	const used = () => readTreeTimes(listTree(pid));
	return {
		pid,
		used,
		async work(ms: number) {
			child.send(ms);
			await once(child, 'message');
		},
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await once(child, 'exit');
		},
	};
}

test('a working process is waited for', async (t) => {
	if (process.platform !== 'linux') return t.skip('needs /proc');
	await using idle = await startWorker();
	await using busy = await startWorker();
	await busy.work(1);
	await idle.work(1);
	const usedAfterTheWait = async () => {
		await delay(100);
		await busy.work(30);
		await waitUntilAtRest({ base: idle, head: busy });
		const after = busy.used();
		await delay(60);
		return usedBetween(after, busy.used());
	};
	// A worker that loses its CPU for some milliseconds looks at rest, so one try may miss it.
	const tries: number[] = [];
	while (tries.length < 10 && !tries.some((used) => used < 0.01)) tries.push(await usedAfterTheWait());
	assert.ok(Math.min(...tries) < 0.01, `the worker went on working after the wait, for ${tries.join(', ')} s`);
});

test('the wait for a process that never rests has a limit', async () => {
	await using busy = await startWorker();
	await busy.work(20_000);
	const before = busy.used();
	await waitUntilAtRest({ base: busy, head: busy });
	assert.ok(usedBetween(before, busy.used()) < 10);
});

test('an ended process is at rest', async () => {
	const gone = await startWorker();
	await gone[Symbol.asyncDispose]();
	await waitUntilAtRest({ base: gone, head: gone });
});
