/** The servers that this process runs at the moment, those of every lane: whose a connection is that neither side of a pair opened. */
import type { Side } from '../../types/units.ts';

/** A server, with the commands that are run before and after it. */
export interface Living {
	readonly side: Side;
	readonly port: number;
	/** What the environment of its processes holds, `NAME=value`. */
	readonly mark: string;
	/** The user that runs it and nothing else; null when there is none. */
	readonly uid: number | null;
	/** Processes that were started for it. */
	pids(): readonly number[];
}

const servers = new Set<Living>();

/** Remembers a server until the returned function is called. */
export function noteLiving(server: Living): () => void {
	servers.add(server);
	return () => void servers.delete(server);
}

/** Returns the servers that are measured beside those at `ports`. */
export function livingBeside(ports: readonly number[]): Living[] {
	return [...servers].filter(({ port }) => !ports.includes(port));
}
