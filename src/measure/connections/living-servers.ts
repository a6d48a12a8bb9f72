/** Running servers of every lane: possible owners of foreign connections. */
import type { Side } from '../../types/units.ts';

/** A server, with the commands run before and after it. */
export interface Living {
	readonly side: Side;
	readonly port: number;
	/** `NAME=value` in its processes' environment. */
	readonly mark: string;
	/** User of this server alone. */
	readonly uid: number | null;
	pids(): readonly number[];
}

const servers = new Set<Living>();

/** Registers a server until the returned function is called. */
export function noteLiving(server: Living): () => void {
	servers.add(server);
	return () => void servers.delete(server);
}

/** Returns the servers measured beside those at `ports`. */
export function livingBeside(ports: readonly number[]): Living[] {
	return [...servers].filter(({ port }) => !ports.includes(port));
}
