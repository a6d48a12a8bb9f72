/** Answers that are long compared with the windows that count them. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { checkLoadedAnswers } from '../../../src/measure/answers/check-loaded-answers.ts';
import { AnswerShares, lengthenWindows } from '../../../src/measure/generator/long-answers.ts';
import type { TurnOrder } from '../../../src/measure/generator/messages.ts';
import { runTurn } from '../../../src/measure/generator/turn.ts';
import { timingFor } from '../../../src/plan/timing.ts';
import type { Scenario } from '../../../src/types/config.ts';
import { assertClose } from '../../support/close.ts';
import { listen } from '../../support/servers/http-server.ts';

/** Counts consecutive answers of `took` ms each, starting at `first`, in windows of a second starting at 0. */
function countAnswers(first: number, took: number, windows: number): readonly number[] {
	const shares = new AnswerShares();
	for (let at = 0; at < windows; at++) {
		shares.begin(at * 1000);
		shares.end((at + 1) * 1000);
	}
	for (let since = first; since < windows * 1000; since += took) shares.add(since, since + took);
	return shares.last(windows);
}

test('answers of equal length count the same wherever windows begin, in windows that are shorter and longer than an answer', () => {
	for (const took of [3000, 700, 1000, 30])
		for (const first of [-2999, -1500, -took, -1])
			for (const answers of countAnswers(first, took, 3)) {
				if (first > -took) continue;
				assertClose(answers, 1000 / took, 1e-9);
			}
});

test('an answer before a window, or without an end, adds nothing to it; an answer adds 1 to all windows together', () => {
	const shares = new AnswerShares();
	shares.begin(0);
	shares.add(-10, -5);
	shares.add(10, 20);
	shares.end(100);
	shares.begin(100);
	shares.add(50, 150);
	shares.end(200);
	shares.add(150, 450);
	shares.add(200, 300);
	const [first = 0, second = 0] = shares.last(2);
	assertClose(first, 1.5, 1e-12);
	assertClose(second, 0.5 + 50 / 300, 1e-12);
	assert.deepEqual(shares.last(1), [second]);
});

test('windows hold two answers of each connection, and twelve in all, within half a minute; others stay unchanged', () => {
	const usual = timingFor({ design: 'duet' });
	const secondsFor = (lap: number, connections: number, pipelining = 1) => {
		const { windows, windowSeconds } = lengthenWindows(usual, { connections, pipelining }, lap);
		return windows * windowSeconds;
	};
	assert.deepEqual(lengthenWindows(usual, { connections: 20, pipelining: 1 }, 0.002), usual);
	assertClose(secondsFor(0.3, 20), 2, 1e-9);
	assertClose(secondsFor(3, 20), 6, 1e-9);
	assertClose(secondsFor(1, 1), 12, 1e-9);
	assertClose(secondsFor(1, 1, 4), 3, 1e-9);
	assertClose(secondsFor(9, 1), 30, 1e-9);
	assert.equal(lengthenWindows(usual, { connections: 1, pipelining: 1 }, 3).settleSeconds, 3);
});

const CONNECTIONS = 3;

function orderFor(base: string, head: string): TurnOrder {
	const targetOf = (origin: string) => ({
		...{ origin, pid: process.pid, request: { method: 'GET', path: '/', headers: {} } },
	});
	const warmup = { requests: 1, leastSeconds: 0.02, mostSeconds: 0.02 };
	return {
		...{ kind: 'turn', id: 1, design: 'duet', statuses: [200], runStartedAt: Date.now() },
		turn: { cell: 'own/ping', clientFirst: 'head', windowFirst: 'head', soloFirst: 'base' },
		targets: { base: targetOf(base), head: targetOf(head) },
		load: { connections: CONNECTIONS, pipelining: 1 },
		timing: {
			...{ firstWarmup: warmup, warmup, settleSeconds: 0, windowSeconds: 0.05, windows: 2 },
			...{ soloSeconds: 0.02, soloRounds: 1 },
		},
		...{ warmup, serverCpu: null, awake: false },
	};
}

function slowServer(milliseconds: (count: number) => number, status: (count: number) => number = () => 200) {
	let count = 0;
	return createServer((_request, response: ServerResponse) => {
		const now = ++count;
		setTimeout(() => response.writeHead(status(now)).end('ok'), milliseconds(now));
	});
}

test('a window without an answer counts the requests under way, and base sets the length of windows', async () => {
	await using base = await listen(slowServer(() => 300));
	await using head = await listen(slowServer(() => 900));
	const { windows } = await runTurn(orderFor(base.origin, head.origin), new AbortController(), () => {});
	const [first, second, ...solo] = windows;
	for (const window of [first, second])
		for (const side of [window?.base, window?.head]) {
			assert.ok(side && (side.answers ?? 0) > 0, JSON.stringify(side));
			// Twelve answers of 300 ms on three connections take 1.2 s, far more than two windows of 50 ms.
			assert.ok(side.seconds >= 0.5, `${side.seconds} s`);
		}
	assert.ok((first?.base?.answers ?? 0) > (first?.head?.answers ?? 0));
	for (const window of solo) assert.ok(((window.base ?? window.head)?.answers ?? 0) > 0, JSON.stringify(window));
});

test('a head that takes longer than all windows did answer', async () => {
	await using base = await listen(slowServer(() => 60));
	await using head = await listen(slowServer(() => 1500));
	const report = await runTurn(orderFor(base.origin, head.origin), new AbortController(), () => {});
	const scenario = { request: { method: 'GET', path: '/', headers: {} }, expect: { status: [200] } };
	const atRest = { usual: { base: 'ok', head: 'ok' } };
	assert.deepEqual(checkLoadedAnswers(scenario as unknown as Scenario, report, atRest), []);
});

test('wrong answers add nothing, whenever they come', async () => {
	await using base = await listen(slowServer(() => 40));
	await using head = await listen(
		slowServer(
			() => 40,
			(count) => (count > 2 * CONNECTIONS ? 500 : 200),
		),
	);
	const { windows } = await runTurn(orderFor(base.origin, head.origin), new AbortController(), () => {});
	const sum = (side: 'base' | 'head') =>
		windows.reduce((total, window) => total + (window.kind === 'duet' ? (window[side]?.answers ?? 0) : 0), 0);
	assert.ok(sum('base') > 5, `${sum('base')}`);
	assert.ok(sum('head') <= CONNECTIONS, `${sum('head')}`);
});
