/** Starts servers in worker processes, under `node --watch`, or for calls without a socket. */
import type { Scenario } from '../../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../types/prepared.ts';
import { SIDES, type Side } from '../../types/units.ts';
import { contentFile } from './time-reload.ts';

/** Relative to a built-in server's folder: all servers are installed beside `shared`. */
const HOSTING = '../shared/hosting';
/** The preserved output explains why a server does not come back. */
const WATCH = ['--watch', '--watch-preserve-output'];

/**
 * Returns `prepared` with the server `name` started as the scenario requires. With `only`, the other side stays one
 * process. `folder` contains the content of watched servers. Throws if it is not a Node program.
 */
export function hostServer(
	prepared: Prepared,
	name: string,
	{ workers, inProcess, metrics }: Pick<Scenario, 'workers' | 'inProcess' | 'metrics'>,
	{ only, folder }: { readonly only?: Side | undefined; readonly folder: string },
): Prepared {
	const isWatched = metrics?.includes('hot-reload') === true;
	if (workers === undefined && !inProcess && !isWatched) return prepared;
	const host = (server: PreparedServer, side: Side): PreparedServer => {
		if (isWatched) {
			const env = { ...server.env, NODE_ENV: 'development', CONTENT: contentFile(folder, side) };
			return { ...runBy('hot-reload.mjs', server, WATCH), env };
		}
		if (workers === undefined) return runBy('in-process.mjs', server);
		return { ...runBy('cluster.mjs', server), env: { ...server.env, WORKERS: String(workers) }, takesAllCpus: true };
	};
	const sideOf = (side: Side): PreparedSide => {
		const preparedSide = prepared.sides[side];
		const server = preparedSide.servers[name];
		if (server === undefined || (only !== undefined && only !== side)) return preparedSide;
		return { ...preparedSide, servers: { ...preparedSide.servers, [name]: host(server, side) } };
	};
	const [base, head] = SIDES.map(sideOf) as [PreparedSide, PreparedSide];
	return { ...prepared, sides: { base, head } };
}

function runBy(file: string, server: PreparedServer, options: readonly string[] = []): PreparedServer {
	if (!('argv' in server.run)) throw new Error(`${server.name} is no program of Node's`);
	const [node = '', ...args] = server.run.argv;
	return { ...server, run: { argv: [node, ...options, `${HOSTING}/${file}`, ...args] } };
}
