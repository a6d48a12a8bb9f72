import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { SIDES } from '../../src/types/units.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture, shortTiming } from '../support/short-rounds.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const timing = shortTiming();

test('one generator measures for several laboratories, with the timing of each, and its remarks are reported once', async () => {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({
		cacheFolder: folder,
		node: process.execPath,
		janitor,
		signal: controller.signal,
	});
	try {
		const config = { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [FIXTURE_SCENARIO] } as const;
		const plan = { ...examplePlan(['express/ping']), timing: timing('duet') };
		const order = planRound(plan, 1, ['express/ping'], 'main');
		const hour = 3_600_000;
		const here = bench.laboratory({
			config,
			prepared: prepareFixture({ base: 'hang-on-sigterm', head: 'hang-on-sigterm' }),
			timing,
		});
		const earlier = bench.laboratory({
			...{
				config,
				prepared: prepareFixture({ base: 'hang-on-sigterm', head: 'hang-on-sigterm' }),
				timing,
				sharesCpu: true,
			},
			startedAt: bench.startedAt - hour,
		});
		for (const [laboratory, least] of [
			[here, 0],
			[earlier, hour / 1000],
		] as const) {
			const round = await laboratory.runRound(order);
			const [cell] = round.cells;
			assert.deepEqual(cell?.faults, []);
			assert.equal(cell?.windows.length, 2);
			for (const side of SIDES) assert.ok(cell.windows.every((window) => (window[side]?.completed ?? 0) > 0));
			assert.ok(round.startedAt >= least && round.startedAt < least + 600, `began at ${round.startedAt}`);
		}
		assert.equal(bench.environment().pinning, bench.affinity.note);
		const codes = bench.warnings().flatMap(({ code }) => (code === 'sibling-thread' ? [] : code));
		assert.deepEqual(codes, ['hung-on-sigterm', 'hung-on-sigterm'], 'one for each side');
	} finally {
		await bench.close();
	}
});

test('only the bench wires a laboratory', () => {
	const files = globSync(['src/**/*.ts', 'evaluation/**/*.ts', 'benchmarks/*.ts'], { cwd: ROOT });
	const users = files.filter((file) => /\bcreateLaboratory\(/.test(readFileSync(`${ROOT}${file}`, 'utf8')));
	assert.deepEqual(users.sort(), ['src/measure/bench.ts', 'src/measure/real-laboratory.ts']);
});
