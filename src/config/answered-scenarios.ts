import type { Scenario, ServerSpec } from '../types/config.ts';
import { isHosted } from './hosting.ts';

/**
 * Returns those of a config's scenarios that one of its servers answers. A built-in server answers the built-in scenarios that it does
 * not leave out. A custom server answers the scenarios it lists; without a list those the config defines; when the config defines
 * none, all of them, except for those that start a server in a way of their own.
 */
export function answeredBy(server: ServerSpec, scenarios: readonly Scenario[]): readonly Scenario[] {
	if (server.kind === 'built-in') {
		return scenarios.filter(
			(scenario) =>
				scenario.origin === 'built-in' && isAsked(server, scenario) && reasonLeftOut(server, scenario) === undefined,
		);
	}
	const { scenarios: listed } = server;
	// Only of built-in servers it is known how their program is started.
	const plain = scenarios.filter((scenario) => !isHosted(scenario));
	if (listed) return plain.filter(({ name }) => listed.includes(name));
	const own = plain.filter(({ origin }) => origin === 'config');
	return own.length > 0 ? own : plain;
}

/** Whether anybody wants to know how a server answers a scenario: a preset's page may have no such row. */
export function isAsked(server: ServerSpec, { name }: Pick<Scenario, 'name'>): boolean {
	return server.kind === 'custom' || (server.scenarios?.includes(name) ?? true);
}

/** Returns why a built-in server leaves a built-in scenario out; undefined when it does not. */
export function reasonLeftOut(server: ServerSpec, { name, origin }: Scenario): string | undefined {
	if (server.kind !== 'built-in' || origin !== 'built-in' || server.without === undefined) return undefined;
	return Object.hasOwn(server.without, name) ? server.without[name] : undefined;
}

/**
 * Returns what is wrong with scenarios that were asked for by name, one sentence each: built-in servers leave them out, and no
 * other server answers them. A group may bring such scenarios along; that is no mistake.
 */
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
