import type { Socket } from 'node:net';

type Listener = (port: number, peer: number) => void;

const listeners = new Set<Listener>();

/** Reports `socket`, which is about to connect to server port `port`, as ours. */
export function noteOwn(socket: Socket, port: number): void {
	let peer: number | undefined;
	let refused = false;
	// Node connects at the next tick, and a closed socket has no local port.
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
	// The kernel may have opened it before `connect`.
	socket.once('close', () => {
		if (!refused) tell();
	});
}

export function onOwnConnection(listener: Listener): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}
