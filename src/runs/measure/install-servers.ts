/** Every server that is asked for, installed where that can be done, and with the reason where it cannot. */
import { BUILTIN_RULES } from '../../measure/pair.ts';
import { preparePinned } from '../../prepare/prepare-pinned.ts';
import { type PrepareContext, prepareSides } from '../../prepare/prepare-sides.ts';
import type { Config, CustomServer, ServerSpec } from '../../types/config.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { MeasuredServer } from '../../types/measure.ts';
import type { PreparedServer } from '../../types/prepared.ts';
import type { Warning } from '../../types/units.ts';

/** What the catalogue says of a server. */
export interface ServerFacts {
	readonly description: string;
	/** Packages it names itself. */
	readonly direct: readonly string[];
}

export interface InstalledServers {
	readonly prepared: ReadonlyMap<string, PreparedServer>;
	readonly servers: readonly MeasuredServer[];
	readonly warnings: readonly Warning[];
}

/** Errors that say a server cannot run here at all; any other means that it could not be installed now. */
const UNSUPPORTED = /unsupported/;

/**
 * Installs the built-in servers with their pinned dependencies, and prepares those of the config in copies of the folder that
 * benchgate was started in. One that fails has no part in the run, and its reason in the report. Throws when `context.signal` aborts.
 */
export async function installServers(
	config: Config,
	factsOf: (server: string) => ServerFacts,
	context: PrepareContext,
): Promise<InstalledServers> {
	const prepared = new Map<string, PreparedServer>();
	const servers: MeasuredServer[] = [];
	const warnings: Warning[] = [];
	for (const server of config.servers) {
		const tried = await attempt(context, async () => {
			const made = await prepareOne({ ...config, servers: [server] }, server, context);
			warnings.push(...made.warnings);
			return made.server;
		});
		if (!isUserError(tried)) prepared.set(server.name, { ...tried, starting: startingOf(server) });
		servers.push(describe(server, factsOf(server.name), tried));
	}
	return { prepared, servers, warnings };
}

async function prepareOne(config: Config, server: ServerSpec, context: PrepareContext) {
	const folder = `dir:${context.cwd}`;
	const { sides, warnings } =
		server.kind === 'built-in'
			? await preparePinned(config, context)
			: await prepareSides(config, { base: folder, head: folder }, context);
	const made = sides.head.servers[server.name];
	if (made === undefined) throw new Error(`${server.name} was not prepared`);
	return { server: made, warnings };
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
	{ description, direct }: ServerFacts,
	tried: PreparedServer | UserError,
): MeasuredServer {
	const known = { name, description: kind === 'custom' ? 'of the config' : description };
	if (!isUserError(tried)) {
		return { ...known, state: 'installed', reason: null, versions: tried.versions, direct: tried.direct ?? direct };
	}
	const { code, message, remedy } = tried;
	return {
		...known,
		state: UNSUPPORTED.test(code) ? 'unsupported' : 'not-installed',
		reason: remedy === undefined ? message : `${message}; ${remedy}`,
		versions: {},
		direct,
	};
}
