/** The orders to a program called in its process, and the use of its reply. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { type InProcessSetting, runInProcess } from '../../src/measure/in-process-turn.ts';
import type { Pair } from '../../src/measure/pair.ts';
import { listen } from '../support/servers/http-server.ts';
import { shortTiming } from '../support/short-rounds.ts';

const COUNTS = { seconds: 0.5, completed: 10, bytes: 20, statuses: { 200: 10 }, latency: [[40, 10]] };

/** Runs a turn of one side whose program answers with `reply`, and returns its orders. */
async function runTurn(changes: Partial<InProcessSetting['timing']>, reply: unknown = COUNTS) {
	const orders: { seconds: number; calls?: number }[] = [];
	const server = createServer(async (request, answer) => {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const { seconds, calls } = JSON.parse(Buffer.concat(parts).toString());
		orders.push(calls === undefined ? { seconds } : { seconds, calls });
		answer.end(JSON.stringify(reply));
	});
	await using listening = await listen(server);
	const side = { origin: listening.origin, pid: process.pid };
	const request = { method: 'GET', path: '/ping', headers: {} };
	const setting = {
		turn: { cell: 'app/inside', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head', only: 'head' },
		...{ design: 'duet', startedAt: Date.now(), statuses: [200], request: { base: request, head: request } },
		timing: { ...shortTiming()('duet'), windows: 0, soloSeconds: 1, ...changes },
		signal: new AbortController().signal,
	} as unknown as InProcessSetting;
	return { orders, ...(await runInProcess({ base: side, head: side } as unknown as Pair, setting)) };
}

const WARMUP = { requests: 0, leastSeconds: 0.25, mostSeconds: 0.25 };

test('a program is called for a time, after one that is not counted', async () => {
	const { orders, windows, faults } = await runTurn({ firstWarmup: WARMUP });
	assert.deepEqual(orders, [{ seconds: 0.25 }, { seconds: 1 }]);
	assert.deepEqual(faults, []);
	assert.deepEqual(
		windows.map(({ kind, base, head }) => [kind, base, head?.completed, head?.seconds]),
		[['solo', null, 10, 0.5]],
	);
});

test('or for a number of calls, if a page counts those', async () => {
	const { orders, windows } = await runTurn({ firstWarmup: WARMUP, calls: { warmup: 1_000, counted: 10_000 } });
	assert.deepEqual(orders, [
		{ seconds: 0.25, calls: 1_000 },
		{ seconds: 1, calls: 10_000 },
	]);
	assert.equal(windows.length, 1);
});

test('a reply in another form is a fault', async () => {
	const { faults, windows } = await runTurn({}, { ...COUNTS, completed: 'many' });
	assert.deepEqual(windows, []);
	assert.match(
		faults[0]?.message ?? '',
		/^head did not report what it counted in its process: its answer has another form/,
	);
});
