import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const LISTEN = '0A';

/**
 * Returns whether one of the processes `pids` owns the socket that listens on `port`, so that nobody else's server is
 * taken for ours; null where the platform does not tell (no /proc). Processes of another user count as not owning it, and
 * where nobody listens any more, somebody else did a moment ago.
 */
export function ownsListener(pids: readonly number[], port: number): boolean | null {
	const tables = TABLES.map(readText).filter((text) => text !== '');
	if (tables.length === 0) return null;
	const inodes = listeningInodes(tables, port);
	return pids.some((pid) =>
		readFolder(`/proc/${pid}/fd`).some((name) => inodes.includes(readLink(`/proc/${pid}/fd/${name}`))),
	);
}

/** Link targets (`socket:[inode]`) of the sockets that listen on `port`. */
function listeningInodes(tables: readonly string[], port: number): string[] {
	const hex = port.toString(16).toUpperCase().padStart(4, '0');
	return tables.flatMap((table) =>
		table
			.split('\n')
			.map((line) => line.trim().split(/\s+/))
			// Columns: slot, local address, remote address, state, ..., inode.
			.filter((fields) => fields[1]?.endsWith(`:${hex}`) && fields[3] === LISTEN)
			.map((fields) => `socket:[${fields[9]}]`),
	);
}

function readFolder(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
}

function readText(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}

function readLink(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}
