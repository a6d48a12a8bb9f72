/** Servers on several runtimes: each server on each of them is an entry of the ranking, `koa on node@24`. */
import { RUNTIME_PATTERN, readRuntime, writeRuntime } from '../../text/runtime-words.ts';
import type { Config, ServerSpec } from '../../types/config.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import type { Catalogue } from '../catalogue.ts';
import { isWatched } from '../hosting.ts';

/** No name of a server has a space in it. */
const ENTRY = new RegExp(`^(\\S+) on (${RUNTIME_PATTERN.slice(1, -1)})$`);

/** A server as it takes part: on a runtime, or on what it always runs on. */
export interface Entry {
	/** Its name in the config. */
	readonly server: string;
	/** Null where no runtime was asked for, or the server brings its own. */
	readonly runtime: AskedRuntime | null;
}

/** Returns the name of an entry: `koa on node@24`, or `koa`. */
export function nameEntry({ server, runtime }: Entry): string {
	return runtime === null ? server : `${server} on ${writeRuntime(runtime)}`;
}

/** Returns what `nameEntry` was given. */
export function readEntry(name: string): Entry {
	const [, server = name, words = ''] = ENTRY.exec(name) ?? [];
	return { server, runtime: readRuntime(words) ?? null };
}

/**
 * Returns whether a server runs on any runtime that is asked for. A built-in one that is no JavaScript, or brings its own runtime,
 * is the same on all of them, and takes part once.
 */
export function takesRuntime({ kind, name }: Pick<ServerSpec, 'kind' | 'name'>, { servers }: Catalogue): boolean {
	if (kind === 'custom') return true;
	const known = servers.find((server) => server.name === name);
	return known === undefined || ((known.programs ?? []).length === 0 && known.runtime !== 'bun');
}

/**
 * Returns the config with every server once for each runtime, in the order of the servers; as it is without runtimes. `more` are
 * entries that take part besides.
 */
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

/** Returns a server with what it leaves out because of what it runs on. */
function leaveOut(server: ServerSpec, { name }: AskedRuntime, watched: readonly string[]): ServerSpec {
	if (server.kind !== 'built-in' || name === 'node') return server;
	const reasons = watched.map((scenario) => [scenario, 'node --watch runs programs of Node alone'] as const);
	return { ...server, without: { ...Object.fromEntries(reasons), ...server.without } };
}

/** Returns those of `names` that a name means: itself, or every entry of the server of this name. */
export function entriesOf(names: readonly string[], name: string): readonly string[] {
	return names.includes(name) ? [name] : names.filter((one) => readEntry(one).server === name);
}

/**
 * Returns wrapper and host as entries: those on one runtime belong together, and a host that is the same on all of them belongs to
 * every entry of its wrapper.
 */
export function wrapEntries(
	names: readonly string[],
	wraps: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const onOf = (name: string) => nameEntry({ server: '', runtime: readEntry(name).runtime });
	return Object.fromEntries(
		Object.entries(wraps).flatMap(([wrapper, host]) => {
			const hosts = entriesOf(names, host);
			return entriesOf(names, wrapper).flatMap((name) => {
				const own = hosts.find((one) => onOf(one) === onOf(name)) ?? (hosts.length === 1 ? hosts[0] : undefined);
				return own === undefined ? [] : [[name, own]];
			});
		}),
	);
}
