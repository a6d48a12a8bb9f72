/** What a server still does when it has answered everything. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { finishWork } from '../../../../src/measure/generator/in-turn/afterwork.ts';

/** Works in a thread beside its program, for so many seconds of CPU time at each line it reads. */
const WORKER = `
	const { Worker } = require('node:worker_threads');
	const worker = new Worker(\`
		const { parentPort } = require('node:worker_threads');
		parentPort.on('message', (seconds) => {
			parentPort.postMessage('begun');
			const began = process.cpuUsage();
			const used = () => { const { user, system } = process.cpuUsage(began); return (user + system) / 1e6; };
			while (used() < seconds);
		});
	\`, { eval: true });
	worker.on('message', () => process.stdout.write('begun\\n'));
	process.stdin.on('data', (text) => worker.postMessage(Number(text)));
	process.stdin.on('end', () => process.exit());
	worker.on('online', () => process.stdout.write('ready\\n'));
`;

async function withWorker(run: (child: ChildProcess & { readonly pid: number }) => Promise<void>): Promise<void> {
	const child = spawn(process.execPath, ['-e', WORKER], { stdio: ['pipe', 'pipe', 'inherit'] });
	try {
		await once(child.stdout, 'data');
		assert.ok(child.pid !== undefined);
		await run(Object.assign(child, { pid: child.pid }));
	} finally {
		child.kill('SIGKILL');
	}
}

async function work(child: ChildProcess, seconds: number): Promise<void> {
	child.stdin?.write(`${seconds}\n`);
	if (child.stdout) await once(child.stdout, 'data');
}

test('what goes on in the background is waited for, and its CPU time is known', async () => {
	await withWorker(async (child) => {
		await finishWork([child.pid], 10_000);
		assert.ok((await finishWork([child.pid], 10_000)) === 0);
		await work(child, 0.3);
		const used = await finishWork([child.pid], 60_000);
		assert.ok(used !== null && used > 0.2 && used < 0.5, `${used} s`);
	});
});

test('who does not come to rest is not waited for long, and nothing is said of it', async () => {
	await withWorker(async (child) => {
		await work(child, 1_000);
		assert.equal(await finishWork([child.pid], 20), null);
	});
});

test('processes that are gone have nothing to do', async () => {
	assert.equal(await finishWork([2 ** 22 + 1], 1_000), null);
});
