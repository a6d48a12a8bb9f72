/** Who holds the connections that are open to a port at this moment, and who listens there. */
import { listTree, listTrees } from '../../process/process-tree.ts';
import { findMarked, ownersOf } from '../../process/processes.ts';
import { LISTEN, readSockets, type SocketRow, socketInodesOf } from '../../process/socket-table.ts';
import { SIDES, type Side, type Sides } from '../../types/units.ts';
import { livingBeside } from './living-servers.ts';

/** A server whose port is watched. */
export interface Watched {
	readonly port: number;
	readonly pid: number;
	/** What the environment of its processes holds, `NAME=value`, also of those that left its tree. */
	readonly mark: string;
	/** The user that runs it and nothing else, who owns what it opens whatever it does to hide; null when there is none. */
	readonly uid: number | null;
}

/** An open connection that is not ours. */
export interface Live {
	/** Server it leads to. */
	readonly to: Side;
	/** Side whose processes opened it; null for a process of nobody's. */
	readonly from: Side | null;
	/** Its server is measured in another lane. */
	readonly beside?: true;
}

/**
 * Returns the connections to the servers that are open now and not held by `ours`. Whose they are is told by the processes that
 * hold the socket, or else by a user that only one side runs as. Both ends of a connection to itself are a server's own. Empty
 * where the platform does not tell.
 */
export function findLive(servers: Sides<Watched>, ours: readonly number[]): Live[] {
	const ports = SIDES.map((side) => servers[side].port);
	const trees = listTrees(servers);
	// A short connection may end between two looks, so those held before the table is read count as well.
	const before = bySide((side) => socketInodesOf(trees[side]));
	const rows = openTo(ports);
	if (rows.length === 0) return [];
	const own = socketInodesOf(ours);
	const held = bySide((side) => union(before[side], socketInodesOf(trees[side])));
	const users = usersOf(trees);
	const strangers = rows.filter(({ inode }) => !own.has(inode));
	const sideOf = ({ inode, uid }: SocketRow): Side | null =>
		SIDES.find((side) => servers[side].uid === uid) ??
		SIDES.find((side) => held[side].has(inode)) ??
		SIDES.find((side) => users[side].has(uid)) ??
		null;
	const toSide = (row: SocketRow): Side => (row.remotePort === servers.base.port ? 'base' : 'head');
	const known = strangers.map((row) => ({ to: toSide(row), from: sideOf(row), inode: row.inode, uid: row.uid }));
	return known.some(({ from }) => from === null) ? askAgain(known, servers, ports) : known.map(tell);
}

/** Somebody else's socket at the port of a server: programs of one user can share a port, and the kernel divides its connections. */
export interface Intruder {
	/** Whose port it is. */
	readonly at: Side;
	/** Side whose processes hold the socket; null for a process of nobody's. */
	readonly from: Side | null;
	/** Its server is measured in another lane. */
	readonly beside?: true;
}

/**
 * Returns the sockets at the ports of the servers that are not their own: what listens there, and what has accepted connections there.
 * What nobody seems to hold counts only where it listens. Empty where the platform does not tell.
 */
export function findIntruders(servers: Sides<Watched>): Intruder[] {
	const ports = SIDES.map((side) => servers[side].port);
	const trees = listTrees(servers);
	const before = bySide((side) => socketInodesOf(trees[side]));
	const rows = boundTo(ports);
	const held = bySide((side) => union(before[side], socketInodesOf(trees[side])));
	const atSide = ({ localPort }: SocketRow): Side => (localPort === servers.base.port ? 'base' : 'head');
	const isOwn = (row: SocketRow) => held[atSide(row)].has(row.inode) || servers[atSide(row)].uid === row.uid;
	const strange = rows.filter((row) => !isOwn(row));
	if (strange.length === 0) return [];
	const whose = readHolders(servers, ports);
	const open = new Set(boundTo(ports).map(({ inode }) => inode));
	return strange.flatMap((row) => {
		const at = atSide(row);
		const from = SIDES.find((side) => held[side].has(row.inode) || servers[side].uid === row.uid);
		const { side, beside } = from === undefined ? whose(row) : { side: from };
		if ((side === at && !beside) || (side === null && (row.state !== LISTEN || !open.has(row.inode)))) return [];
		return [{ at, from: side, ...(beside && { beside }) }];
	});
}

/** The sockets that processes hold at one of `ports`. */
function boundTo(ports: readonly number[]): SocketRow[] {
	return (readSockets(ports) ?? []).filter(({ localPort, inode }) => ports.includes(localPort) && inode !== 0);
}

type Found = Live & Pick<SocketRow, 'inode' | 'uid'>;

function tell({ to, from, beside }: Live): Live {
	return { to, from, ...(beside && { beside }) };
}

/**
 * Of those nobody seems to hold, the ones that ended meanwhile are left out, and processes that left their tree are looked for, and
 * those of other lanes.
 */
function askAgain(found: readonly Found[], servers: Sides<Watched>, ports: readonly number[]): Live[] {
	const whose = readHolders(servers, ports);
	const open = new Set(openTo(ports).map(({ inode }) => inode));
	return found.flatMap((one) => {
		if (one.from !== null) return [tell(one)];
		const { side, beside } = whose(one);
		if (side !== null) return [tell({ to: one.to, from: side, ...(beside && { beside }) })];
		return open.has(one.inode) ? [tell(one)] : [];
	});
}

/** Returns what tells who holds a socket outside of the trees of both servers: what left them, or a server of another lane. */
function readHolders(servers: Sides<Watched>, ports: readonly number[]) {
	const marked = bySide((side) => socketInodesOf(findMarked(servers[side].mark)));
	const others = livingBeside(ports).map(({ side, uid, pids, mark }) => {
		const trees = pids().flatMap((pid) => listTree(pid));
		return { side, uid, held: socketInodesOf([...trees, ...findMarked(mark)]) };
	});
	return ({ inode, uid }: Pick<SocketRow, 'inode' | 'uid'>): { readonly side: Side | null; readonly beside?: true } => {
		const own = SIDES.find((side) => marked[side].has(inode));
		if (own !== undefined) return { side: own };
		const other = others.find((one) => one.uid === uid) ?? others.find(({ held }) => held.has(inode));
		return other === undefined ? { side: null } : { side: other.side, beside: true };
	};
}

/** The ends of connections that lead to one of `ports` and are held by a process. */
function openTo(ports: readonly number[]): SocketRow[] {
	return (readSockets(ports) ?? []).filter(({ remotePort, inode }) => ports.includes(remotePort) && inode !== 0);
}

/** Users that run processes of one side only, and are not ours. */
function usersOf(trees: Sides<readonly number[]>): Sides<Set<number>> {
	const all = bySide((side) => ownersOf(trees[side]));
	const ours = process.getuid?.();
	const only = (side: Side, other: Side) =>
		new Set([...all[side]].filter((uid) => uid !== 0 && uid !== ours && !all[other].has(uid)));
	return { base: only('base', 'head'), head: only('head', 'base') };
}

function union(left: ReadonlySet<number>, right: ReadonlySet<number>): Set<number> {
	return new Set([...left, ...right]);
}

function bySide<T>(make: (side: Side) => T): Sides<T> {
	return { base: make('base'), head: make('head') };
}
