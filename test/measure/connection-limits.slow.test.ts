/**
 * Real servers that limit their connections, in every design and at fixed rates: which side loses requests, and how
 * often.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLoadedAnswers } from '../../src/measure/answers/check-loaded-answers.ts';
import type { TurnReport } from '../../src/measure/generator/messages.ts';
import { startGenerator } from '../../src/measure/generator-process.ts';
import { startServer } from '../../src/measure/server-process.ts';
import type { Design, Scenario } from '../../src/types/config.ts';
import { SIDES } from '../../src/types/units.ts';
import { type Bench, behavingServer, createBench } from '../support/servers/servers.ts';

const CONNECTIONS = 10;
const WARMUP = { requests: 100, leastSeconds: 0.2, mostSeconds: 0.5 };
const TIMING = {
	firstWarmup: WARMUP,
	warmup: WARMUP,
	settleSeconds: 0.05,
	windowSeconds: 0.4,
	windows: 2,
	soloSeconds: 0.3,
	soloRounds: 1,
};
const IN_TURN = { ...TIMING, windows: 12, windowSeconds: 0.05, settleSeconds: 0.02, resting: true as const };
const SCENARIO = { name: 'x', expect: { status: [200] }, checks: [] } as unknown as Scenario;

type Limits = Readonly<Record<string, string>>;

/** Loads two servers with these limits, one turn per design. */
async function load(
	bench: Bench,
	limits: Limits,
	{
		design = 'duet',
		rate,
		method = 'GET',
	}: { readonly design?: Design; readonly rate?: number; readonly method?: string },
): Promise<TurnReport> {
	const run = { argv: [process.execPath, 'connections.mjs'] };
	const server = { ...behavingServer(), run, env: limits };
	const generator = await startGenerator(bench.affinity, bench.janitor);
	await using base = await startServer({ ...bench.options('base'), server });
	await using head = await startServer({ ...bench.options('head'), server });
	const request = { method, path: '/', headers: {} };
	try {
		return await generator.runTurn(
			{
				turn: {
					cell: 'fixture/x',
					clientFirst: 'head',
					windowFirst: 'base',
					...(design === 'duet' && { soloFirst: 'base' }),
				},
				design,
				targets: {
					base: { origin: base.origin, pid: base.pid, request },
					head: { origin: head.origin, pid: head.pid, request },
				},
				load: { connections: CONNECTIONS, pipelining: 1, ...(rate && { rate }) },
				timing: design === 'alternating' ? IN_TURN : TIMING,
				warmup: WARMUP,
				serverCpu: null,
				awake: false,
				statuses: [200],
				runStartedAt: Date.now(),
			},
			bench.controller.signal,
		);
	} finally {
		await generator.close();
	}
}

/** Sums of each side over all windows. */
function sumsOf({ windows }: TurnReport) {
	return SIDES.map((side) => {
		const parts = windows.flatMap((window) => window[side] ?? []);
		const sum = (key: 'completed' | 'errors' | 'resent' | 'due') =>
			parts.reduce((total, part) => total + (part[key] ?? 0), 0);
		return { completed: sum('completed'), errors: sum('errors'), resent: sum('resent'), due: sum('due') };
	});
}

/** Limits and loads. `resent`: whether requests must get lost; absent if it is a race. */
const LOADS: readonly (readonly [string, Limits, Parameters<typeof load>[2], { readonly resent: boolean | null }])[] = [
	['1 request, announced', { HOW: 'says', LIMIT: '1' }, {}, { resent: false }],
	['100 requests, announced', { HOW: 'says', LIMIT: '100' }, {}, { resent: false }],
	['100 requests, announced, of POST', { HOW: 'says', LIMIT: '100' }, { method: 'POST' }, { resent: false }],
	['100 requests, announced, in turn', { HOW: 'says', LIMIT: '100' }, { design: 'alternating' }, { resent: false }],
	['100 requests, announced, 2,000/s', { HOW: 'says', LIMIT: '100' }, { rate: 2_000 }, { resent: false }],
	['1,000 requests, announced, 10,000/s', { HOW: 'says', LIMIT: '1000' }, { rate: 10_000 }, { resent: false }],
	['10 requests, ended', { HOW: 'ends', LIMIT: '10' }, {}, { resent: true }],
	['10 requests, reset', { HOW: 'resets', LIMIT: '10' }, {}, { resent: true }],
	['10 requests, dropped', { HOW: 'drops', LIMIT: '10' }, {}, { resent: true }],
	['10 requests, dropped, in turn', { HOW: 'drops', LIMIT: '10' }, { design: 'alternating' }, { resent: true }],
	['10 requests, dropped, 500/s', { HOW: 'drops', LIMIT: '10' }, { rate: 500 }, { resent: true }],
	['5 ms idle', { IDLE: '5' }, {}, { resent: null }],
	['5 ms idle, in turn', { IDLE: '5' }, { design: 'alternating' }, { resent: null }],
	['60 ms idle, in turn', { IDLE: '60' }, { design: 'alternating' }, { resent: null }],
	['5 ms idle, 20/s', { IDLE: '5' }, { rate: 20 }, { resent: null }],
	['50 ms idle, 200/s', { IDLE: '50' }, { rate: 200 }, { resent: null }],
	['5 s idle, 1/s', { IDLE: '5000' }, { rate: 1 }, { resent: false }],
];

for (const [label, limits, how, { resent }] of LOADS) {
	test(`connections end after ${label}: every request is answered`, async () => {
		await using bench = await createBench();
		const report = await load(bench, limits, how);
		for (const side of sumsOf(report)) {
			assert.equal(side.errors, 0, JSON.stringify(report.firstError));
			if (how.rate !== 1) assert.ok(side.completed > 0);
			if (resent !== null) assert.equal(side.resent > 0, resent, `${side.resent} of ${side.completed}`);
		}
		if (how.rate !== 1)
			assert.deepEqual(checkLoadedAnswers(SCENARIO, report, { usual: { base: null, head: null } }), []);
	});
}

test('a POST is never sent again, so its losses are errors', async () => {
	await using bench = await createBench();
	for (const side of sumsOf(await load(bench, { HOW: 'drops', LIMIT: '10' }, { method: 'POST' }))) {
		assert.equal(side.resent, 0);
		assert.ok(side.errors > 0);
	}
});
