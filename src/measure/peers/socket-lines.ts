/** Reads lines of `ss -OHtnie`. */

export interface SocketFigures {
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
