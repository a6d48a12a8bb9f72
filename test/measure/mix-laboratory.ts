/** A mix in a real laboratory, for its fast and its slow tests. */
import { openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { planTraffic } from '../../src/plan/traffic.ts';
import type { LoadedRequest, Scenario } from '../../src/types/config.ts';
import type { Fault } from '../../src/types/round.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { createBench } from '../support/servers/servers.ts';
import { prepareFixture, shortTiming } from '../support/short-rounds.ts';

/** Returns a request of a mix that is answered with 200. */
export const loaded = (
	weight: number,
	method: string,
	path: string,
	rest: object = {},
	json?: unknown,
): LoadedRequest => ({
	weight,
	request: { method, path, headers: {}, ...rest },
	expect: { status: [200], ...(json !== undefined && { json }) },
});

/** Three requests of unequal weight, two of them filled from thirty rows. */
export const SHOP: Scenario = {
	...builtinScenario('shop'),
	mix: [
		loaded(6, 'GET', '/users/{{id}}', {}, { id: '{{id}}' }),
		loaded(3, 'GET', '/list', {}, { ok: true }),
		loaded(1, 'POST', '/orders', { body: '{"user":"{{id}}"}', bodyKind: 'json' }, { ok: true }),
	],
	data: { file: 'users.csv', rows: Array.from({ length: 30 }, (_, index) => ({ id: String(index + 1) })) },
	load: { connections: 4, pipelining: 1 },
};

interface Seen {
	readonly refused: readonly Fault[];
	readonly loaded: readonly Fault[] | null;
}

/** One answer in 32 is inspected: a busy machine may need some rounds until a wrong one is among them. */
const MOST_ROUNDS = 10;

/** The outcome of a mix in a laboratory, with a head of this behaviour. */
export async function look(head: string, scenario = SHOP): Promise<Seen> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const timing = shortTiming({ leastSeconds: 0.2, windowSeconds: 1 });
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [scenario] },
			prepared: prepareFixture({ base: '', head }),
			timing,
			traffic: (one) => planTraffic(one, 5),
		});
		const plan = { ...examplePlan(['express/shop']), timing: timing('duet') };
		const refused = (await laboratory.verify('express', plan.cells)).map(({ fault }) => fault);
		if (refused.length > 0) return { refused, loaded: null };
		for (let round = 1; round <= MOST_ROUNDS; round++) {
			const { cells } = await laboratory.runRound(planRound(plan, round, ['express/shop'], 'main'));
			const faults = cells[0]?.faults ?? [];
			if (head === '' || faults.length > 0) return { refused, loaded: faults };
		}
		return { refused, loaded: [] };
	} finally {
		await bench.close();
	}
}
