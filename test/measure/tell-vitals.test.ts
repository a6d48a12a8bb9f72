/** A real server on Node that reports on itself. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../../src/measure/server-process.ts';
import { vitalsBetween } from '../../src/measure/vitals-between.ts';
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
