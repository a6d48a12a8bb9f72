/** Coverage of all files and processes of a server, and the traces of code that the probe cannot see. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { callsOf, cover } from './cover-fixture.ts';

test('reports files that are read as data, also absent ones and JSON, but not scripts', async () => {
	const extra = `
import fs, { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import data from './data.json' with { type: 'json' };
fs.readFileSync('template.txt'); existsSync(new URL('absent.txt', import.meta.url)); fs.readdirSync('views');
await fs.promises.readFile('late.txt');
createRequire(import.meta.url)('./required.json'); await import('./module.mjs');`;
	const { reads, unseen } = await cover(extra, {
		...{ 'template.txt': '', 'views/one.txt': '', 'late.txt': '', 'data.json': '{}', 'required.json': '{}' },
		'module.mjs': 'export default 1;',
	});
	assert.deepEqual(unseen, []);
	assert.deepEqual(reads.toSorted(), [
		'absent.txt',
		'data.json',
		'late.txt',
		'required.json',
		'template.txt',
		'views/',
	]);
});

test('reaches workers and child processes', async () => {
	const extra = `
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
await once(new Worker('./worker.cjs'), 'message'); await once(fork('./child.cjs'), 'message');`;
	const coverage = await cover(extra, {
		'worker.cjs': `function inWorker() {} inWorker(); require('node:worker_threads').parentPort.on('message', () => {}).postMessage(1);`,
		'child.cjs': `function inChild() {} inChild(); process.on('message', () => {}); process.send(1);`,
	});
	assert.deepEqual(coverage.unseen, []);
	assert.deepEqual(callsOf(coverage, 'worker.cjs').inWorker, [1, 0]);
	assert.deepEqual(callsOf(coverage, 'child.cjs').inChild, [1, 0]);
});

test('runs the timers of a worker that starts during the load', async () => {
	const extra = `
import { Worker } from 'node:worker_threads';
const { perRequest } = library;
const isReady = new Int32Array(new SharedArrayBuffer(4));
let calls = 0;
library.perRequest = () => {
	if (++calls === 20) {
		new Worker('./late.cjs', { workerData: isReady }).unref();
		Atomics.wait(isReady, 0, 0, 10_000);
	}
	return perRequest();
};`;
	// The probe connects before the main thread goes on.
	const coverage = await cover(extra, {
		'late.cjs': `
const { workerData } = require('node:worker_threads');
function inTime() {}
setTimeout(inTime, 60_000);
setTimeout(() => { workerData[0] = 1; Atomics.notify(workerData, 0); }, 200);`,
	});
	assert.deepEqual(coverage.unseen, []);
	assert.deepEqual(callsOf(coverage, 'late.cjs').inTime, [0, 1]);
});

const UNSEEN: readonly {
	readonly label: string;
	readonly extra: string;
	readonly seen: RegExp;
	readonly own?: string;
}[] = [
	{
		label: 'a child with a cleared environment',
		extra: `(await import('node:child_process')).spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { env: {}, stdio: 'ignore' });`,
		seen: /^process: .*node \(process \d+\)$/m,
	},
	{
		label: 'another program, also one that has ended',
		extra: `(await import('node:child_process')).execFileSync('true');`,
		seen: /^process: true$/m,
	},
	{
		label: 'a worker that was ended',
		extra: `await new (await import('node:worker_threads')).Worker('', { eval: true }).terminate();`,
		seen: /^process: /m,
	},
	{
		label: 'WebAssembly',
		extra: `new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));`,
		seen: /^native: WebAssembly$/m,
	},
	{
		label: 'a script whose source is not that of its file',
		extra: `new (await import('node:vm')).Script('1 + 1', { filename: import.meta.filename.replace('server.mjs', 'node_modules/library/index.js') }).runInThisContext();`,
		seen: /^source: node_modules\/library\/index\.js$/m,
	},
	{
		label: 'a script that was loaded before the probe',
		extra: '',
		own: '--require=./early.cjs',
		seen: /^source: early\.cjs$/m,
	},
];

for (const { label, extra, seen, own } of UNSEEN) {
	test(`reports its blind spot: ${label}`, async () => {
		const { unseen } = await cover(extra, { 'early.cjs': 'module.exports = function early() {};' }, own);
		assert.match(unseen.map(({ kind, detail }) => `${kind}: ${detail}`).join('\n'), seen);
	});
}

test('reports the hash of each function whose text code reads', async () => {
	const { texts } = await cover('const text = String(library.never);');
	assert.ok(texts.includes(createHash('sha256').update('function never() { return 3; }').digest('hex')));
});
