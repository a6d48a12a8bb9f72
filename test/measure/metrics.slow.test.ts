/**
 * Latency at a fixed rate, memory and starts, all gated, with real load: a head that is worse in all of them, and one
 * that is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marginsOfMetrics } from '../../src/config/margins.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { openBench } from '../../src/measure/bench.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { CellResult, Raw } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture, shortTiming } from '../support/short-rounds.ts';

const METRICS: readonly MetricName[] = [
	'throughput',
	'latency-p99',
	'memory-at-rest',
	'memory-after-100k',
	'cold-start',
];
/** The fewest that decide. */
const ROUNDS = 4;
/** A number that a slow machine answers in a moment. */
const FOOTPRINT = 3_000;

async function measure(head: string): Promise<readonly CellResult[]> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const timing = shortTiming({ leastSeconds: 0.3, windowSeconds: 0.8 });
		const load = { connections: 10, pipelining: 1, rate: 100 };
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [{ ...FIXTURE_SCENARIO, load }] },
			prepared: prepareFixture({ base: '', head }),
			timing,
		});
		const margins = marginsOfMetrics(METRICS.map((name) => ({ name })));
		const plan: Plan = {
			...examplePlan(['express/ping']),
			timing: timing('duet'),
			metrics: METRICS,
			looks: planLooks(ROUNDS),
			...(margins && { margins }),
		};
		const rounds: Round[] = [];
		for (let round = 1; round <= ROUNDS; round++) {
			const planned = planRound(plan, round, ['express/ping'], 'main');
			rounds.push(await laboratory.runRound({ ...planned, footprint: FOOTPRINT }));
		}
		return summarise({ ...EMPTY, context: { ...EMPTY.context, environment: bench.environment() }, plan, rounds }).cells;
	} finally {
		await bench.close();
	}
}

const SIDE = { revision: 'x', kind: 'dir', label: 'x', versions: {} } as const;
const EMPTY = {
	schemaVersion: 1,
	kind: 'benchgate-raw',
	context: {
		tool: { name: 'benchgate', version: '0.0.0' },
		createdAt: '2026-01-01T00:00:00.000Z',
		threshold: 0.05,
		tolerance: 0.025,
		onInconclusive: 'pass',
		base: SIDE,
		head: SIDE,
		warnings: [],
		reproduce: '',
	},
	refused: [],
	ended: 'rounds',
	timing: { totalSeconds: 1, measuringSeconds: 1, loadSeconds: 1, roundsRun: ROUNDS, orchestratorPeakBytes: 1 },
} as const satisfies Omit<Raw, 'plan' | 'rounds' | 'context'> & { readonly context: object };

function tell({ metric, verdict, change, roundSd, warnings }: CellResult): string {
	return `${metric} ${verdict} ${change} (SD ${roundSd}) ${warnings.map(({ code }) => code).join(' ')}`;
}

/** Whether head is blamed for a row without numbers. */
function isBlamed({ warnings }: CellResult): boolean {
	const sides = new Set(warnings.flatMap(({ side }) => side ?? []));
	return sides.has('head') && !sides.has('base');
}

test('a leak, a tail and a slow start are each found', async (t) => {
	const rows = await measure('leak+tail+slow-start');
	t.diagnostic(rows.map(tell).join('; '));
	for (const metric of ['latency-p99', 'memory-after-100k', 'cold-start'] as const) {
		const row = rows.find((one) => one.metric === metric);
		assert.ok(row);
		// A busy machine may leave it open, or make both sides miss the rate, but never makes it harmless.
		const open = row.verdict === 'inconclusive' || (row.verdict === 'invalid' && !isBlamed(row));
		assert.ok(row.verdict === 'regressed' || open, tell(row));
		if (row.change !== null) assert.ok(row.change > 0, tell(row));
	}
});

test('a server against itself is red in no metric', async (t) => {
	const rows = await measure('');
	t.diagnostic(rows.map(tell).join('; '));
	assert.deepEqual(
		rows.map(({ metric }) => metric),
		METRICS,
	);
	assert.deepEqual(
		rows.filter((row) => row.verdict === 'regressed' || isBlamed(row)),
		[],
	);
	for (const { metric, metrics, guards, verdict } of rows) {
		assert.ok(verdict === 'invalid' || metrics[metric]?.base, metric);
		assert.equal(guards === null, metric === 'cold-start' || metric === 'memory-at-rest');
	}
});
