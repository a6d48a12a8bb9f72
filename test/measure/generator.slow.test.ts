import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { checkLoadedAnswers } from '../../src/measure/answers/check-loaded-answers.ts';
import { openClient } from '../../src/measure/generator/client.ts';
import { createCounter } from '../../src/measure/generator/counter.ts';
import type { TurnOrder, TurnReport } from '../../src/measure/generator/messages.ts';
import { type Generator, startGenerator, TurnFailed } from '../../src/measure/generator-process.ts';
import { type ServerProcess, startServer } from '../../src/measure/server-process.ts';
import { listTree, readTreeTimes, usedBetween } from '../../src/process/process-tree.ts';
import { mergeHistograms } from '../../src/stats/histogram.ts';
import type { Design, Scenario } from '../../src/types/config.ts';
import { SIDES, type Sides } from '../../src/types/units.ts';
import { listen } from '../support/servers/http-server.ts';
import { type Bench, createBench } from '../support/servers/servers.ts';

const CONNECTIONS = 10;

const WARMUP = { requests: 100, leastSeconds: 0.3, mostSeconds: 0.5 };

const TIMING = {
	firstWarmup: WARMUP,
	warmup: WARMUP,
	settleSeconds: 0.05,
	windowSeconds: 0.3,
	windows: 2,
	soloSeconds: 0.2,
	soloRounds: 1,
};

function orderFor(base: ServerProcess, head: ServerProcess, design: Design, rest: Partial<TurnOrder> = {}) {
	const request = { method: 'GET', path: '/', headers: {} };
	return {
		turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head', soloFirst: 'base' },
		design,
		targets: {
			base: { origin: base.origin, pid: base.pid, request },
			head: { origin: head.origin, pid: head.pid, request },
		},
		load: { connections: CONNECTIONS, pipelining: 1 },
		timing: TIMING,
		warmup: WARMUP,
		serverCpu: null,
		awake: false,
		statuses: [200],
		runStartedAt: Date.now(),
		...rest,
	} as const;
}

async function turn(
	bench: Bench,
	headBehaviour: string,
	design: Design,
	rest: Partial<TurnOrder> = {},
	tell?: (ports: Sides<readonly number[]>) => void,
): Promise<TurnReport> {
	const generator: Generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head', headBehaviour));
	try {
		return await generator.runTurn(orderFor(base, head, design, rest), bench.controller.signal, tell);
	} finally {
		await generator.close();
	}
}

