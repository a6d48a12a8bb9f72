/** Servers that a scenario starts in a way of its own: in worker processes, or to be asked without a socket. */
import type { Scenario } from '../../types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../types/prepared.ts';
import { SIDES, type Side } from '../../types/units.ts';

/** What runs a built-in server's program, from its folder; all servers are installed beside what they share. */
const HOSTING = '../shared/hosting';

/**
 * Returns `prepared` with the server `name` started as the scenario asks for; as it is when it asks for nothing. With `only` the other
 * side, which nobody loads, stays one process. Throws for a server that no program of Node's starts.
 */
export function hostServer(
	prepared: Prepared,
	name: string,
	{ workers, inProcess }: Pick<Scenario, 'workers' | 'inProcess'>,
	only?: Side,
): Prepared {
	if (workers === undefined && !inProcess) return prepared;
	const host = (server: PreparedServer): PreparedServer =>
		workers === undefined
			? runBy('in-process.mjs', server)
			: { ...runBy('cluster.mjs', server), env: { ...server.env, WORKERS: String(workers) }, takesAllCpus: true };
	const sideOf = (side: Side): PreparedSide => {
		const own = prepared.sides[side];
		const server = own.servers[name];
		if (server === undefined || (only !== undefined && only !== side)) return own;
		return { ...own, servers: { ...own.servers, [name]: host(server) } };
	};
	const [base, head] = SIDES.map(sideOf) as [PreparedSide, PreparedSide];
	return { ...prepared, sides: { base, head } };
}

function runBy(file: string, server: PreparedServer): PreparedServer {
	if (!('argv' in server.run)) throw new Error(`${server.name} is no program of Node's`);
	const [node = '', ...args] = server.run.argv;
	return { ...server, run: { argv: [node, `${HOSTING}/${file}`, ...args] } };
}
