/** Which servers and commands measure which scenarios. Some need a special start of servers. */
import type { Scenario, ServerSpec } from '../types/config.ts';
import type { Catalogue, CatalogueServer } from './catalogue.ts';

/**
 * Returns the scenarios a server answers: a built-in one those it does not leave out; a custom one those it lists, else
 * those of the config, else all without a special start.
 */
export function answeredBy(server: ServerSpec, scenarios: readonly Scenario[]): readonly Scenario[] {
	if (server.kind === 'built-in') {
		return scenarios.filter(
			(scenario) =>
				scenario.origin === 'built-in' && isAsked(server, scenario) && reasonLeftOut(server, scenario) === undefined,
		);
	}
	const { scenarios: listed } = server;
	// Only built-in servers have a known start.
	const plain = scenarios.filter((scenario) => !isHosted(scenario));
	if (listed) return plain.filter(({ name }) => listed.includes(name));
	const configScenarios = plain.filter(({ origin }) => origin === 'config');
	return configScenarios.length > 0 ? configScenarios : plain;
}

/** A preset's page may lack the scenario. */
export function isAsked(server: ServerSpec, { name }: Pick<Scenario, 'name'>): boolean {
	return server.kind === 'custom' || (server.scenarios?.includes(name) ?? true);
}

export function reasonLeftOut(server: ServerSpec, { name, origin }: Scenario): string | undefined {
	if (server.kind !== 'built-in' || origin !== 'built-in' || server.without === undefined) return undefined;
	return Object.hasOwn(server.without, name) ? server.without[name] : undefined;
}

/** Returns a sentence for each scenario named by itself that built-in servers leave out and no other answers. */
export function findUnanswered(
	names: readonly string[],
	servers: readonly ServerSpec[],
	scenarios: readonly Scenario[],
): string[] {
	const answered = new Set(servers.flatMap((server) => answeredBy(server, scenarios)));
	return scenarios
		.filter((scenario) => names.includes(scenario.name) && !answered.has(scenario))
		.flatMap((scenario) => {
			const reasons = servers.flatMap((server) => {
				const reason = reasonLeftOut(server, scenario);
				return reason === undefined ? [] : [`${server.name} leaves it out (${reason})`];
			});
			return reasons.length === 0 ? [] : [`no chosen server answers "${scenario.name}": ${reasons.join(', ')}`];
		});
}

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
