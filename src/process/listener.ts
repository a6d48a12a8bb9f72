import { ownersOf } from './processes.ts';
import { LISTEN, readSockets, socketInodesOf } from './socket-table.ts';
import { isRunUser } from './users/run-users.ts';

/**
 * Returns whether one of the processes `pids` owns the socket that listens on `port`, so that nobody else's server is
 * taken for ours; null where the platform does not tell (no /proc). Processes of another user, but one of the run's own, count as
 * not owning it, and
 * where nobody listens any more, somebody else did a moment ago.
 */
export function ownsListener(pids: readonly number[], port: number): boolean | null {
	const sockets = readSockets([port]);
	if (sockets === null) return null;
	const listening = sockets.filter(({ localPort, state }) => localPort === port && state === LISTEN);
	const owned = socketInodesOf(pids);
	// What a process of another user holds cannot be seen, but a user of the run's own is one side's alone.
	return listening.some(({ inode, uid }) => owned.has(inode) || (isRunUser(uid) && ownersOf(pids).has(uid)));
}
