/** Steps of a ramp, which measures a scenario once per number of connections. */
import type { Config, Scenario, ServerSpec } from '../../types/config.ts';

/** Like `ping@50`. */
const STEP = /^(.+)@(\d+)$/;

export function nameStep(scenario: string, connections: number): string {
	return `${scenario}@${connections}`;
}

/** Parses the output of `nameStep`; null for other names. */
export function readStep(name: string): { readonly scenario: string; readonly connections: number } | null {
	const [, scenario, connections] = STEP.exec(name) ?? [];
	return scenario === undefined ? null : { scenario, connections: Number(connections) };
}

/**
 * Returns scenarios once per number of connections, for every server that answers them. The numbers are `rampSteps`, or
 * else the scenario's own ramp.
 */
export function expandRamp(config: Config, rampSteps: readonly number[]): Config {
	const stepsOf = (scenario: Scenario | undefined) => (rampSteps.length > 0 ? rampSteps : (scenario?.ramp ?? []));
	const scenarios = config.scenarios.flatMap((whole) => {
		const steps = stepsOf(whole);
		const { ramp: _, ...scenario } = whole;
		if (steps.length === 0) return [scenario];
		return steps.map((connections) => ({
			...scenario,
			name: nameStep(scenario.name, connections),
			load: { ...scenario.load, connections },
		}));
	});
	const namesOf = (name: string): readonly string[] => {
		const steps = stepsOf(config.scenarios.find((scenario) => scenario.name === name));
		return steps.length === 0 ? [name] : steps.map((step) => nameStep(name, step));
	};
	const expand = (server: ServerSpec): ServerSpec => {
		if (server.kind === 'built-in') {
			const { without, scenarios: scenarioNames } = server;
			const all = Object.entries(without ?? {}).flatMap(([name, reason]) =>
				namesOf(name).map((step) => [step, reason]),
			);
			return {
				...server,
				...(without && { without: Object.fromEntries(all) }),
				...(scenarioNames && { scenarios: scenarioNames.flatMap(namesOf) }),
			};
		}
		const { scenarios: named } = server;
		return named === undefined ? server : { ...server, scenarios: named.flatMap(namesOf) };
	};
	return { ...config, scenarios, servers: config.servers.map(expand) };
}
