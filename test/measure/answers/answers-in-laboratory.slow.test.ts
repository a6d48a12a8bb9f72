/** Answers of real processes: values that vary between base processes, tokens that expire, overload on both sides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBench } from '../../../src/measure/bench.ts';
import { planRound } from '../../../src/plan/plan-round.ts';
import type { Design, Scenario } from '../../../src/types/config.ts';
import { examplePlan } from '../../plan/example-plan.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, prepareFixture, shortTiming } from '../../support/short-rounds.ts';

interface Asked {
	readonly base: string;
	readonly head: string;
	readonly scenario?: Partial<Scenario>;
	readonly design?: Design;
	readonly windowSeconds?: number;
	readonly rounds?: number;
}

/** Cells refused before load, and the faults of each round. */
async function look({ base, head, scenario, design = 'duet', windowSeconds = 0.1, rounds = 1 }: Asked) {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const timing = shortTiming({ windowSeconds });
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [{ ...FIXTURE_SCENARIO, ...scenario }] },
			prepared: prepareFixture({ base, head }),
			timing,
		});
		const plan = { ...examplePlan(['express/ping']), design, timing: timing(design) };
		const refused = (await laboratory.verify('express', plan.cells)).map(({ fault }) => fault.message);
		const seen = [];
		for (let round = 1; round <= rounds && refused.length === 0; round++) {
			const { cells } = await laboratory.runRound(planRound(plan, round, ['express/ping'], 'main'));
			seen.push(...cells);
		}
		return { refused, faults: seen.flatMap(({ faults }) => faults), cells: seen };
	} finally {
		await bench.close();
	}
}

test('the number of a process and its address are no difference, before load and in each round', async () => {
	const { refused, faults, cells } = await look({ base: 'pid', head: 'pid', rounds: 2 });
	assert.deepEqual([refused, faults, cells.length], [[], [], 2]);
});

test('a head that lacks the part in which two processes of base differ is refused', async () => {
	const { refused } = await look({ base: 'pid', head: '' });
	assert.match(
		refused[0] ?? '',
		/base and head disagree on GET \/ping: body at \$\.pid is \d+ on base but nothing on head/,
	);
});

test('behaviour of both sides under load alone is remarked', async () => {
	const { faults, cells } = await look({
		...{ base: 'pool-of-one', head: 'pool-of-one' },
		scenario: { expect: { status: [200] }, load: { connections: 8, pipelining: 1 } },
	});
	assert.deepEqual(faults, []);
	assert.match(
		cells[0]?.remarks?.[0]?.message ?? '',
		/"\{\\"error\\":\\"no connection\\"\}"\. .*expect: json: \{ ok: <any> \}\.$/,
	);
});

for (const design of ['duet', 'alternating'] as const) {
	test(`a token that expires during a turn is learnt again: ${design}`, async () => {
		const learn = {
			request: { method: 'GET', path: '/login', headers: {} },
			expect: { status: [200] },
			...{ from: { json: '$.token' }, sendAs: 'authorization' },
		};
		const { refused, faults, cells } = await look({
			...{ base: 'session', head: 'session', design, windowSeconds: 2 },
			scenario: { learn },
		});
		assert.deepEqual([refused, faults], [[], []]);
		// The run outlasted a token, and every answer was right.
		const counted = cells[0]?.windows ?? [];
		assert.ok(counted.length >= 2);
		for (const { base, head } of counted) assert.deepEqual([base?.unexpected ?? 0, head?.unexpected ?? 0], [0, 0]);
	});
}
