/** Reads the kernel's tables of TCP sockets. Linux only. */
import { readlinkSync } from 'node:fs';
import { readFolder, readText } from './process-tree.ts';
import { ownersOf } from './processes.ts';
import { isRunUser } from './users/run-users.ts';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** A socket of any owner in this network namespace. */
export interface SocketRow {
	readonly localPort: number;
	readonly remotePort: number;
	/** Two hexadecimal digits. */
	readonly state: string;
	readonly uid: number;
	/** 0 once no process holds the socket. */
	readonly inode: number;
}

export const LISTEN = '0A';

/**
 * Returns sockets with one of `ports` at either end; null without tables. It may take milliseconds of CPU time.
 */
export function readSockets(ports: readonly number[]): SocketRow[] | null {
	const tables = TABLES.flatMap((path) => readText(path) ?? []);
	if (tables.length === 0) return null;
	const digits = ports.map(hex).join('|');
	const wanted = new RegExp(`^ *\\d+: [0-9A-F]+:(?:(?:${digits}) |[0-9A-F]{4} [0-9A-F]+:(?:${digits}) ).*$`, 'gm');
	return tables.flatMap((table) => [...table.matchAll(wanted)].map(([line]) => parseRow(line)));
}

/** Columns: slot, local address, remote address, state, queues, timer, retransmissions, uid, timeout, inode. */
function parseRow(line: string): SocketRow {
	const fields = line.trim().split(/\s+/);
	return {
		localPort: portOf(fields[1]),
		remotePort: portOf(fields[2]),
		state: fields[3] ?? '',
		uid: Number(fields[7]),
		inode: Number(fields[9]),
	};
}

/** Returns how many connections this network namespace ever accepted. */
export function readPassiveOpens(): number | null {
	const [names, values] = (readText('/proc/net/snmp') ?? '')
		.split('\n')
		.filter((line) => line.startsWith('Tcp:'))
		.map((line) => line.split(' '));
	const value = values?.[names?.indexOf('PassiveOpens') ?? -1];
	return value === undefined ? null : Number(value);
}

/** Only root sees sockets of other users. */
export function socketInodesOf(pids: readonly number[]): Set<number> {
	const inodes = new Set<number>();
	for (const pid of pids) {
		for (const name of readFolder(`/proc/${pid}/fd`)) {
			const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${name}`))?.[1];
			if (inode !== undefined) inodes.add(Number(inode));
		}
	}
	return inodes;
}

function hex(port: number): string {
	return port.toString(16).toUpperCase().padStart(4, '0');
}

function portOf(address = ''): number {
	return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

function readLink(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}

/**
 * Whether `pids` own the listening socket on `port`; null without /proc; false if nothing listens any more, because a
 * foreign process did a moment ago.
 */
export function ownsListener(pids: readonly number[], port: number): boolean | null {
	const sockets = readSockets([port]);
	if (sockets === null) return null;
	const listening = sockets.filter(({ localPort, state }) => localPort === port && state === LISTEN);
	const owned = socketInodesOf(pids);
	// Sockets of other users' processes are invisible, but a run's user belongs to one side alone.
	return listening.some(({ inode, uid }) => owned.has(inode) || (isRunUser(uid) && ownersOf(pids).has(uid)));
}
