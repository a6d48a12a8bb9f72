import { LISTEN, readSockets, socketInodesOf } from './socket-table.ts';

/**
 * Returns whether one of the processes `pids` owns the socket that listens on `port`, so that nobody else's server is
 * taken for ours; null where the platform does not tell (no /proc). Processes of another user count as not owning it, and
 * where nobody listens any more, somebody else did a moment ago.
 */
export function ownsListener(pids: readonly number[], port: number): boolean | null {
	const sockets = readSockets([port]);
	if (sockets === null) return null;
	const listening = sockets.filter(({ localPort, state }) => localPort === port && state === LISTEN);
	const owned = socketInodesOf(pids);
	return listening.some(({ inode }) => owned.has(inode));
}
