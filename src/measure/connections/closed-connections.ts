/** Watches closed connections to server ports through `ss --events`, which any user may run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { LATE, within } from '../../process/deadline.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Affinity } from '../affinity.ts';
import { FIRST_PORT, findFreePort, LAST_PORT } from '../ports.ts';
import type { ClosedConnection } from './own-connections.ts';

/** Longest wait for the first report. */
const START_MS = 3_000;
/** For later reports, on a busy machine. */
const SETTLE_MS = 10_000;
const RETRY_MS = 200;
const CLOSE_MS = 1_000;
/** Without stdbuf `ss` buffers its output. */
const COMMAND = ['stdbuf', '-oL', 'ss', '-OHtniE'];
const SERVER_PORTS = `sport >= :${FIRST_PORT} and sport <= :${LAST_PORT}`;

export interface ClosedConnections {
	/** Resolves once earlier closes are reported, or the watcher ended or is late. */
	settle(): Promise<'told' | 'late' | 'ended'>;
	/** How often the kernel had too much to report. */
	readonly losses: number;
	/** Changes after a loss. */
	readonly pid: number;
	close(): Promise<void>;
}

/**
 * Calls `onClosed` for each accepted connection to a server port that ends from now on, or for each of `filter`, with
 * the line of `ss`. Null if `ss` is missing or silent.
 */
export async function watchClosedConnections(
	onClosed: (connection: ClosedConnection, line: string) => void,
	affinity: Affinity,
	janitor: Janitor,
	filter: readonly string[] = [SERVER_PORTS],
): Promise<ClosedConnections | null> {
	if (process.platform !== 'linux') return null;
	const beacon = createServer((socket) =>
		socket
			.on('error', () => {})
			.resume()
			.unref(),
	);
	beacon.listen(await findFreePort(), '127.0.0.1');
	if (
		(await within(
			START_MS,
			once(beacon, 'listening').catch(() => LATE),
		)) === LATE
	)
		return null;
	beacon.unref();
	const beacons = new Map<number, () => void>();
	const port = portOf(beacon);
	let losses = 0;
	let over = false;
	/** Without `ss`, or permission, a restart is useless. */
	let works = false;
	let watcher = watch();
	function watch(): Watcher {
		return startWatcher(affinity.pin('generator', [...COMMAND, ...filter]), janitor, {
			onLine(line) {
				const closed = parseClosed(line);
				if (closed === null) return;
				works = true;
				if (closed.port === port) beacons.get(closed.peer)?.();
				else onClosed(closed, line);
			},
			// Missed closes are lost, but a new watcher reports later ones.
			onComplaint() {
				losses++;
				if (works && !over) watcher = watch();
				else over = true;
			},
			onEnd() {
				over = true;
			},
		});
	}
	const settle = async (milliseconds: number) => {
		const due = performance.now() + milliseconds;
		// The first beacons may precede the watcher.
		while (!over && performance.now() < due) if (await sendBeacon(port, beacons, watcher.ended, RETRY_MS)) return true;
		return false;
	};
	const close = async () => {
		over = true;
		watcher.kill();
		await within(CLOSE_MS, watcher.ended);
		beacon.close();
	};
	if (!(await settle(START_MS))) {
		await close();
		return null;
	}
	return {
		settle: async () => ((await settle(SETTLE_MS)) ? 'told' : over ? 'ended' : 'late'),
		get losses() {
			return losses;
		},
		get pid() {
			return watcher.pid;
		},
		close,
	};
}

interface Watcher {
	readonly pid: number;
	readonly ended: Promise<void>;
	kill(): void;
}

interface WatcherEvents {
	onLine(line: string): void;
	/** `ss` did not start or keep up. */
	onComplaint(): void;
	onEnd(): void;
}

function startWatcher(
	[program = '', ...args]: readonly string[],
	janitor: Janitor,
	{ onLine, onComplaint, onEnd }: WatcherEvents,
): Watcher {
	const child = spawn(program, args, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
	});
	child.unref();
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	createInterface({ input: child.stdout }).on('line', onLine);
	let complained = false;
	child.stderr.on('data', () => {
		complained = true;
	});
	const ended = new Promise<void>((resolve) => {
		child.once('error', () => {
			onEnd();
			resolve();
		});
		// Unlike at `exit`, all output has been read at `close`.
		child.once('close', (_code, signal) => {
			release();
			if (complained && signal === null) onComplaint();
			else onEnd();
			resolve();
		});
	});
	return { pid: child.pid ?? 0, ended, kill: () => void child.kill('SIGKILL') };
}

/** Ends a connection of ours. Returns true once that end is reported. */
async function sendBeacon(
	port: number,
	beacons: Map<number, () => void>,
	ended: Promise<void>,
	milliseconds: number,
): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => {});
	if (
		(await within(
			milliseconds,
			once(socket, 'connect').catch(() => LATE),
		)) === LATE
	) {
		socket.destroy();
		return false;
	}
	const peer = socket.localPort ?? 0;
	const arrival = new Promise<boolean>((resolve) => beacons.set(peer, () => resolve(true)));
	socket.resetAndDestroy();
	try {
		return (await within(milliseconds, Promise.race([arrival, ended.then(() => false)]))) === true;
	} finally {
		beacons.delete(peer);
	}
}

/** Columns: state, queues, local address, remote address, then `name:value`. Null for a listening socket. */
export function parseClosed(line: string): ClosedConnection | null {
	const [, , , local = '', remote = ''] = line.trim().split(/\s+/, 5);
	const port = Number(local.slice(local.lastIndexOf(':') + 1));
	const peer = Number(remote.slice(remote.lastIndexOf(':') + 1));
	if (!(port > 0 && peer > 0)) return null;
	return { port, peer, bytes: Number(/ bytes_received:(\d+)/.exec(line)?.[1] ?? 0) };
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
