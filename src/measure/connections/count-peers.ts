/** Counts round trips of a server of any language from the kernel's figures of TCP connections. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { listTree } from '../../process/process-tree.ts';
import { readSockets, socketInodesOf } from '../../process/socket-table.ts';
import type { PeerCount } from '../../types/explain/counts.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Affinity } from '../affinity.ts';
import type { ServerProcess } from '../server-process.ts';
import { watchClosedConnections } from './closed-connections.ts';

const run = promisify(execFile);
const LOOK_TIMEOUT_MS = 5_000;
const MOST_OUTPUT = 20_000_000;
const POLL_MS = 2;
const LOST =
	'connections to other programs that ended, because the machine closed too many or was too busy to report them';
const USUAL_PORTS: Readonly<Record<string, string>> = {
	3306: 'mysql',
	5432: 'postgres',
	5672: 'rabbitmq',
	6379: 'redis',
	9042: 'cassandra',
	9092: 'kafka',
	9200: 'elasticsearch',
	11211: 'memcached',
	27017: 'mongodb',
};

export interface PeerWatch {
	/** Finds peers of short connections while requests run. */
	learn(requests: () => Promise<unknown>): Promise<void>;
	begin(): Promise<void>;
	/** Counts since `begin`. No other server may use the same peers meanwhile. */
	end(): Promise<PeerReading>;
	close(): Promise<void>;
}

export interface PeerReading {
	readonly peers: readonly PeerCount[];
	/** What is not counted. Untrusted text. */
	readonly unseen: readonly string[];
	/** A repeat may be complete. */
	readonly isLossy: boolean;
}

type Watched = Pick<ServerProcess, 'pid' | 'port' | 'uid'>;
type Start = { readonly affinity: Affinity; readonly janitor: Janitor };

/** Returns null where `ss` is missing or the kernel does not report. */
export async function watchPeers(server: Watched, { affinity, janitor }: Start): Promise<PeerWatch | null> {
	if ((await look()) === null) return null;
	const ended: SocketFigures[] = [];
	const onClosed = (_: unknown, line: string) => {
		const socket = parseSocket(line);
		if (socket) ended.push(socket);
	};
	const closed = await watchClosedConnections(onClosed, affinity, janitor, []);
	if (closed === null) return null;

	const known = new Set<number>();
	const unix = new Set<string>();
	let before: readonly SocketFigures[] = [];
	/** Others may close these. */
	let foreign = new Set<string>();
	let lossesBefore = 0;
	const held = () => socketInodesOf(listTree(server.pid));
	const isHeld = (inodes: ReadonlySet<number>, { inode, uid }: { readonly inode: number; readonly uid: number }) =>
		inodes.has(inode) || (server.uid !== null && uid === server.uid);

	const poll = () => {
		const strange = new Set(ended.map(({ remote }) => portOf(remote)).filter((port) => !known.has(port)));
		if (strange.size === 0) return;
		const inodes = held();
		for (const row of readSockets([...strange]) ?? [])
			if (strange.has(row.remotePort) && isHeld(inodes, row)) known.add(row.remotePort);
	};
	const lookAtPeers = async (): Promise<LookAtPeers> => {
		const first = held();
		const seen = (await look()) ?? { sockets: [], listeners: [] };
		const inodes = new Set([...first, ...held()]);
		for (const path of findUnixPeers((await ask('-OHxn')) ?? [], inodes)) unix.add(path);
		const own = seen.listeners.filter((row) => row.pids.includes(process.pid) || isHeld(inodes, row));
		const ports = new Set([server.port, ...own.map(({ port }) => port)]);
		const sockets = seen.sockets.filter(({ local, remote }) => !ports.has(portOf(local)) && !ports.has(portOf(remote)));
		for (const row of sockets) if (isHeld(inodes, row)) known.add(portOf(row.remote));
		for (const port of ports) known.delete(port);
		// One without a holder is closing.
		const isForeign = (row: SocketFigures) => row.inode !== 0 && !isHeld(inodes, row);
		return {
			listeners: seen.listeners,
			sockets: sockets.filter((row) => !isForeign(row)),
			foreign: sockets.filter(isForeign).map(nameOf),
		};
	};
	return {
		async learn(requests) {
			const timer = setInterval(poll, POLL_MS);
			try {
				await requests();
			} finally {
				clearInterval(timer);
			}
		},
		async begin() {
			const seen = await lookAtPeers();
			before = seen.sockets;
			foreign = new Set(seen.foreign);
			await closed.settle();
			lossesBefore = closed.losses;
			ended.length = 0;
		},
		async end() {
			const now = await lookAtPeers();
			const isLossy = (await closed.settle()) !== 'told' || closed.losses > lossesBefore;
			const last = new Map([...now.sockets, ...ended].map((socket) => [nameOf(socket), socket]));
			for (const name of foreign) last.delete(name);
			const peers = sumPeers([...last.values()], before, known, now.listeners);
			return {
				peers,
				unseen: [...[...unix].map((path) => `traffic with the Unix socket ${path}`), ...(isLossy ? [LOST] : [])],
				isLossy,
			};
		},
		close: () => closed.close(),
	};
}

interface Look {
	readonly sockets: readonly SocketFigures[];
	readonly listeners: readonly Listener[];
}

interface LookAtPeers extends Look {
	readonly foreign: readonly string[];
}

function programsOf(listeners: readonly Listener[]): ReadonlyMap<number, string | null> {
	return new Map(listeners.map(({ port, program }) => [port, program]));
}

