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
	/** What explains its figures in a built-in scenario, a sentence each; those of `code` when absent. */
	readonly remarks?: Readonly<Record<string, string>>;
	/** Packages whose comparison selects it by itself; absent where every one of its dependencies does. */
	readonly about?: readonly string[];
	/** Range of Node versions it runs on, as in `engines`; absent when it runs on every one that benchgate supports. */
	readonly node?: string;
	/** Runtime it needs when none is asked for: `bun`, `node@20`; absent when the Node at hand does. */
	readonly runtime?: string;
	/** Oldest GNU C library its binaries run with: `2.38`; absent when any does. */
	readonly glibc?: string;
	/** Name of the server whose program it runs, with dependencies (and maybe some files) of its own; absent when it has one. */
	readonly code?: string;
	/** Programs outside of its folder that build or start it, such as `go`; absent when there are none. */
	readonly programs?: readonly string[];
	/** The function its program is asked by without a socket: `app.inject`; absent when there is none. */
	readonly inProcess?: string;
	/** Why it is not asked without a socket; absent when it is. */
	readonly socketOnly?: string;
	/** Why node:cluster cannot run it in worker processes; absent when it can. */
	readonly unclustered?: string;
	/** Why its hot reload cannot be measured, under node --watch and by node:http; absent when it can. */
	readonly unwatched?: string;
	/** Packages of its tree that some registries do not serve, so that no lockfile pins it; absent where one does. */
	readonly unserved?: readonly string[];
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
 * Returns the names of the servers that a comparison of a package loads by itself: those that depend on it, then those that
 * have it further down in their tree, each in catalogue order. One that says what it is about is taken for that alone. Empty
 * when there is none.
 */
export function serversUsing(packageName: string, { servers }: Catalogue): string[] {
	const direct = servers.filter(({ dependencies, about = dependencies }) => about.includes(packageName));
	const below = servers.filter(
		(server) => !direct.includes(server) && server.about === undefined && server.installed?.has(packageName),
	);
	return [...direct, ...below].map(({ name }) => name);
}

/** Returns the names of the servers that are measured when none is named and there is no subject, in catalogue order. */
export function generalServers({ servers }: Catalogue): string[] {
	return servers.filter(({ about }) => about === undefined).map(({ name }) => name);
}

/** Returns whether a server has a package anywhere in its tree, as far as that is known. */
export function hasPackage(server: CatalogueServer, packageName: string): boolean {
	const { dependencies, installed, unserved } = server;
	return [dependencies, unserved].some((names) => names?.includes(packageName)) || !!installed?.has(packageName);
}

/**
 * Returns what explains the figures of a server, by scenario: what it says, else what the server says whose program it runs. That is
 * true of the packages it pins, so there is nothing where it was `given` others.
 */
export function remarksOf(
	{ remarks, code, dependencies }: CatalogueServer,
	{ servers }: Catalogue,
	given: readonly { readonly name: string }[] = [],
): Readonly<Record<string, string>> {
	if (given.some(({ name }) => dependencies.includes(name))) return {};
	return remarks ?? servers.find(({ name }) => name === code)?.remarks ?? {};
}

/** Returns the name of the package a server is about: what it says, else the one it is named after; undefined for none. */
export function frameworkName({ name, about, dependencies }: CatalogueServer): string | undefined {
	return about?.[0] ?? [name, `@${name}/core`].find((candidate) => dependencies.includes(candidate));
}
