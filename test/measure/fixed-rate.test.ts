import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { TurnOrder, TurnReport } from '../../src/measure/generator/messages.ts';
import { openRatedClient } from '../../src/measure/generator/rated-client.ts';
import { startGenerator } from '../../src/measure/generator-process.ts';
import { startServer } from '../../src/measure/server-process.ts';
import { mergeHistograms } from '../../src/stats/histogram.ts';
import type { WindowSide } from '../../src/types/round.ts';
import { SIDES } from '../../src/types/units.ts';
import { listen } from '../support/servers/http-server.ts';
import { createBench } from '../support/servers/servers.ts';

const RATE = 400;
const WARMUP = { requests: 50, leastSeconds: 0.1, mostSeconds: 0.3 };
const REQUEST = { method: 'GET', path: '/', headers: {} };

/** One turn of a duet against a head with this behaviour. */
async function runDuet(headBehaviour: string, rest: Pick<TurnOrder, 'load' | 'footprint'>): Promise<TurnReport> {
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head', headBehaviour));
	try {
		return await generator.runTurn(
			{
				turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head' },
				design: 'duet',
				targets: {
					base: { origin: base.origin, pid: base.pid, request: REQUEST },
					head: { origin: head.origin, pid: head.pid, request: REQUEST },
				},
				timing: {
					firstWarmup: WARMUP,
					warmup: WARMUP,
					settleSeconds: 0.1,
					windowSeconds: 0.7,
					windows: 2,
					soloSeconds: 0.2,
					soloRounds: 0,
				},
				warmup: WARMUP,
				serverCpu: null,
				awake: false,
				statuses: [200],
				runStartedAt: Date.now(),
				...rest,
			},
			bench.controller.signal,
		);
	} finally {
		await generator.close();
	}
}

function slowerThan(parts: readonly (WindowSide | null)[], microseconds: number): number {
	const histogram = mergeHistograms(parts.map((part) => part?.latency ?? []));
	const count = (values: typeof histogram) => values.reduce((sum, [, each]) => sum + each, 0);
	return count(histogram.filter(([value]) => value >= microseconds)) / count(histogram);
}

test('both sides are sent equally many requests whatever their answers, and requests behind a stall are counted', async () => {
	const { windows, memoryAfter } = await runDuet('stall', { load: { connections: 8, pipelining: 1, rate: RATE } });
	assert.equal(windows.length, 2);
	for (const window of windows) {
		for (const side of SIDES) {
			const { due = 0, late = -1, seconds = 0 } = window[side] ?? {};
			assert.ok(Math.abs(due - RATE * seconds) <= 2, `${due} requests fell due in ${seconds} s`);
			assert.ok(late >= 0);
		}
	}
	// Of 200 requests it stands still for 0.3 s, in which 120 more fall due. A client that waits for answers would have
	// sent eight.
	const heads = windows.map(({ head }) => head);
	assert.ok(slowerThan(heads, 100_000) > 0.2, `${slowerThan(heads, 100_000)} of the requests waited for 0.1 s`);
	assert.ok((heads[1]?.late ?? 0) > 0, 'requests waited for a connection');
	assert.equal(memoryAfter, undefined);
});

test('memory is read when both sides have answered equally many requests, and includes a leak', async () => {
	const { memoryAfter } = await runDuet('leak', { load: { connections: 8, pipelining: 1 }, footprint: 4_000 });
	const { base = null, head = null } = memoryAfter ?? {};
	assert.ok(base !== null && head !== null);
	// It keeps 4 kB of each request.
	assert.ok(head - base > 0.5 * 4_000 * 4096, `${base} and ${head} bytes`);
});

/** A server in this process that withholds every answer until released. */
function keepBack(): { server: Server; waiting: ServerResponse[] } {
	const waiting: ServerResponse[] = [];
	return { server: createServer((_, response) => waiting.push(response)), waiting };
}

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('when every connection waits, the request waits; its latency begins when it was due', async () => {
	const { server, waiting } = keepBack();
	await using listening = await listen(server);
	const latencies: number[] = [];
	const events = {
		onAnswer: (_status: number, _bytes: number, milliseconds: number) => latencies.push(milliseconds),
		onBody: () => {},
		onOpen: () => {},
		onError: (error: Error) => assert.fail(error),
	};
	const client = openRatedClient(listening.origin, REQUEST, { connections: 2, pipelining: 1, rate: 100 }, events);
	const counting = client.startCount(performance.now());
	const count = () => counting(performance.now());
	await until(() => waiting.length === 2);
	await until(() => count().due >= 20);
	assert.equal(waiting.length, 2, 'never more under way than there are connections');
	for (const response of waiting.splice(0)) response.end('ok');
	await until(() => waiting.length === 2);
	for (const response of waiting.splice(0)) response.end('ok');
	await until(() => latencies.length >= 4);
	// The third and the fourth were due within 50 ms of the start, and were sent when 20 were.
	assert.ok((latencies[2] ?? 0) >= 100 && (latencies[3] ?? 0) >= 100, latencies.join(' '));
	assert.ok(count().late >= 2);
	await client.close();
});

test('a server that closes after each answer loses no request', async () => {
	let arrivals = 0;
	const server = createServer((_, response) => {
		arrivals++;
		response.setHeader('connection', 'close').end('ok');
	});
	await using listening = await listen(server);
	let answered = 0;
	const events = {
		onAnswer: () => answered++,
		onBody: () => {},
		onOpen: () => {},
		onError: (error: Error) => assert.fail(error),
	};
	const load = { connections: 4, pipelining: 1, rate: 200 };
	const client = openRatedClient(listening.origin, REQUEST, load, events, { awake: true });
	await until(() => answered >= 60);
	await client.close();
	assert.ok(arrivals - answered <= 4, `${arrivals} requests, ${answered} answers`);
});
