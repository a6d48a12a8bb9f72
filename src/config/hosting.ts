/** Scenarios that start a server in a way of their own: which servers can be started so, and which commands take them. */
import type { Scenario } from '../types/config.ts';
import type { Catalogue, CatalogueServer } from './catalogue.ts';

type Hosted = Pick<Scenario, 'workers' | 'inProcess' | 'metrics'>;

/** Returns whether a scenario starts its servers in a way of its own: only a ranking measures it. */
export function isHosted(scenario: Hosted): boolean {
	return scenario.workers !== undefined || scenario.inProcess === true || isWatched(scenario);
}

/** Whether it starts its servers under `node --watch`. */
export function isWatched({ metrics }: Pick<Scenario, 'metrics'>): boolean {
	return metrics?.includes('hot-reload') === true;
}

/** Returns whether a comparison has no use for a scenario: what starts servers in a way of its own, and what rises step by step. */
function isOfRankings(scenario: Scenario): boolean {
	return isHosted(scenario) || scenario.ramp !== undefined;
}

/** Returns why a built-in server cannot be started as a scenario asks for; undefined when it can, or need not. */
function reasonUnhosted(
	{ inProcess, socketOnly = 'it does not say how', unclustered, unwatched }: CatalogueServer,
	scenario: Hosted,
): string | undefined {
	if (scenario.inProcess) return inProcess === undefined ? socketOnly : undefined;
	if (isWatched(scenario)) return unwatched;
	return scenario.workers === undefined ? undefined : unclustered;
}

/** Returns the servers with what they cannot be started as among the scenarios they leave out. */
export function withUnhosted<S extends CatalogueServer>(servers: readonly S[], scenarios: readonly Scenario[]): S[] {
	return servers.map((server) => {
		const reasons = scenarios.flatMap((scenario) => {
			const reason = reasonUnhosted(server, scenario);
			return reason === undefined ? [] : [[scenario.name, reason] as const];
		});
		return reasons.length === 0
			? server
			: { ...server, without: { ...server.without, ...Object.fromEntries(reasons) } };
	});
}

/**
 * Returns what a command that gates takes of the scenarios that were chosen, and what is wrong with those that were named one by one or
 * by their group. The group `all` may bring others along; that is no mistake.
 */
export function withoutHosted(
	scenarios: readonly Scenario[],
	named: readonly string[],
): { readonly scenarios: readonly Scenario[]; readonly problems: readonly string[] } {
	const refused = scenarios.filter(
		(scenario) =>
			isOfRankings(scenario) &&
			[scenario.name, ...scenario.groups].some((name) => name !== 'all' && named.includes(name)),
	);
	return {
		scenarios: scenarios.filter((scenario) => !isOfRankings(scenario)),
		problems: refused.map((scenario) => `"${scenario.name}" is only for benchgate measure: ${whyNot(scenario)}`),
	};
}

function whyNot(scenario: Scenario): string {
	if (isWatched(scenario)) return 'the code under test would say itself that it has reloaded';
	if (scenario.ramp !== undefined) return 'a comparison loads with one number of connections';
	return scenario.inProcess
		? 'the code under test would count its own answers'
		: 'its worker processes want more CPUs than the one that both sides share';
}

/** Returns the servers that can be asked in process, each with the function that is called. */
export function inProcessServers({ servers }: Catalogue): readonly (readonly [name: string, by: string])[] {
	return servers.flatMap(({ name, inProcess }) => (inProcess === undefined ? [] : [[name, inProcess] as const]));
}

/** Returns the servers that are asked through a socket alone, each with the reason. */
export function socketOnlyServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, socketOnly }) => (socketOnly === undefined ? [] : [[name, socketOnly] as const]));
}

/** Returns the servers that cannot be run in worker processes, each with the reason. */
export function unclusteredServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, unclustered }) => (unclustered === undefined ? [] : [[name, unclustered] as const]));
}

/** Returns the servers whose hot reload cannot be measured, each with the reason. */
export function unwatchedServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, unwatched }) => (unwatched === undefined ? [] : [[name, unwatched] as const]));
}
