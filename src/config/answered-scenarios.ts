import type { Scenario, ServerSpec } from '../types/config.ts';
import { isHosted } from './hosting.ts';

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
