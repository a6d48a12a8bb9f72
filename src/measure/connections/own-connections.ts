/** What this process itself connects to servers under test with: to see whether they listen, and to ask them. */
import type { Socket } from 'node:net';

type Listener = (port: number, peer: number) => void;

const listeners = new Set<Listener>();

/** Tells of `socket`, which is about to connect to a server under test at `port`, that it is ours. */
export function noteOwn(socket: Socket, port: number): void {
	let peer: number | undefined;
	let refused = false;
	// Node connects to an address at the next tick, and knows no port of its own any more when it is closed.
	process.nextTick(() => {
		peer = socket.localPort;
	});
	socket.once('error', (error: NodeJS.ErrnoException) => {
		refused = error.code === 'ECONNREFUSED';
	});
	const tell = () => {
		if (peer !== undefined) for (const listener of listeners) listener(port, peer);
		peer = undefined;
	};
	socket.once('connect', () => {
		peer = socket.localPort;
		tell();
	});
	// The kernel may have opened a connection that was given up before it was reported.
	socket.once('close', () => {
		if (!refused) tell();
	});
}

/** Calls `listener` with the server's and our own port of each such connection until the returned function is called. */
export function onOwnConnection(listener: Listener): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
