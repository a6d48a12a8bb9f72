/** CPU time of threads and children that end while it is counted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { listTree, readTreeTimes, usedBetween } from '../../src/process/process-tree.ts';

const LINUX = { skip: process.platform !== 'linux' && 'needs /proc' };
/** CPU time that each thread and child uses, in seconds. */
const BURNT = 0.3;

/** Executes messages, and reports each as done. */
const PROGRAM = `
const { Worker } = require('node:worker_threads');
const { spawn } = require('node:child_process');
const burn = 'while (process.threadCpuUsage().user < ${BURNT * 1e6}); ';
const told = (what) => process.send(what);
let held = null;
const ORDERS = {
	thread: () => new Worker(burn, { eval: true }).once('exit', () => told('done')),
	child: () => spawn(process.execPath, ['-e', burn], { stdio: 'ignore' }).once('exit', () => told('done')),
	hold() {
		const wait = "const { parentPort } = require('node:worker_threads'); parentPort.once('message', () => process.exit()); parentPort.postMessage('burnt');";
		held = new Worker(burn + wait, { eval: true }).once('message', told);
	},
	release: () => held.once('exit', () => told('done')).postMessage('end'),
};
process.on('message', (order) => void ORDERS[order]());
told('here');
`;

async function startProgram(t: TestContext) {
	const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	t.after(() => child.kill('SIGKILL'));
	await once(child, 'message');
	const read = () => readTreeTimes(listTree(child.pid as number));
	const order = async (kind: string) => {
		child.send(kind);
		await once(child, 'message');
	};
	return {
		order,
		async usedBy(kind: string) {
			const before = read();
			await order(kind);
			return usedBetween(before, read());
		},
	};
}

for (const kind of ['thread', 'child']) {
	test(`CPU time of a ${kind} is counted, although it starts and ends between two looks`, LINUX, async (t) => {
		const { usedBy } = await startProgram(t);
		const used = await usedBy(kind);
		// The kernel drops fractions of ticks.
		assert.ok(used > BURNT - 0.05, `${used} s`);
	});
}

test('CPU time of a thread before counting does not count when it ends', LINUX, async (t) => {
	const { order, usedBy } = await startProgram(t);
	await order('hold');
	const used = await usedBy('release');
	assert.ok(used < BURNT, `${used} s`);
});
