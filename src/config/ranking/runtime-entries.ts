/** Entries of a ranking. An entry is a server on a runtime, like `koa on node@24`. */
import { RUNTIME_PATTERN, readRuntime, writeRuntime } from '../../text/runtime-words.ts';
import type { Config, ServerSpec } from '../../types/config.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import { isWatched } from '../answered-scenarios.ts';
import type { Catalogue } from '../catalogue.ts';

/** Server names contain no spaces. */
const ENTRY = new RegExp(`^(\\S+) on (${RUNTIME_PATTERN.slice(1, -1)})$`);

export interface Entry {
	readonly server: string;
	/** Null when not requested, or when the server brings its own. */
	readonly runtime: AskedRuntime | null;
}

/** Returns `koa on node@24`, or `koa` without a runtime. */
export function nameEntry({ server, runtime }: Entry): string {
	return runtime === null ? server : `${server} on ${writeRuntime(runtime)}`;
}

export function readEntry(name: string): Entry {
	const [, server = name, words = ''] = ENTRY.exec(name) ?? [];
	return { server, runtime: readRuntime(words) ?? null };
}

/** Whether a server runs on requested runtimes; one that is not JavaScript or brings its own takes part once. */
export function takesRuntime({ kind, name }: Pick<ServerSpec, 'kind' | 'name'>, { servers }: Catalogue): boolean {
	if (kind === 'custom') return true;
	const catalogueServer = servers.find((server) => server.name === name);
	return (
		catalogueServer === undefined ||
		((catalogueServer.programs ?? []).length === 0 && catalogueServer.runtime !== 'bun')
	);
}

/** Returns each server once per runtime, in server order; unchanged without runtimes. `more` adds entries. */
export function expandRuntimes(
	config: Config,
	runtimes: readonly AskedRuntime[],
	catalogue: Catalogue,
	more: readonly Entry[] = [],
): Config {
	if (runtimes.length === 0) return config;
	const names = new Set<string>();
	const watched = config.scenarios.filter(isWatched).map(({ name }) => name);
	const servers = config.servers.flatMap((server) => {
		const besides = more.flatMap(({ server: name, runtime }) => (name === server.name && runtime ? [runtime] : []));
		const on = takesRuntime(server, catalogue) ? [...runtimes, ...besides] : [null];
		return on.flatMap((runtime): ServerSpec[] => {
			const name = nameEntry({ server: server.name, runtime });
			if (names.has(name)) return [];
			names.add(name);
			return [{ ...(runtime === null ? server : leaveOut(server, runtime, watched)), name }];
		});
	});
	return { ...config, servers };
}

function leaveOut(server: ServerSpec, { name }: AskedRuntime, watched: readonly string[]): ServerSpec {
	if (server.kind !== 'built-in' || name === 'node') return server;
	const reasons = watched.map((scenario) => [scenario, 'node --watch runs programs of Node alone'] as const);
	return { ...server, without: { ...Object.fromEntries(reasons), ...server.without } };
}

export function entriesOf(names: readonly string[], name: string): readonly string[] {
	return names.includes(name) ? [name] : names.filter((one) => readEntry(one).server === name);
}

/** Pairs wrappers and hosts on the same runtime. A host with one entry serves all entries of its wrapper. */
export function wrapEntries(
	names: readonly string[],
	wraps: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const onOf = (name: string) => nameEntry({ server: '', runtime: readEntry(name).runtime });
	return Object.fromEntries(
		Object.entries(wraps).flatMap(([wrapper, host]) => {
			const hosts = entriesOf(names, host);
			return entriesOf(names, wrapper).flatMap((name) => {
				const hostEntry = hosts.find((one) => onOf(one) === onOf(name)) ?? (hosts.length === 1 ? hosts[0] : undefined);
				return hostEntry === undefined ? [] : [[name, hostEntry]];
			});
		}),
	);
}
