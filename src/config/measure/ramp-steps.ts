/** The steps of a ramp: every scenario once for each number of connections. */
import type { Config, ServerSpec } from '../../types/config.ts';

/** Parts of the name of a scenario that is loaded with a number of connections of its own: `ping@50`. */
const STEP = /^(.+)@(\d+)$/;

/** Returns the name of a scenario at one step of a ramp. */
export function nameStep(scenario: string, connections: number): string {
	return `${scenario}@${connections}`;
}

/** Returns what `nameStep` was given; null for any other name. */
export function readStep(name: string): { readonly scenario: string; readonly connections: number } | null {
	const [, scenario, connections] = STEP.exec(name) ?? [];
	return scenario === undefined ? null : { scenario, connections: Number(connections) };
}

/** Returns the config with every scenario once for each number of connections, for every server that answers it. */
export function expandRamp(config: Config, steps: readonly number[]): Config {
	if (steps.length === 0) return config;
	const scenarios = config.scenarios.flatMap((scenario) =>
		steps.map((connections) => ({
			...scenario,
			name: nameStep(scenario.name, connections),
			load: { ...scenario.load, connections },
		})),
	);
	const expand = (server: ServerSpec): ServerSpec => {
		if (server.kind === 'built-in') {
			const { without } = server;
			if (without === undefined) return server;
			const all = Object.entries(without).flatMap(([name, reason]) =>
				steps.map((step) => [nameStep(name, step), reason]),
			);
			return { ...server, without: Object.fromEntries(all) };
		}
		const { scenarios: named } = server;
		if (named === undefined) return server;
		return { ...server, scenarios: named.flatMap((name) => steps.map((step) => nameStep(name, step))) };
	};
	return { ...config, scenarios, servers: config.servers.map(expand) };
}
