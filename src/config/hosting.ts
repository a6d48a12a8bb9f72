/** Scenarios with a special start of servers: which servers and commands support them. */
import type { Scenario } from '../types/config.ts';
import type { Catalogue, CatalogueServer } from './catalogue.ts';

type Hosted = Pick<Scenario, 'workers' | 'inProcess' | 'metrics'>;

/** Whether servers start in a special way, which only rankings measure. */
export function isHosted(scenario: Hosted): boolean {
	return scenario.workers !== undefined || scenario.inProcess === true || isWatched(scenario);
}

export function isWatched({ metrics }: Pick<Scenario, 'metrics'>): boolean {
	return metrics?.includes('hot-reload') === true;
}

/** Comparisons cannot measure special starts or ramps. */
export function isOfRankings(scenario: Scenario): boolean {
	return isHosted(scenario) || scenario.ramp !== undefined;
}

function reasonUnhosted(
	{ inProcess, socketOnly = 'it does not say how', unclustered, unwatched }: CatalogueServer,
	scenario: Hosted,
): string | undefined {
	if (scenario.inProcess) return inProcess === undefined ? socketOnly : undefined;
	if (isWatched(scenario)) return unwatched;
	return scenario.workers === undefined ? undefined : unclustered;
}

/** Returns the servers with unsupported scenarios added to those they leave out. */
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
 * Returns the scenarios that a gating command can measure, and problems of named others. Those that came with `all` are
 * no mistake.
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
	if (isWatched(scenario)) return 'the code under test would itself report that it has reloaded';
	if (scenario.ramp !== undefined) return 'a comparison loads with one number of connections';
	return scenario.inProcess
		? 'the code under test would count its own answers'
		: 'its worker processes want more CPUs than the one that both sides share';
}

export function inProcessServers({ servers }: Catalogue): readonly (readonly [name: string, by: string])[] {
	return servers.flatMap(({ name, inProcess }) => (inProcess === undefined ? [] : [[name, inProcess] as const]));
}

export function socketOnlyServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, socketOnly }) => (socketOnly === undefined ? [] : [[name, socketOnly] as const]));
}

export function unclusteredServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, unclustered }) => (unclustered === undefined ? [] : [[name, unclustered] as const]));
}

export function unwatchedServers({ servers }: Catalogue): readonly (readonly [name: string, reason: string])[] {
	return servers.flatMap(({ name, unwatched }) => (unwatched === undefined ? [] : [[name, unwatched] as const]));
}
