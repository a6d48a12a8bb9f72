/** Our own connections, and a ledger of closed ones that none of ours explains. */
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

export interface ClosedConnection {
	readonly port: number;
	/** The client's port. */
	readonly peer: number;
	readonly bytes: number;
}

export interface Unexplained {
	readonly connections: number;
	readonly bytes: number;
}

export interface Ledger {
	/** Records our own connection, before or after its end. */
	opened(port: number, peer: number): void;
	closed(connection: ClosedConnection): void;
	/** Returns foreign connections that closed before `until` (by `clock`). */
	unexplained(port: number, until?: number): Unexplained;
	clear(port: number): void;
}

/** A pair of ports opened several times counts as often. */
export function createLedger(clock: () => number): Ledger {
	const credit = new Map<string, number>();
	const pending = new Map<string, { port: number; bytes: number; at: number }[]>();
	const drop = (key: string) => {
		const waiting = pending.get(key);
		if (waiting === undefined) return false;
		waiting.shift();
		if (waiting.length === 0) pending.delete(key);
		return true;
	};
	return {
		opened(port, peer) {
			const key = `${port} ${peer}`;
			if (!drop(key)) credit.set(key, (credit.get(key) ?? 0) + 1);
		},
		closed({ port, peer, bytes }) {
			const key = `${port} ${peer}`;
			const creditLeft = credit.get(key) ?? 0;
			if (creditLeft > 1) credit.set(key, creditLeft - 1);
			else if (creditLeft === 1) credit.delete(key);
			else pending.set(key, [...(pending.get(key) ?? []), { port, bytes, at: clock() }]);
		},
		unexplained(port, until = Number.POSITIVE_INFINITY) {
			const closings = [...pending.values()].flat().filter((one) => one.port === port && one.at <= until);
			return { connections: closings.length, bytes: closings.reduce((sum, { bytes }) => sum + bytes, 0) };
		},
		clear(port) {
			for (const [key, [first]] of pending) if (first?.port === port) pending.delete(key);
		},
	};
}
