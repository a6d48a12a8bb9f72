import type { Scenario, ServerSpec } from '../types/config.ts';
import { type Catalogue, groupNames, scenariosOfGroup } from './catalogue.ts';
import type { ConfigFile } from './file/config-file.ts';
import type { Complain } from './read-flags.ts';
import { didYouMean } from './suggest.ts';

const DEFAULT_GROUP = 'core';

/**
 * Returns the scenarios to load, each once, in the order they were named: by the flag, else by the file, else by the
 * servers' own lists, with the group `core` for a server that has none. Complains about names that mean nothing.
 */
export function selectScenarios(
	named: readonly string[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	servers: readonly ServerSpec[],
	complain: Complain,
): Scenario[] {
	const own = ownScenarios(file);
	const known = new Map([...own, ...catalogue.scenarios].map((scenario) => [scenario.name, scenario]));
	const listed = file?.scenarios?.map((scenario) => (typeof scenario === 'string' ? scenario : scenario.name));
	const names = named ?? listed ?? servers.flatMap(namesOfServer);
	return expandGroups(names, own, catalogue).flatMap((name) => {
		const scenario = known.get(name);
		if (scenario) return [scenario];
		complain('scenario', `"${name}" is not a scenario${didYouMean(name, [...known.keys(), ...groupNames(catalogue)])}`);
		return [];
	});
}

/** Returns the servers with the groups in their scenario lists replaced by scenario names. */
export function expandScenarioLists(
	servers: readonly ServerSpec[],
	file: ConfigFile | null,
	catalogue: Catalogue,
): ServerSpec[] {
	return servers.map((server) => {
		if (server.kind === 'built-in' || server.scenarios === undefined) return server;
		return { ...server, scenarios: expandGroups(server.scenarios, ownScenarios(file), catalogue) };
	});
}

function namesOfServer(server: ServerSpec): readonly string[] {
	return server.kind === 'custom' && server.scenarios ? server.scenarios : [DEFAULT_GROUP];
}

function ownScenarios(file: ConfigFile | null): Scenario[] {
	return (file?.scenarios ?? []).filter((scenario): scenario is Scenario => typeof scenario !== 'string');
}

/** Names with groups replaced by their members, each once. `all` includes the file's own. */
function expandGroups(names: readonly string[], own: readonly Scenario[], catalogue: Catalogue): string[] {
	const expanded = names.flatMap((name) => {
		const members = scenariosOfGroup(name, catalogue) ?? [name];
		return name === 'all' ? [...own.map((scenario) => scenario.name), ...members] : members;
	});
	return [...new Set(expanded)];
}
