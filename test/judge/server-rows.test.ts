import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { LatencyHistogram, Round, Window, WindowSide } from '../../src/types/round.ts';
import { scriptPlan, scriptRound, type Turn } from '../support/rounds.ts';

const METRICS: readonly MetricName[] = ['latency-p99', 'memory-at-rest', 'memory-after-100k', 'cold-start'];
const MARGINS = {
	'latency-p99': { threshold: 0.25, tolerance: 0.125 },
	'memory-at-rest': { threshold: 0.05, tolerance: 0.025 },
	'memory-after-100k': { threshold: 0.1, tolerance: 0.05 },
	'cold-start': { threshold: 0.15, tolerance: 0.075 },
};
const NAMES = ['ping', 'json'];
const PLAN = scriptPlan(NAMES, { metrics: METRICS, margins: MARGINS });

/** How much worse head is, as log ratios, 0 for not at all. */
interface Planted {
	readonly start?: number;
	readonly leak?: number;
	readonly tail?: number;
}

/** Standard deviations of a round's log ratio that a noisy machine may have. */
const SPREAD = { 'latency-p99': 0.08, 'memory-at-rest': 0.008, 'memory-after-100k': 0.03, 'cold-start': 0.05 } as const;

function latencies(p99: number): LatencyHistogram {
	return [
		[400, 980],
		[p99, 20],
	];
}

function turnOf(random: Random, isFirst: boolean, { start = 0, leak = 0, tail = 0 }: Planted): Turn {
	const pair = (metric: keyof typeof SPREAD, level: number, worse: number): [number, number] => [
		level,
		level * Math.exp(worse + SPREAD[metric] * random.normal()),
	];
	const [base, head] = pair('latency-p99', 2000, tail);
	return {
		d: 0,
		cpu: 0.01 * random.normal(),
		server: 0.3,
		rate: { due: 1000 },
		latency: { base: latencies(base), head: latencies(head) },
		after: pair('memory-after-100k', 90e6, leak),
		...(isFirst && { start: { seconds: pair('cold-start', 0.2, start), memory: pair('memory-at-rest', 50e6, 0) } }),
	};
}

/** Rounds of both scenarios, one of which loads the fresh processes first, in turn. */
function roundsOf(seed: number, planted: Planted = {}, count = 20): Round[] {
	const random = createRandom(seed);
	return Array.from({ length: count }, (_, index) =>
		scriptRound(
			index + 1,
			Object.fromEntries(NAMES.map((name, at) => [name, turnOf(random, at === index % 2, planted)])),
		),
	);
}

function verdictsOf(rounds: readonly Round[], plan: Plan = PLAN): string[] {
	return decide(plan, rounds, 'rounds').rows.map(({ cell, metric, verdict }) => `${cell} ${metric} ${verdict}`);
}

test('the start of a process is one row per server, whichever scenario loads it first', () => {
	assert.deepEqual(verdictsOf(roundsOf(1)), [
		'app/ping latency-p99 unchanged',
		'app/ping memory-at-rest unchanged',
		'app/ping memory-after-100k unchanged',
		'app/ping cold-start unchanged',
		'app/json latency-p99 unchanged',
		'app/json memory-after-100k unchanged',
	]);
	const { rows } = decide(PLAN, roundsOf(1), 'rounds');
	assert.deepEqual(
		rows.filter(({ metric }) => metric === 'cold-start').map(({ estimate, guards }) => [estimate?.rounds, guards]),
		[[decide(PLAN, roundsOf(1), 'rounds').rows[3]?.estimate?.rounds, null]],
	);
	assert.ok((rows[3]?.estimate?.rounds ?? 0) >= 4, 'rounds of both scenarios count');
});

for (const [label, planted, red] of [
	['slow start', { start: 0.4 }, ['app/ping cold-start']],
	['leak', { leak: 0.3 }, ['app/ping memory-after-100k', 'app/json memory-after-100k']],
	['tail', { tail: 0.8 }, ['app/ping latency-p99', 'app/json latency-p99']],
] as const) {
	test(`a planted ${label} is found, and no other row is red`, () => {
		for (let seed = 1; seed <= 10; seed++) {
			const regressed = verdictsOf(roundsOf(seed, planted)).filter((row) => row.endsWith('regressed'));
			assert.deepEqual(
				regressed,
				red.map((row) => `${row} regressed`),
			);
		}
	});
}

test('no row is red of 600 rows of a server against itself, with all four metrics gated', () => {
	const verdicts = Array.from({ length: 100 }, (_, seed) => verdictsOf(roundsOf(1000 + seed))).flat();
	assert.equal(verdicts.length, 600);
	assert.deepEqual(
		verdicts.filter((row) => row.endsWith('regressed')),
		[],
	);
});

test('a rate that both sides miss leaves start and memory of the process valid', () => {
	const rounds = roundsOf(1).map((round) => ({
		...round,
		cells: round.cells.map((cell) => ({ ...cell, windows: cell.windows.map(halfHeld) })),
	}));
	assert.deepEqual(verdictsOf(rounds).slice(0, 4), [
		'app/ping latency-p99 invalid',
		'app/ping memory-at-rest unchanged',
		'app/ping memory-after-100k unchanged',
		'app/ping cold-start unchanged',
	]);
});

function halfHeld({ base, head, ...window }: Window): Window {
	const half = (side: WindowSide | null) => side && { ...side, due: 2 * (side.due ?? 0) };
	return { ...window, base: half(base), head: half(head) };
}

test('an open row of a server keeps its first scenario running, and a process that reports no start ends it', () => {
	const plan = scriptPlan(NAMES, { metrics: ['cold-start'], margins: { 'cold-start': MARGINS['cold-start'] } });
	const open = decide(plan, roundsOf(1, {}, 2), null);
	assert.deepEqual([open.rows.length, open.undecided], [1, ['app/ping']]);
	const silent = roundsOf(1).map((round) => ({
		...round,
		cells: round.cells.map(({ start: _, ...cell }) => cell),
	}));
	const [row] = decide(plan, silent, null).rows;
	assert.deepEqual(
		[row?.verdict, row?.final, row?.warnings.map(({ code }) => code)],
		['inconclusive', true, ['metric-unavailable']],
	);
});

test('every metric has its own margins, and the others those of the cell', () => {
	const plan = scriptPlan(['ping'], {
		metrics: ['throughput', 'latency-p99'],
		margins: { 'latency-p99': MARGINS['latency-p99'] },
	});
	const rounds = Array.from({ length: 20 }, (_, index) => {
		const latency = { base: latencies(2000), head: latencies(2000 * 1.2) };
		return scriptRound(index + 1, { ping: { d: -0.1, latency } });
	});
	assert.deepEqual(verdictsOf(rounds, plan), ['app/ping throughput regressed', 'app/ping latency-p99 unchanged']);
	const { margins: _, ...narrow } = plan;
	assert.deepEqual(verdictsOf(rounds, narrow), ['app/ping throughput regressed', 'app/ping latency-p99 regressed']);
});
