/** Installs the servers of a ranking, or records why they cannot be installed. */
import { readEntry } from '../../config/ranking/runtime-entries.ts';
import { BUILTIN_RULES } from '../../measure/pair.ts';
import { findRuntimes } from '../../prepare/find-runtimes.ts';
import { checkPackages } from '../../prepare/package/overrides.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import { type PrepareContext, type PreparedAlone, prepareAlone } from '../../prepare/prepare-sides.ts';
import { nameRuntime, readRuntime, writeRuntime } from '../../text/runtime-words.ts';
import {
	type Config,
	type CustomServer,
	type PackageOverride,
	requestsOf,
	type Scenario,
	type ServerSpec,
} from '../../types/config.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { PreparedServer } from '../../types/prepared.ts';
import type { RankedServer } from '../../types/ranking/ranking.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import type { Warning } from '../../types/units.ts';
import { otherRuntime } from '../verify-pair.ts';

/** Variable that servers/shared/asked-routes.mjs reads. */
const VARIABLE = 'ASKED_PATHS';

export interface ServerFacts {
	readonly description: string;
	readonly direct: readonly string[];
	/** Like `node@20`: used if no other runtime is requested and the current Node does not suffice. */
	readonly runtime?: string | undefined;
	readonly inProcess?: string | undefined;
	readonly remarks?: Readonly<Record<string, string>> | undefined;
}

export interface InstalledServers {
	readonly prepared: ReadonlyMap<string, PreparedServer>;
	readonly servers: readonly RankedServer[];
	readonly warnings: readonly Warning[];
}

/** A server with such an error can never run here. */
const UNSUPPORTED = /unsupported/;

/**
 * Installs built-in servers, and the config's in copies of the working folder. A server that fails takes no part.
 * Throws the abort reason, and UserError for a user's wrong package.
 */
export async function installServers(
	config: Config,
	factsOf: (server: string) => ServerFacts,
	context: PrepareContext,
	pagePackages: readonly string[] = [],
): Promise<InstalledServers> {
	// Packages of a page were checked before.
	const configPackages = config.packages?.filter(({ name }) => !pagePackages.includes(name)) ?? [];
	await checkPackages({ ...config, packages: configPackages }, context);
	const prepared = new Map<string, PreparedServer>();
	const servers: RankedServer[] = [];
	const warnings: Warning[] = [];
	for (const server of config.servers) {
		const facts = factsOf(readEntry(server.name).server);
		const tried = await install(server, facts, { ...config, ...packagesOf(config, facts, pagePackages) }, context);
		if (!isUserError(tried)) {
			warnings.push(...tried.warnings);
			prepared.set(server.name, { ...tried.server, starting: startingOf(server) });
		}
		servers.push(describe(server, facts, isUserError(tried) ? tried : tried.server));
	}
	return { prepared, servers, warnings: [...warnings, ...foreignRuntimes(servers)] };
}

/** Uses the entry's runtime, or else the current Node, or else the Node that the server needs. */
async function install(
	entry: ServerSpec,
	facts: ServerFacts,
	config: Config,
	context: PrepareContext,
): Promise<PreparedAlone | UserError> {
	const { server: name, runtime: entryRuntime } = readEntry(entry.name);
	const on = (runtime: AskedRuntime | null) =>
		attempt(context, () => prepareOn(runtime, { ...entry, name }, config, context));
	const first = await on(entryRuntime);
	const wanted = entryRuntime === null && isUserError(first) && UNSUPPORTED.test(first.code) ? nodeOf(facts) : null;
	if (wanted === null) return first;
	const runtimes = await attempt(context, () => findRuntimes({ ...config, runtime: wanted }, context));
	if (!isUserError(runtimes)) return on(wanted);
	const { code, message, remedy = 'leave the server out' } = runtimes;
	const needs = `it needs ${writeRuntime(wanted)}, which could not be installed`;
	return new UserError({ code, message: `${needs}: ${message}`, remedy });
}

/** A page's package replaces only direct dependencies. */
function packagesOf(
	{ packages }: Config,
	{ direct }: ServerFacts,
	pagePackages: readonly string[],
): Pick<Config, 'packages'> {
	if (packages === undefined) return {};
	return { packages: packages.filter(({ name }) => direct.includes(name) || !pagePackages.includes(name)) };
}

/** A server with a runtime other than Node brings it along. */
function nodeOf({ runtime = '' }: ServerFacts): AskedRuntime | null {
	const serverRuntime = readRuntime(runtime);
	return serverRuntime?.name === 'node' ? serverRuntime : null;
}

