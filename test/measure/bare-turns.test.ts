/** Scenarios of fresh processes, with real ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import type { MetricName } from '../../src/types/metric.ts';
import { SIDES } from '../../src/types/units.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture, shortTiming } from '../support/short-rounds.ts';

const OWN: Readonly<Record<string, readonly MetricName[]>> = {
	startup: ['cold-start', 'reload'],
	footprint: ['memory-at-rest', 'memory-after-100k'],
};

test('a start, a reload and memory are read from processes without other load', async () => {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({
		cacheFolder: folder,
		node: process.execPath,
		janitor,
		vitals: true,
		signal: controller.signal,
	});
	try {
		const timing = shortTiming();
		const scenarios = ['ping', ...Object.keys(OWN)].map((name) => ({
			...FIXTURE_SCENARIO,
			name,
			...(OWN[name] && { metrics: OWN[name] }),
		}));
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios },
			prepared: prepareFixture({ base: '', head: '' }),
			timing,
		});
		const usual = examplePlan(scenarios.map(({ name }) => `express/${name}`));
		const plan = {
			...usual,
			timing: timing('duet'),
			cells: usual.cells.map((cell) => ({
				...cell,
				...(OWN[cell.scenario] && { metrics: OWN[cell.scenario] as never }),
			})),
		};
		const planned = planRound(
			plan,
			1,
			plan.cells.map(({ id }) => id),
			'main',
		);
		// A number that a slow machine answers in a moment.
		const pairs = planned.pairs.map((pair) => ({
			...pair,
			turns: pair.turns.map((turn) => (turn.footprint === undefined ? turn : { ...turn, footprint: 300 })),
		}));
		const { cells } = await laboratory.runRound({ ...planned, pairs });
		const of = (name: string) => {
			const cellRound = cells.find(({ cell }) => cell === `express/${name}`);
			assert.ok(cellRound);
			assert.deepEqual(cellRound.faults, []);
			return cellRound;
		};
		const [ping, startup, footprint] = [of('ping'), of('startup'), of('footprint')];
		assert.deepEqual([ping.windows.length, startup.windows.length, footprint.windows.length], [2, 0, 1]);
		for (const side of SIDES) {
			for (const turn of [ping, startup, footprint]) assert.ok((turn.start?.[side].memory ?? 1) > 0);
			assert.ok((startup.start?.[side].seconds ?? 0) > 0);
			assert.ok((startup.start?.[side].reload ?? 0) > 0);
			assert.equal(ping.start?.[side].reload, undefined);
			assert.ok((footprint.memoryAfter?.[side] ?? 1) > 0);
		}
		assert.equal(startup.memoryAfter, undefined);
		// A probe that makes servers report would lengthen their starts.
		assert.deepEqual(
			[startup.vitals, ping.vitals === undefined, footprint.vitals === undefined],
			[undefined, false, false],
		);
		assert.ok((ping.memoryAfterLoad?.head ?? 0) > 0);
		assert.equal(footprint.memoryAfterLoad, undefined);
		assert.deepEqual(
			laboratory.warnings().filter(({ code }) => code !== 'sibling-thread'),
			[],
		);
	} finally {
		await bench.close();
	}
});
