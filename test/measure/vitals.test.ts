/** A real server on Node that reports on itself. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { startServer } from '../../src/measure/server-process.ts';
import { readTellings, TELL_FLAG, type Telling, vitalsBetween } from '../../src/measure/vitals.ts';
import { createBench } from '../support/servers/servers.ts';

/** Prints a line, and makes garbage for each request. */
const WASTES = `
console.log('ready');
require('node:http').createServer((_, answer) => {
	const waste = [];
	for (let i = 0; i < 200_000; i++) waste.push({ i });
	answer.end(String(waste.length));
}).listen(process.env.PORT, process.env.HOST);
`;

test('a server on Node reports its collections and its loop, and its own output stays separate', async () => {
	await using bench = await createBench();
	const file = join(bench.folder, 'wastes.cjs');
	writeFileSync(file, WASTES);
	const options = bench.options('base');
	const run = { argv: [process.execPath, file] };
	await using server = await startServer({ ...options, vitals: true, server: { ...options.server, run } });
	const due = performance.now() + 30_000;
	while (server.tellings().length === 0 && performance.now() < due) await delay(10);
	const before = server.tellings();
	const vitalsNow = () => vitalsBetween(before, server.tellings());
	while ((vitalsNow()?.gcCount ?? 0) < 5 && performance.now() < due)
		await fetch(server.origin).then((answer) => answer.text());
	const vitals = vitalsNow();
	assert.ok(vitals !== null && vitals.gcCount >= 5, JSON.stringify(vitals));
	for (const value of [vitals.gcShare, vitals.gcLongest, vitals.loopActive])
		assert.ok(value > 0, JSON.stringify(vitals));
	assert.equal(server.lastLines(), 'ready');
});

test('a server without the request reports nothing', async () => {
	await using bench = await createBench();
	await using server = await startServer(bench.options('base'));
	assert.equal((await fetch(server.origin)).status, 200);
	assert.deepEqual(server.tellings(), []);
});

const telling = (pid: number, at: number, more: Partial<Telling> = {}): Telling => ({
	...{ pid, at, time: 0, count: 0, active: 0, idle: 0, longest: 0 },
	...more,
});

test('reports are read, and similar lines are not', () => {
	const line = '[benchgate-vitals 7 1000 12.5 3 400 600 4.25]';
	const read = telling(7, 1000, { time: 12.5, count: 3, active: 400, idle: 600, longest: 4.25 });
	assert.deepEqual(readTellings(`listening\n${line}\n{"a":1}\n`), [read]);
	for (const other of [
		line.slice(0, -1),
		line.slice(1),
		line.replace('12.5', '-12.5'),
		line.replace('12.5', 'Infinity'),
		line.replace(' 4.25', ''),
		line.replace('4.25', '4.25 1'),
		`x${line}`,
	]) {
		assert.deepEqual(readTellings(other), [], other);
	}
});

test('the option for Node is one word', () => {
	assert.match(TELL_FLAG, /^--import=data:text\/javascript,\S+$/);
});

test('shares are of the time between, of all processes; utilisation is that of the busiest', () => {
	const before = [telling(1, 0, { time: 50, count: 9, active: 100, idle: 900, longest: 30 }), telling(2, 10)];
	const after = [
		...before,
		telling(1, 250, { time: 60, count: 10, active: 300, idle: 950, longest: 10 }),
		telling(1, 500, { time: 90, count: 19, active: 900, idle: 1100, longest: 4 }),
		telling(2, 510, { time: 20, count: 1, active: 200, idle: 300, longest: 20 }),
		telling(3, 510, { time: 500, active: 500 }),
	];
	// 40 ms of 800 ms and 20 ms of 200 ms; a new process has no earlier figures.
	const vitals = vitalsBetween(before, after);
	assert.deepEqual(vitals, { gcShare: 0.06, gcCount: 11, gcLongest: 0.02, loopActive: 0.8 });
	// A quarter of its idle time was the other server's turn.
	assert.equal(vitalsBetween(before, after, 0.05)?.loopActive, 800 / 950);
	assert.equal(vitalsBetween(before, after, 60)?.loopActive, 1);
});

test('without two reports of one process nothing is known', () => {
	assert.equal(vitalsBetween([], []), null);
	assert.equal(vitalsBetween([], [telling(1, 5, { active: 9 })]), null);
	assert.equal(vitalsBetween([telling(1, 5)], [telling(1, 5, { active: 9 })]), null, 'the same moment');
	assert.equal(vitalsBetween([telling(1, 5)], [telling(1, 9)]), null, 'a loop that never ran');
});

test('shares are valid whatever a server reports', () => {
	const number = fc.double({ min: 0, max: 1e15, noNaN: true });
	const any = fc.record({
		pid: fc.integer({ min: 1, max: 2 }),
		at: number,
		time: number,
		count: number,
		active: number,
		idle: number,
		longest: number,
	});
	fc.assert(
		fc.property(fc.array(any), fc.array(any), (before, more) => {
			const vitals = vitalsBetween(before, [...before, ...more]);
			if (vitals === null) return;
			for (const share of [vitals.gcShare, vitals.loopActive]) assert.ok(share >= 0 && share <= 1, String(share));
			assert.ok(vitals.gcCount >= 0 && vitals.gcLongest >= 0);
		}),
		{ seed: 3 },
	);
});
