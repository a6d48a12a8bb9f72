/** What this process itself connects to servers under test with: to see whether they listen, and to ask them. */
import type { Socket } from 'node:net';

type Listener = (port: number, peer: number) => void;

const listeners = new Set<Listener>();

/** Tells of `socket`, which is about to connect to a server under test, that it is ours. */
export function noteOwn(socket: Socket): void {
	socket.once('connect', () => {
		const { remotePort, localPort } = socket;
		if (remotePort === undefined || localPort === undefined) return;
		for (const listener of listeners) listener(remotePort, localPort);
	});
}

/** Calls `listener` with the server's and our own port of each such connection until the returned function is called. */
export function onOwnConnection(listener: Listener): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
