/** Work of a server after it has answered everything. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { finishWork, watchLateWork, withAfterwork } from '../../../src/measure/generator/afterwork.ts';
import type { Window } from '../../../src/types/round.ts';

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

test('background work is waited for, and its CPU time is known', async () => {
	await withWorker(async (child) => {
		await finishWork({ tree: [child.pid] }, 10_000);
		assert.ok(((await finishWork({ tree: [child.pid] }, 10_000)) ?? 1) < 0.05);
		await work(child, 1);
		const used = await finishWork({ tree: [child.pid] }, 60_000);
		assert.ok(used !== null && used > 0.1 && used < 1.2, `${used} s`);
	});
});

test('a side that does not come to rest is not waited for long, and has no figure', async () => {
	await withWorker(async (child) => {
		await work(child, 1_000);
		assert.equal(await finishWork({ tree: [child.pid] }, 20), null);
	});
});

test('ended processes have no work left', async () => {
	assert.equal(await finishWork({ tree: [2 ** 22 + 1] }, 1_000), null);
});

test('a window is charged with its part: on one CPU in time too, and at a rate in CPU time alone', () => {
	const side = { seconds: 0.05, completed: 500, cpuSeconds: 0.04 };
	const window = { kind: 'alternating', base: null, head: side } as unknown as Window;
	const charged = (order: Parameters<typeof withAfterwork>[3], work: Parameters<typeof withAfterwork>[2]) => {
		const { head, base } = withAfterwork(window, 'head', work, order);
		assert.equal(base, null);
		return [head?.seconds, head?.cpuSeconds].map((value) => Number(value?.toFixed(6)));
	};
	const load = { connections: 20, pipelining: 1 };
	const work = { used: 0.02, loadedSeconds: 0.1 };
	assert.deepEqual(charged({ serverCpu: 0, load }, work), [0.06, 0.05]);
	assert.deepEqual(charged({ serverCpu: null, load }, work), [0.05, 0.05]);
	assert.deepEqual(charged({ serverCpu: 0, load: { ...load, rate: 1_000 } }, work), [0.05, 0.05]);
	assert.deepEqual(charged({ serverCpu: 0, load }, null), [0.05, 0.04]);
	assert.deepEqual(withAfterwork(window, 'base', work, { serverCpu: 0, load }), window);
});

test('work behind a withheld answer is the excess over the cost of the answers since the window', async () => {
	await withWorker(async (child) => {
		const total = { answers: 100, errors: 0, waited: 0 };
		const window = { cpuSeconds: 1, completed: 1000 };
		const none = watchLateWork({ tree: [child.pid] }, { total });
		assert.equal(none(window), 0);
		const late = watchLateWork({ tree: [child.pid] }, { total });
		await work(child, 0.3);
		await finishWork({ tree: [child.pid] }, 60_000);
		assert.ok(late(window) > 0.1, 'no answer came since');
		total.answers += 1000;
		assert.equal(late(window), 0, 'as many answers as cost more than that');
	});
});