async function prepareOn(
	runtime: AskedRuntime | null,
	server: ServerSpec,
	config: Config,
	context: PrepareContext,
): Promise<PreparedAlone> {
	// The runtimes of the config do not apply, because an entry names its own.
	const { runtime: _runtime, baseRuntime: _base, headRuntime: _head, ...rest } = config;
	const entryConfig = runtime === null ? rest : { ...rest, runtime };
	const runtimes = runtime === null ? undefined : await findRuntimes(entryConfig, context);
	if (runtimes === undefined) return prepareOne(server, entryConfig, context);
	const { server: made, warnings } = await prepareOne(server, entryConfig, { ...context, runtimes });
	return { server: { ...made, runtime: runtimes.head }, warnings };
}

async function prepareOne(server: ServerSpec, config: Config, context: PrepareContext): Promise<PreparedAlone> {
	if (server.kind === 'custom') return prepareAlone(server, config, `dir:${context.cwd}`, context);
	const { sides, warnings } = await preparePinned({ ...config, servers: [server] }, context, true);
	const made = sides.head.servers[server.name];
	if (made === undefined) throw new Error(`${server.name} was not prepared`);
	return { server: made, warnings };
}

function foreignRuntimes(servers: readonly RankedServer[]): Warning[] {
	const others = servers.flatMap(({ runtime }) => (runtime && runtime.name !== 'node' ? [nameRuntime(runtime)] : []));
	return [...new Set(others)].map(otherRuntime);
}

async function attempt<T>({ signal }: PrepareContext, act: () => Promise<T>): Promise<T | UserError> {
	try {
		return await act();
	} catch (error) {
		signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		return error;
	}
}

function startingOf(server: ServerSpec): NonNullable<PreparedServer['starting']> {
	return server.kind === 'built-in' ? BUILTIN_RULES : { ready: server.ready, hooks: hooksOf(server) };
}

function hooksOf({ start, stop }: CustomServer): Pick<CustomServer, 'start' | 'stop'> {
	return { ...(start !== undefined && { start }), ...(stop !== undefined && { stop }) };
}

function describe(
	{ name, kind }: ServerSpec,
	{ description, direct, inProcess, remarks = {} }: ServerFacts,
	tried: PreparedServer | UserError,
): RankedServer {
	const about = kind === 'custom' ? 'of the config' : description;
	const commonFields = {
		...{ name, description: about },
		...(inProcess !== undefined && { inProcess }),
		...(Object.keys(remarks).length > 0 && { remarks }),
	};
	if (!isUserError(tried)) {
		const { versions, direct: read = direct, runtime } = tried;
		const on = runtime && { runtime: { name: runtime.name, version: runtime.version } };
		return { ...commonFields, state: 'installed', reason: null, versions, direct: read, ...on };
	}
	const { code, message, remedy } = tried;
	return {
		...commonFields,
		state: UNSUPPORTED.test(code) ? 'unsupported' : 'not-installed',
		reason: remedy === undefined ? message : `${message}; ${remedy}`,
		versions: {},
		direct,
	};
}

/**
 * Passes built-in servers the run's paths. A router that tries one route after the other then has only these, like the
 * program of a published page (decision 0061).
 */
export function tellAskedPaths(
	prepared: ReadonlyMap<string, PreparedServer>,
	servers: readonly ServerSpec[],
	scenarios: readonly Scenario[],
): ReadonlyMap<string, PreparedServer> {
	const paths = [...new Set(scenarios.flatMap(pathsOf))].join(' ');
	const builtIn = new Set(servers.filter(({ kind }) => kind === 'built-in').map(({ name }) => name));
	return new Map(
		[...prepared].map(([name, server]) => [
			name,
			builtIn.has(name) ? { ...server, env: { ...server.env, [VARIABLE]: paths } } : server,
		]),
	);
}

function pathsOf(scenario: Scenario): string[] {
	const requests = [
		...requestsOf(scenario).map(({ request }) => request),
		...scenario.checks.map(({ request }) => request),
		...(scenario.learn ? [scenario.learn.request] : []),
	];
	return requests.map(({ path }) => path);
}

/**
 * Drops `pagePackages` that the registry lacks. Those run as pinned, and the report shows versions. Throws when
 * `context.signal` aborts.
 */
export async function servedPackages(
	config: Config,
	pagePackages: readonly string[],
	context: PrepareContext,
): Promise<readonly PackageOverride[]> {
	const served: PackageOverride[] = [];
	for (const item of config.packages ?? []) {
		if (!pagePackages.includes(item.name) || (await isServed(config, item, context))) served.push(item);
	}
	return served;
}

async function isServed(config: Config, item: PackageOverride, context: PrepareContext): Promise<boolean> {
	try {
		await checkPackages({ ...config, packages: [item] }, context);
		return true;
	} catch (error) {
		context.signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		context.progress.step(`${item.name} ${item.place}, as on the page, cannot be had: ${error.message}`);
		return false;
	}
}
