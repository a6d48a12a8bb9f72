import type { Scenario } from '../types/config.ts';

/** A server that comes with benchgate. */
export interface CatalogueServer {
	/** Folder name under `servers/`. */
	readonly name: string;
	readonly description: string;
	/** Names of the packages it depends on; a subject replaces one of them. */
	readonly dependencies: readonly string[];
	/** Names of all packages its lockfile installs, those of its dependencies included. */
	readonly installed?: ReadonlySet<string>;
	/** Pinned version of each dependency. */
	readonly versions?: Readonly<Record<string, string>>;
	/** Built-in scenarios it does not answer, each with the reason; absent when it answers all. */
	readonly without?: Readonly<Record<string, string>>;
}

/** Everything built in that a config can name. */
export interface Catalogue {
	readonly servers: readonly CatalogueServer[];
	readonly scenarios: readonly Scenario[];
}

/** Returns the groups a config can name: `all`, and every group of a scenario, in order of first use. */
export function groupNames(catalogue: Catalogue): string[] {
	return [...new Set(['core', 'all', ...catalogue.scenarios.flatMap((scenario) => scenario.groups)])];
}

/** Returns the names of the scenarios of a group, in catalogue order; undefined when `group` is no group. */
export function scenariosOfGroup(group: string, catalogue: Catalogue): string[] | undefined {
	if (!groupNames(catalogue).includes(group)) return undefined;
	const members = catalogue.scenarios.filter((scenario) => group === 'all' || scenario.groups.includes(group));
	return members.map((scenario) => scenario.name);
}

/**
 * Returns the names of the servers that run a package: those that depend on it themselves, then those that have it further
 * down in their tree, each in catalogue order. Empty when none does.
 */
export function serversUsing(packageName: string, { servers }: Catalogue): string[] {
	const direct = servers.filter(({ dependencies }) => dependencies.includes(packageName));
	const below = servers.filter((server) => !direct.includes(server) && server.installed?.has(packageName));
	return [...direct, ...below].map(({ name }) => name);
}