function nameOfPeer(address: string, programs: ReadonlyMap<number, string | null>): string | null {
	const port = portOf(address);
	return (isLocal(address) ? programs.get(port) : null) ?? USUAL_PORTS[port] ?? null;
}

async function look(): Promise<Look | null> {
	const [listening, open] = await Promise.all([ask('-OHtnlpe'), ask('-OHtnie')]);
	if (listening === null || open === null) return null;
	return {
		listeners: listening.flatMap((line) => parseListener(line) ?? []),
		sockets: open.flatMap((line) => parseSocket(line) ?? []),
	};
}

async function ask(flags: string): Promise<readonly string[] | null> {
	try {
		const options = { timeout: LOOK_TIMEOUT_MS, maxBuffer: MOST_OUTPUT, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
		return (await run('ss', [flags], options)).stdout.split('\n').filter((line) => line !== '');
	} catch {
		return null;
	}
}

function sumPeers(
	sockets: readonly SocketFigures[],
	before: readonly SocketFigures[],
	known: ReadonlySet<number>,
	listeners: readonly Listener[],
): readonly PeerCount[] {
	const earlier = new Map(before.map((socket) => [nameOf(socket), socket]));
	const sums = new Map<string, { bytesSent: number; bytesReceived: number; roundTrips: number }>();
	for (const socket of sockets) {
		if (!known.has(portOf(socket.remote))) continue;
		const since = (read: (figures: SocketFigures) => number) => {
			const first = earlier.get(nameOf(socket));
			return Math.max(0, read(socket) - (first ? read(first) : 0));
		};
		const sum = sums.get(socket.remote) ?? { bytesSent: 0, bytesReceived: 0, roundTrips: 0 };
		sum.bytesSent += since(({ bytesSent }) => bytesSent);
		sum.bytesReceived += since(({ bytesReceived }) => bytesReceived);
		sum.roundTrips += Math.min(
			since(({ segmentsSent }) => segmentsSent),
			since(({ segmentsReceived }) => segmentsReceived),
		);
		sums.set(socket.remote, sum);
	}
	const programs = programsOf(listeners);
	return [...sums].map(([address, sum]) => ({ address, name: nameOfPeer(address, programs), ...sum }));
}

function isLocal(address: string): boolean {
	return /^(?:127\.|\[::1\])/.test(address);
}

function nameOf({ local, remote }: SocketFigures): string {
	return `${local} ${remote}`;
}

function portOf(address: string): number {
	return Number(address.slice(address.lastIndexOf(':') + 1));
}

interface SocketFigures {
	/** `127.0.0.1:5432`; of IPv4 in IPv6 too. */
	readonly local: string;
	readonly remote: string;
	/** 0 once no process holds the socket. */
	readonly inode: number;
	readonly uid: number;
	/** Since the connection began. */
	readonly bytesSent: number;
	readonly bytesReceived: number;
	readonly segmentsSent: number;
	readonly segmentsReceived: number;
}

/** Returns null for a listening socket. */
export function parseSocket(line: string): SocketFigures | null {
	const [, , , local = '', remote = ''] = line.trim().split(/\s+/, 5);
	if (!/:\d+$/.test(local) || !/:[1-9]\d*$/.test(remote)) return null;
	const read = (name: string) => Number(new RegExp(` ${name}:(\\d+)`).exec(line)?.[1] ?? 0);
	return {
		...{ local: plainAddress(local), remote: plainAddress(remote), inode: read('ino'), uid: read('uid') },
		...{ bytesSent: read('bytes_sent'), bytesReceived: read('bytes_received') },
		...{ segmentsSent: read('data_segs_out'), segmentsReceived: read('data_segs_in') },
	};
}

function plainAddress(address: string): string {
	return address.replace(/^\[::ffff:([\d.]+)\]/, '$1').replace(/%[^:\]]+/, '');
}

export interface Listener {
	readonly port: number;
	readonly inode: number;
	readonly uid: number;
	/** Empty for processes of other users. */
	readonly pids: readonly number[];
	readonly program: string | null;
}

/** Reads a line of `ss -OHtnlpe`. */
export function parseListener(line: string): Listener | null {
	const port = /^LISTEN +\d+ +\d+ +\S+:(\d+) /.exec(line)?.[1];
	if (port === undefined) return null;
	const read = (name: string) => Number(new RegExp(` ${name}:(\\d+)`).exec(line)?.[1] ?? 0);
	const holders = [...line.matchAll(/\("([^"]*)",pid=(\d+)/g)];
	const [, program = null] = holders[0] ?? [];
	return {
		port: Number(port),
		inode: read('ino'),
		uid: read('uid'),
		pids: holders.map(([, , pid]) => Number(pid)),
		program,
	};
}

/** Returns paths of Unix sockets that `inodes` are connected to, from lines of `ss -OHxn`. */
export function findUnixPeers(lines: readonly string[], inodes: ReadonlySet<number>): readonly string[] {
	const sockets = lines.map((line) => {
		const [, , , , path = '*', inode, , peer] = line.trim().split(/\s+/);
		return { path, inode: Number(inode), peer: Number(peer) };
	});
	const paths = new Map(sockets.map(({ inode, path }) => [inode, path]));
	const found = sockets.flatMap(({ inode, peer }) => {
		const path = inodes.has(inode) && !inodes.has(peer) ? paths.get(peer) : undefined;
		return path === undefined || path === '*' ? [] : [path];
	});
	return [...new Set(found)];
}
