/** Servers that a scenario starts in a way of its own: in worker processes, under `node --watch`, or to be asked without a socket. */
import type { Scenario } from '../../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../types/prepared.ts';
import { SIDES, type Side } from '../../types/units.ts';
import { contentFile } from './time-reload.ts';

/** What runs a built-in server's program, from its folder; all servers are installed beside what they share. */
const HOSTING = '../shared/hosting';
/** What it printed is kept, because it says why a server does not come back. */
const WATCH = ['--watch', '--watch-preserve-output'];

/**
 * Returns `prepared` with the server `name` started as the scenario asks for; as it is when it asks for nothing. With `only` the other
 * side, which nobody loads, stays one process; `folder` is that of the content of servers that are watched. Throws for a server that no program of Node's starts.
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
		const own = prepared.sides[side];
		const server = own.servers[name];
		if (server === undefined || (only !== undefined && only !== side)) return own;
		return { ...own, servers: { ...own.servers, [name]: host(server, side) } };
	};
	const [base, head] = SIDES.map(sideOf) as [PreparedSide, PreparedSide];
	return { ...prepared, sides: { base, head } };
}

function runBy(file: string, server: PreparedServer, options: readonly string[] = []): PreparedServer {
	if (!('argv' in server.run)) throw new Error(`${server.name} is no program of Node's`);
	const [node = '', ...args] = server.run.argv;
	return { ...server, run: { argv: [node, ...options, `${HOSTING}/${file}`, ...args] } };
}
