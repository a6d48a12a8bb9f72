import type { Scenario } from '../types/config.ts';

/** A built-in server. An absent optional field restricts nothing. */
export interface CatalogueServer {
	readonly name: string;
	readonly description: string;
	/** Direct dependencies; a subject replaces one of them. */
	readonly dependencies: readonly string[];
	/** All packages of its lockfile. */
	readonly installed?: ReadonlySet<string>;
	readonly versions?: Readonly<Record<string, string>>;
	/** Built-in scenarios it does not answer → reason; in package.json also groups. */
	readonly without?: Readonly<Record<string, string>>;
	/** Built-in scenario → sentence that explains its figures; by default those of `code`. */
	readonly remarks?: Readonly<Record<string, string>>;
	/** Packages whose comparison selects this server; by default every dependency. */
	readonly about?: readonly string[];
	/** Range of Node versions, as in `engines`. */
	readonly node?: string;
	/** Runtime it needs if no other is requested: `bun`, `node@20`. */
	readonly runtime?: string;
	/** Oldest GNU C library for its binaries: `2.38`. */
	readonly glibc?: string;
	/** Server whose program it runs with other dependencies, and perhaps some other files. */
	readonly code?: string;
	/** External programs of its build or start, such as `go`. */
	readonly programs?: readonly string[];
	/** Function that answers without a socket: `app.inject`. */
	readonly inProcess?: string;
	/** Why it is not called without a socket. */
	readonly socketOnly?: string;
	/** Why node:cluster cannot run it in worker processes. */
	readonly unclustered?: string;
	/** Why its hot reload under node --watch cannot be measured. */
	readonly unwatched?: string;
	/** Packages that some registries lack, so no lockfile pins it. */
	readonly unserved?: readonly string[];
}

export interface Catalogue {
	readonly servers: readonly CatalogueServer[];
	readonly scenarios: readonly Scenario[];
}

/** Group whose members depend on the subject. */
export const AUTO = 'auto';

export function groupNames(catalogue: Catalogue): string[] {
	return [...new Set(['core', AUTO, 'all', ...catalogue.scenarios.flatMap((scenario) => scenario.groups)])];
}

/** Returns the servers with each group they leave out replaced by its scenarios. */
export function withoutGroups<S extends CatalogueServer>(servers: readonly S[], scenarios: readonly Scenario[]): S[] {
	return servers.map((server) => {
		if (server.without === undefined) return server;
		const without = Object.entries(server.without).flatMap(([name, reason]) => {
			const members = scenarios.filter(({ groups }) => groups.includes(name));
			return members.length === 0 ? [[name, reason]] : members.map((member) => [member.name, reason]);
		});
		return { ...server, without: Object.fromEntries(without) };
	});
}

export function scenariosOfGroup(group: string, catalogue: Catalogue): string[] | undefined {
	if (!groupNames(catalogue).includes(group)) return undefined;
	const members = catalogue.scenarios.filter((scenario) => group === 'all' || scenario.groups.includes(group));
	return members.map((scenario) => scenario.name);
}

/**
 * Returns the servers that a comparison of a package loads by default: direct dependents, then indirect ones, each in
 * catalogue order. A server with `about` is loaded only for those packages.
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

export function hasPackage(server: CatalogueServer, packageName: string): boolean {
	const { dependencies, installed, unserved } = server;
	return [dependencies, unserved].some((names) => names?.includes(packageName)) || !!installed?.has(packageName);
}

/** Returns remarks by scenario: the server's own, else those of its program. Empty with packages not pinned. */
export function remarksOf(
	{ remarks, code, dependencies }: CatalogueServer,
	{ servers }: Catalogue,
	packages: readonly { readonly name: string }[] = [],
): Readonly<Record<string, string>> {
	if (packages.some(({ name }) => dependencies.includes(name))) return {};
	return remarks ?? servers.find(({ name }) => name === code)?.remarks ?? {};
}

/** Returns the package that a server is about: the declared one, or else its namesake. */
export function frameworkName({ name, about, dependencies }: CatalogueServer): string | undefined {
	return about?.[0] ?? [name, `@${name}/core`].find((candidate) => dependencies.includes(candidate));
}