test('short windows in turn keep their connections, and report the work of the resting side', async () => {
	await using bench = await createBench();
	const opened = { base: new Set<number>(), head: new Set<number>() };
	const timing = { ...TIMING, windows: 4, windowSeconds: 0.1, settleSeconds: 0.03, resting: true as const };
	const { windows, memoryAfterLoad } = await turn(
		bench,
		'',
		'alternating',
		{ timing, turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head' } },
		(ports) => {
			for (const side of SIDES) for (const port of ports[side]) opened[side].add(port);
		},
	);
	assert.ok(windows.length > 0 && windows.length <= 4);
	for (const { kind, base, head, otherCpu } of windows) {
		assert.equal(kind, 'alternating');
		assert.ok((base?.completed ?? 0) > 0 && (head?.completed ?? 0) > 0);
		for (const counts of [base, head]) {
			assert.deepEqual([counts?.errors, counts?.unexpected], [0, 0]);
			assert.ok((counts?.restingCpuSeconds ?? -1) >= 0 && (counts?.cpuSeconds ?? 0) > 0);
		}
		assert.equal(otherCpu, windows[0]?.otherCpu);
	}
	assert.ok((memoryAfterLoad.base ?? 0) > 20e6 && (memoryAfterLoad.head ?? 0) > 20e6);
	// Connections of the two parts of the warm-up, and of all windows.
	for (const side of SIDES) assert.equal(opened[side].size, 3 * CONNECTIONS, side);
});

test('stops longer than a short window count in full', async () => {
	await using bench = await createBench();
	const { windows } = await turn(bench, 'stall', 'alternating', {
		timing: { ...TIMING, windows: 12, windowSeconds: 0.05, settleSeconds: 0.02, soloSeconds: 4, resting: true },
		turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head' },
	});
	const heads = (kind: 'alternating' | 'solo') =>
		windows.flatMap((window) => (window.kind === kind ? (window.head ?? []) : []));
	const sumOf = (counts: ReturnType<typeof heads>, key: 'completed' | 'seconds') =>
		counts.reduce((sum, one) => sum + one[key], 0);
	const rateIn = (kind: 'alternating' | 'solo') => sumOf(heads(kind), 'completed') / sumOf(heads(kind), 'seconds');
	// It answers 200 requests in a moment and then stops for 0.3 s: without its stops it would answer several times as
	// many.
	const ratio = rateIn('alternating') / rateIn('solo');
	assert.ok(ratio > 0.5 && ratio < 2, `${ratio} of the rate in one long window`);
	// Every connection always waits, so each second holds one second of waiting per connection (Little's law).
	const inTurn = heads('alternating');
	const waited = mergeHistograms(inTurn.map(({ latency }) => latency)).reduce(
		(sum, [us, count]) => sum + us * count,
		0,
	);
	const waiting = waited / 1e6 / sumOf(inTurn, 'seconds');
	assert.ok(waiting > 0.8 * CONNECTIONS && waiting < 1.2 * CONNECTIONS, `${waiting} of ${CONNECTIONS} requests wait`);
});

test('work after the answers is charged to the server', async () => {
	await using bench = await createBench();
	/** CPU time charged to head in a window beyond one CPU for as long as the window lasted: median, in milliseconds. */
	const chargedBeyond = async (changes: { readonly resting?: true }) => {
		const { windows } = await turn(bench, 'afterwork', 'alternating', {
			load: { connections: CONNECTIONS, pipelining: 1, rate: 1000 },
			timing: { ...TIMING, windows: 20, windowSeconds: 0.01, settleSeconds: 0, ...changes },
			turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head' },
		});
		return 1000 * median(windows.flatMap(({ head }) => (head ? (head.cpuSeconds ?? 0) - head.seconds : [])));
	};
	// One of its threads has 30 ms more work at the end of 10 ms of load, which is not waited for unless the other side
	// rests meanwhile. A busy machine makes single windows longer, so the median is read, and a difference, not a ratio.
	const [unseen, seen] = [await chargedBeyond({}), await chargedBeyond({ resting: true })];
	assert.ok(seen > unseen + 10, `${seen} ms instead of ${unseen} ms`);
});

/** The processes of the running generator. */
function generatorTree(): number[] {
	const tree = listTree(process.pid).filter((pid) =>
		readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/measure/generator/generator-main.ts'),
	);
	assert.equal(tree.length, 1);
	return tree;
}

test('a turn whose connections come and go counts all of it, second by second, after a warm-up of another load', async () => {
	const most = { all: 0, open: 0 };
	const counting = createServer((_request, response) => response.end('{"ok":true}')).on('connection', (socket) => {
		most.open++;
		most.all = Math.max(most.all, most.open);
		socket.once('close', () => most.open--);
	});
	await using site = await listen(counting);
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	try {
		const request = { method: 'GET', path: '/', headers: {} };
		const target = { origin: site.origin, pid: process.pid, request };
		await using idle = await startServer(bench.options('base'));
		const order = orderFor(idle, idle, 'duet', {
			turn: { cell: 'fixture/x', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head', only: 'head' },
			targets: { base: target, head: target },
			warmup: { requests: 0, leastSeconds: 0.2, mostSeconds: 0.2, load: { connections: 2, pipelining: 1 } },
			timing: {
				...TIMING,
				settleSeconds: 0,
				windows: 0,
				soloSeconds: 3,
				stages: [
					{ seconds: 1, connections: 6 },
					{ seconds: 1, connections: 6 },
					{ seconds: 1, connections: 0 },
				],
			},
		});
		const { windows } = await generator.runTurn(order, bench.controller.signal);
		assert.deepEqual(
			windows.map(({ kind, base, head }) => [kind, base !== null, head?.perSecond?.length]),
			[['solo', false, 3]],
		);
		assert.equal(most.all, 6);
		assert.ok((windows[0]?.head?.perSecond ?? []).every(({ requests, bytes }) => requests > 0 && bytes > requests));
	} finally {
		await generator.close();
	}
});

test('a duet turn gives windows of both sides and solo windows of one, with every figure filled in', async () => {
	await using bench = await createBench();
	const { windows, memoryPeak, memoryAfterLoad, samples } = await turn(bench, '', 'duet');
	assert.deepEqual(
		windows.map(({ kind, base, head }) => [kind, base !== null, head !== null]),
		[
			['duet', true, true],
			['duet', true, true],
			['solo', true, false],
			['solo', false, true],
		],
	);
	for (const window of windows) {
		for (const side of [window.base, window.head]) {
			if (side === null) continue;
			assert.ok(side.completed > 0, 'answers were counted');
			assert.deepEqual(side.statuses, { 200: side.completed });
			assert.equal(side.unexpected, 0);
			assert.equal(side.errors, 0);
			assert.equal(
				side.latency.reduce((sum, [, count]) => sum + count, 0),
				side.completed,
			);
			assert.ok((side.cpuSeconds ?? 0) > 0 && (side.cpuSeconds ?? 9) < side.seconds * 1.5);
			assert.ok(side.bytes > side.completed * 50);
		}
		assert.ok(window.generatorUtilisation > 0 && window.generatorUtilisation <= 1);
	}
	for (const side of SIDES) {
		assert.ok((memoryAfterLoad[side] ?? 0) > 20e6, side);
		assert.ok((memoryPeak[side] ?? 0) >= (memoryAfterLoad[side] ?? 0), side);
	}
	assert.deepEqual(
		samples.base.map(({ status, body }) => [status, body]),
		[[200, '{"ok":true}']],
	);
});

test('alternating and sequential turns give the same shape, one side loaded at a time', async () => {
	await using bench = await createBench();
	for (const design of ['alternating', 'sequential'] as const) {
		const { windows } = await turn(bench, '', design, {
			turn: { cell: 'fixture/x', clientFirst: 'base', windowFirst: 'base' },
		});
		assert.deepEqual(
			windows.map(({ kind, base, head }) => [kind, base !== null, head !== null]),
			[
				[design, true, true],
				[design, true, true],
			],
		);
	}
});

test('an awake turn counts like any other, and its generator sleeps again afterwards', async () => {
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head', 'slow'));
	// Long enough that a slow head answers in every window, however crowded the machine.
	const timing = { ...TIMING, soloSeconds: 0.6 };
	const order = orderFor(base, head, 'duet', { awake: true, timing });
	const { windows } = await generator.runTurn(order, bench.controller.signal);
	assert.equal(windows.length, 4);
	for (const { base, head, generatorUtilisation } of windows) {
		assert.ok((base ?? head)?.completed);
		assert.ok(generatorUtilisation > 0 && generatorUtilisation <= 1, `utilisation ${generatorUtilisation}`);
	}
	const first = readTreeTimes(generatorTree());
	await delay(500);
	const used = usedBetween(first, readTreeTimes(generatorTree()));
	// Awake it would use all the CPU available; a crowded machine can only reduce that.
	assert.ok(used < 0.1, `${used} s of CPU time with nothing to do`);
	await generator.close();
});

test('a server that waits instead of computing is as slow as its wait', async () => {
	await using bench = await createBench();
	const { windows } = await turn(bench, 'slow', 'duet');
	const { base, head } = windows[1] ?? {};
	const fastest = (side: typeof base) => side?.latency[0]?.[0] ?? Number.NaN;
	// Timers count whole milliseconds, so one of 5 ms may take little more than 4; a busy machine only makes it longer,
	// and each connection waits for one answer at a time.
	assert.ok(fastest(head) >= 4_000 && fastest(base) < fastest(head), `${fastest(base)} µs and ${fastest(head)} µs`);
	assert.ok(base && head && head.completed <= CONNECTIONS * (1 + head.seconds / 0.004), `${head?.completed} answers`);
});

test('unexpected statuses are counted and a sample of them is kept', async () => {
	await using bench = await createBench();
	const { windows, samples } = await turn(bench, 'error-sometimes', 'duet');
	const heads = windows.flatMap(({ head }) => head ?? []);
	for (const head of heads) assert.equal(head.unexpected, head.statuses[503] ?? 0);
	assert.ok(heads.some(({ unexpected }) => unexpected > 0));
	assert.ok(samples.head.some(({ status, body }) => status === 503 && body === '{"error":"busy"}'));
});

test('a server that closes every connection is measured without losing or inventing answers', async () => {
	await using bench = await createBench();
	// Long enough for some answers of each connection, however crowded the machine.
	const { windows } = await turn(bench, 'close', 'duet', { timing: { ...TIMING, windows: 1, windowSeconds: 1.5 } });
	const head = windows[0]?.head;
	assert.ok(head && head.completed > CONNECTIONS);
	// A connection has one request at a time, so on any machine their latencies add up to at most the window, plus one of
	// each connection that began before it. Lost requests matched to later answers would add up to far more.
	const latencies = head.latency.flatMap(([microseconds, count]) => new Array<number>(count).fill(microseconds));
	const whole = latencies.slice(0, -CONNECTIONS).reduce((sum, microseconds) => sum + microseconds / 1e6, 0);
	// The histogram rounds up to two digits.
	assert.ok(whole <= 1.02 * CONNECTIONS * head.seconds, `${whole} s of latency in ${head.seconds} s`);
});

test('a request whose connection closes without an answer is sent again; after an announced close no request is', async () => {
	await using bench = await createBench();
	const { windows } = await turn(bench, 'drop-sometimes', 'duet', {
		timing: { ...TIMING, windows: 1, windowSeconds: 1.5 },
	});
	const [window] = windows;
	assert.ok(window?.head?.resent && window.head.resentMoments);
	assert.deepEqual([window.base?.errors, window.base?.resent], [0, undefined]);
	const closing = await turn(bench, 'close', 'duet', { timing: { ...TIMING, windows: 1, windowSeconds: 0.5 } });
	assert.deepEqual([closing.windows[0]?.head?.errors, closing.windows[0]?.head?.resent], [0, undefined]);
	assert.equal(closing.firstError.head, undefined);
});

test('memory peaks and CPU times cover forked workers', async () => {
	await using bench = await createBench();
	const { windows, memoryPeak } = await turn(bench, 'fork', 'duet');
	assert.ok((memoryPeak.head ?? 0) > 1.8 * (memoryPeak.base ?? 0));
	assert.ok((windows[1]?.head?.cpuSeconds ?? 0) > 0.01);
});

test('a restarted worker is seen', async () => {
	await using bench = await createBench();
	const { vanished, firstError } = await turn(bench, 'restart', 'duet', { timing: { ...TIMING, windowSeconds: 1 } });
	assert.equal(vanished.head, 1);
	assert.notEqual(firstError.head, undefined);
	assert.equal(vanished.base, 0);
});

test('an abort ends a turn at once and the generator takes the next one', async () => {
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head'));
	const controller = new AbortController();
	const long = generator.runTurn(
		orderFor(base, head, 'duet', { warmup: { requests: 1, leastSeconds: 60, mostSeconds: 60 } }),
		controller.signal,
	);
	setTimeout(() => controller.abort(), 200);
	await assert.rejects(long, TurnFailed);
	const { windows } = await generator.runTurn(orderFor(base, head, 'duet'), bench.controller.signal);
	assert.equal(windows.length, 4);
	await generator.close();
});

test('a head that answers less under load is at fault, though the scenario expects only a status', async () => {
	await using bench = await createBench();
	const report = await turn(bench, 'cheaper-later', 'duet');
	assert.deepEqual(Object.keys(report.lengths.base), ['11']);
	assert.deepEqual(Object.keys(report.lengths.head).sort(), ['11', '2']);
	const scenario = { expect: { status: [200] } } as unknown as Scenario;
	const usual = { base: '{"ok":true}', head: '{"ok":true}' };
	const faults = checkLoadedAnswers(scenario, report, { usual });
	assert.deepEqual(
		faults.map(({ code, side }) => [code, side]),
		[['changed-under-load', 'head']],
	);
});

/** Answers with these headers, a Content-Length of 11 and no body. */
function answerWithoutBody(head: { readonly status: number }): Server {
	return createServer((_request, response) => {
		response.writeHead(head.status, { 'content-length': '11' });
		response.end();
	});
}

for (const { what, status, method } of [
	{ what: 'HEAD', status: 200, method: 'HEAD' },
	{ what: 'GET that is answered 304', status: 304, method: 'GET' },
]) {
	test(`answers to ${what} end with their headers, whatever Content-Length says`, async () => {
		await using server = await listen(answerWithoutBody({ status }));
		const answered: number[] = [];
		const client = openClient(
			server.origin,
			{ method, path: '/', headers: {} },
			{ connections: 2, pipelining: 1 },
			{ onAnswer: (status) => answered.push(status), onError: () => {}, onOpen: () => {} },
		);
		for (let waited = 0; answered.length < 20 && waited < 100; waited++) await delay(100);
		await client.close();
		assert.ok(answered.length >= 20, `${answered.length} answers`);
		assert.deepEqual([...new Set(answered)], [status]);
	});
}

test('requests without an answer time out after ten seconds, and count separately from other errors', async () => {
	let arrivals = 0;
	// The first connection ends without an answer; the others stay silent.
	await using server = await listen(createServer(({ socket }) => ++arrivals === 1 && socket.destroy()));
	const counter = createCounter([[200]]);
	counter.start();
	const client = openClient(
		server.origin,
		{ method: 'GET', path: '/', headers: {} },
		{ connections: 1, pipelining: 1 },
		{ onAnswer: counter.onAnswer, onError: counter.onError, onOpen() {} },
	);
	for (let waited = 0; counter.total.errors < 2 && waited < 200; waited++) await delay(100);
	await client.close();
	const { errors, timeouts } = counter.finish(1, null);
	assert.deepEqual({ errors, timeouts, answers: counter.total.answers }, { errors: 2, timeouts: 1, answers: 0 });
});
