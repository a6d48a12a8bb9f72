import type { Scenario } from '../types/config.ts';

/** A built-in server. Optional fields are absent without restriction. */
export interface CatalogueServer {
	/** Folder in `servers/`. */
	readonly name: string;
	readonly description: string;
	/** Direct dependencies; a subject replaces one of them. */
	readonly dependencies: readonly string[];
	/** All packages of its lockfile. */
	readonly installed?: ReadonlySet<string>;
	/** Pinned versions of direct dependencies. */
	readonly versions?: Readonly<Record<string, string>>;
	/** Built-in scenarios it does not answer → reason. */
	readonly without?: Readonly<Record<string, string>>;
	/** Built-in scenario → sentence that explains its figures; defaults to those of `code`. */
	readonly remarks?: Readonly<Record<string, string>>;
	/** Packages whose comparison selects it; by default every dependency. */
	readonly about?: readonly string[];
	/** Range of Node versions, as in `engines`. */
	readonly node?: string;
	/** Runtime it needs if no other is requested: `bun`, `node@20`. */
	readonly runtime?: string;
	/** Oldest GNU C library for its binaries: `2.38`. */
	readonly glibc?: string;
	/** Server whose program it runs with other dependencies, and maybe some other files. */
	readonly code?: string;
	/** External programs that build or start it, such as `go`. */
	readonly programs?: readonly string[];
	/** Function that answers without a socket: `app.inject`. */
	readonly inProcess?: string;
	/** Why it is not called without a socket. */
	readonly socketOnly?: string;
	/** Why node:cluster cannot run it in worker processes. */
	readonly unclustered?: string;
	/** Why its hot reload, under node --watch and by node:http, cannot be measured. */
	readonly unwatched?: string;
	/** Packages that some registries lack, so that no lockfile pins it. */
	readonly unserved?: readonly string[];
}

export interface Catalogue {
	readonly servers: readonly CatalogueServer[];
	readonly scenarios: readonly Scenario[];
}

/** Returns `all` and the groups of scenarios, in order of first use. */
export function groupNames(catalogue: Catalogue): string[] {
	return [...new Set(['core', 'all', ...catalogue.scenarios.flatMap((scenario) => scenario.groups)])];
}

/** Returns scenarios of a group in catalogue order; undefined for an unknown group. */
export function scenariosOfGroup(group: string, catalogue: Catalogue): string[] | undefined {
	if (!groupNames(catalogue).includes(group)) return undefined;
	const members = catalogue.scenarios.filter((scenario) => group === 'all' || scenario.groups.includes(group));
	return members.map((scenario) => scenario.name);
}

/**
 * Returns the servers that a comparison of a package loads by default: with direct, then with indirect dependencies on
 * it, each in catalogue order. `about` limits a server to these packages.
 */
export function serversUsing(packageName: string, { servers }: Catalogue): string[] {
	const direct = servers.filter(({ dependencies, about = dependencies }) => about.includes(packageName));
	const below = servers.filter(
		(server) => !direct.includes(server) && server.about === undefined && server.installed?.has(packageName),
	);
	return [...direct, ...below].map(({ name }) => name);
}

/** Returns the servers measured without names or a subject, in catalogue order. */
export function generalServers({ servers }: Catalogue): string[] {
	return servers.filter(({ about }) => about === undefined).map(({ name }) => name);
}

/** Returns whether a server has a package in its known tree. */
export function hasPackage(server: CatalogueServer, packageName: string): boolean {
	const { dependencies, installed, unserved } = server;
	return [dependencies, unserved].some((names) => names?.includes(packageName)) || !!installed?.has(packageName);
}

/**
 * Returns remarks on figures by scenario: the server's own, else those of the server whose program it runs. They hold
 * for pinned packages, so `packages` leave none.
 */
export function remarksOf(
	{ remarks, code, dependencies }: CatalogueServer,
	{ servers }: Catalogue,
	packages: readonly { readonly name: string }[] = [],
): Readonly<Record<string, string>> {
	if (packages.some(({ name }) => dependencies.includes(name))) return {};
	return remarks ?? servers.find(({ name }) => name === code)?.remarks ?? {};
}

/** Returns the package a server is about: declared, else its namesake. */
export function frameworkName({ name, about, dependencies }: CatalogueServer): string | undefined {
	return about?.[0] ?? [name, `@${name}/core`].find((candidate) => dependencies.includes(candidate));
}
