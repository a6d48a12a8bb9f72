/** CPU time of what ends while it is counted: of threads, and of children. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { listTree, readTreeTimes, usedBetween } from '../../src/process/process-tree.ts';

const LINUX = { skip: process.platform !== 'linux' && 'needs /proc' };
/** CPU time that is used up by each thread and child, in seconds. */
const BURNT = 0.3;

/** Does what messages say, and says when it is done. */
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
	const order = async (what: string) => {
		child.send(what);
		await once(child, 'message');
	};
	return {
		order,
		async usedBy(what: string) {
			const before = read();
			await order(what);
			return usedBetween(before, read());
		},
	};
}

for (const what of ['thread', 'child']) {
	test(`what a ${what} uses is counted, although it is born and ends between two looks`, LINUX, async (t) => {
		const { usedBy } = await startProgram(t);
		const used = await usedBy(what);
		// The kernel cuts off ticks.
		assert.ok(used > BURNT - 0.05, `${used} s`);
	});
}

test('what a thread used before it is counted is not counted when it ends', LINUX, async (t) => {
	const { order, usedBy } = await startProgram(t);
	await order('hold');
	const used = await usedBy('release');
	assert.ok(used < BURNT, `${used} s`);
});
