import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSteps } from '../../../src/measure/generator/staged-load.ts';
import { startGenerator } from '../../../src/measure/generator-process.ts';
import { startServer } from '../../../src/measure/server-process.ts';
import { rampsOf } from '../../../src/rank/scaling.ts';
import { summariseRanking } from '../../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../../src/rank/turn-sample.ts';
import type { Stage } from '../../../src/types/plan.ts';
import type { LatencyHistogram, Round } from '../../../src/types/round.ts';
import { scriptData, scriptServer } from '../../support/ranking-cases.ts';
import { createBench } from '../../support/servers/servers.ts';

const AT_ONCE = { requests: 0, leastSeconds: 0, mostSeconds: 0 };

/** Up to 2 and 4 connections, each held for a while, and down again. */
function shortStages(seconds: number): readonly Stage[] {
	return [2, 2, 4, 4, 0].map((connections) => ({ seconds, connections }));
}

test('a step counts the answers between its two ends, and their latencies alone', async () => {
	const reads: readonly (readonly [number, LatencyHistogram])[] = [
		[10, [[1000, 10]]],
		[
			70,
			[
				[1000, 65],
				[2000, 5],
			],
		],
		[
			100,
			[
				[1000, 90],
				[2000, 10],
			],
		],
		[
			100,
			[
				[1000, 90],
				[2000, 10],
			],
		],
	];
	let at = 0;
	const counter = {
		soFar: () => ({ completed: reads[at]?.[0] ?? 0, bytes: 0 }),
		latencySoFar: () => reads[at++]?.[1] ?? [],
	};
	const loaded = { base: { counter }, head: { counter } };
	const steps = await countSteps(loaded, ['head'], shortStages(0.01), new AbortController().signal);
	assert.equal(at, reads.length);
	assert.equal(steps.has('base'), false);
	assert.deepEqual(
		steps.get('head')?.map(({ connections, completed, latency }) => ({ connections, completed, latency })),
		[
			{
				connections: 2,
				completed: 60,
				latency: [
					[1000, 55],
					[2000, 5],
				],
			},
			{ connections: 4, completed: 0, latency: [] },
		],
	);
	assert.ok(steps.get('head')?.every(({ seconds }) => seconds > 0));
});

test('a load that rises in stages reports each of its steps, and so does its ranking', async () => {
	await using bench = await createBench();
	const generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer(bench.options('base'));
	await using head = await startServer(bench.options('head'));
	const stages = shortStages(0.2);
	const target = ({ origin, pid }: typeof head) => ({
		origin,
		pid,
		request: { method: 'GET', path: '/', headers: {} },
	});
	const report = await generator
		.runTurn(
			{
				turn: { cell: 'koa/ping', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head', only: 'head' },
				design: 'duet',
				targets: { base: target(base), head: target(head) },
				load: { connections: 4, pipelining: 1 },
				timing: {
					...{ firstWarmup: AT_ONCE, warmup: AT_ONCE, settleSeconds: 0, windowSeconds: 0.1, windows: 0 },
					...{ soloSeconds: 1, soloRounds: 1, stages },
				},
				warmup: AT_ONCE,
				serverCpu: null,
				awake: false,
				statuses: [200],
				runStartedAt: Date.now(),
			},
			bench.controller.signal,
		)
		.finally(() => generator.close());
	const { windows, memoryPeak } = report;
	const steps = windows[0]?.head?.steps ?? [];
	assert.deepEqual(
		steps.map(({ connections }) => connections),
		[2, 4],
	);
	for (const { completed, latency } of steps) {
		assert.ok(completed > 0);
		assert.equal(
			latency.reduce((sum, [, count]) => sum + count, 0),
			completed,
		);
	}
	assert.ok(steps.reduce((sum, { completed }) => sum + completed, 0) <= (windows[0]?.head?.completed ?? 0));

	const cells = { cell: 'koa/ping', round: 1, purpose: 'main', design: 'duet', windows, memoryPeak } as const;
	const round: Round = {
		...{ round: 1, purpose: 'main', startedAt: 0, seconds: 1, loadSeconds: 1 },
		cells: [{ ...cells, faults: [], pinned: false }],
	};
	const data = scriptData(
		[scriptServer('koa')],
		samplesOf(round, () => 'koa'),
	);
	const [ramp] = rampsOf(summariseRanking(data).rows);
	assert.equal(ramp?.server, 'koa');
	const figures = steps.map(({ connections, completed, seconds }) => ({
		connections,
		throughput: completed / seconds,
	}));
	assert.deepEqual(
		ramp?.steps.map(({ connections, throughput }) => ({ connections, throughput })),
		figures,
	);
	assert.ok(ramp?.steps.every(({ p50, p99 }) => p50 !== null && p99 !== null && p50 <= p99));
});
