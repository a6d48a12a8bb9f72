import { planRun } from '../../src/plan/plan-run.ts';
import type { Config, CustomServer } from '../../src/types/config.ts';
import type { Cell, Plan } from '../../src/types/plan.ts';
import { builtinScenario } from '../config/example-catalogue.ts';

/** Returns a config of two built-in servers and two built-in scenarios, changed by `changes`. */
export function exampleConfig(changes: Partial<Config> = {}): Config {
	return {
		subject: '.',
		servers: [
			{ kind: 'built-in', name: 'express' },
			{ kind: 'built-in', name: 'koa' },
		],
		scenarios: [builtinScenario('ping'), builtinScenario('json-post')],
		threshold: 0.05,
		tolerance: 0.025,
		prepareTimeoutSeconds: 900,
		budgetSeconds: 600,
		design: 'duet',
		gate: { onInconclusive: 'pass', metrics: ['throughput'] },
		seed: 1,
		...changes,
	};
}

/** Returns a server of the user's own. */
export function customServer(name: string, scenarios?: readonly string[]): CustomServer {
	const server = { kind: 'custom', name, command: './x', cwd: '.', env: {}, ready: { timeoutSeconds: 30 } } as const;
	return scenarios ? { ...server, scenarios } : server;
}

/** Returns cells with the given ids. */
export function cellsOf(...ids: readonly string[]): Cell[] {
	return ids.map((id) => {
		const [server = '', scenario = ''] = id.split('/');
		return { id, server, scenario, threshold: 0.05, tolerance: 0.025 };
	});
}

/** Returns a plan of the cells with the given ids. */
export function examplePlan(ids: readonly string[], changes: Partial<Config> = {}): Plan {
	return planRun(exampleConfig(changes), cellsOf(...ids), []);
}
