import { listTree, listTrees } from '../../process/process-tree.ts';
import { findMarked, ownersOf } from '../../process/processes.ts';
import { LISTEN, readSockets, type SocketRow, socketInodesOf } from '../../process/socket-table.ts';
import { SIDES, type Side, type Sides } from '../../types/units.ts';

export interface Watched {
	readonly port: number;
	readonly pid: number;
	/** `NAME=value` in the environment of its processes, even outside its tree. */
	readonly mark: string;
	/** User of this server alone, who owns its sockets however the server hides. */
	readonly uid: number | null;
}

export interface Live {
	readonly to: Side;
	/** Null for neither side. */
	readonly from: Side | null;
	/** Its server is measured in another lane. */
	readonly beside?: true;
}

/**
 * Returns open connections to the servers, except `ours`, with the side whose processes or own user hold the socket.
 * Both ends of a server's connection to itself are its own. Empty on other platforms.
 */
export function findLive(servers: Sides<Watched>, ours: readonly number[]): Live[] {
	const ports = SIDES.map((side) => servers[side].port);
	const trees = listTrees(servers);
	// A short connection may end between two looks.
	const before = bySide((side) => socketInodesOf(trees[side]));
	const rows = openTo(ports);
	if (rows.length === 0) return [];
	const ownInodes = socketInodesOf(ours);
	const held = bySide((side) => union(before[side], socketInodesOf(trees[side])));
	const users = usersOf(trees);
	const strangers = rows.filter(({ inode }) => !ownInodes.has(inode));
	const sideOf = ({ inode, uid }: SocketRow): Side | null =>
		SIDES.find((side) => servers[side].uid === uid) ??
		SIDES.find((side) => held[side].has(inode)) ??
		SIDES.find((side) => users[side].has(uid)) ??
		null;
	const toSide = (row: SocketRow): Side => (row.remotePort === servers.base.port ? 'base' : 'head');
	const sockets = strangers.map((row) => ({ to: toSide(row), from: sideOf(row), inode: row.inode, uid: row.uid }));
	return sockets.some(({ from }) => from === null) ? askAgain(sockets, servers, ports) : sockets.map(tell);
}

/** A foreign socket at a server's port: the kernel divides connections among one user's programs that share it. */
export interface Intruder {
	readonly at: Side;
	/** Null for neither side. */
	readonly from: Side | null;
	readonly beside?: true;
}

/**
 * Returns foreign sockets at server ports, listening or accepted; if the holder is unknown, only listening ones.
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

function boundTo(ports: readonly number[]): SocketRow[] {
	return (readSockets(ports) ?? []).filter(({ localPort, inode }) => ports.includes(localPort) && inode !== 0);
}

type Found = Live & Pick<SocketRow, 'inode' | 'uid'>;

function tell({ to, from, beside }: Live): Live {
	return { to, from, ...(beside && { beside }) };
}

/** Drops connections that ended. */
function askAgain(sockets: readonly Found[], servers: Sides<Watched>, ports: readonly number[]): Live[] {
	const whose = readHolders(servers, ports);
	const open = new Set(openTo(ports).map(({ inode }) => inode));
	return sockets.flatMap((one) => {
		if (one.from !== null) return [tell(one)];
		const { side, beside } = whose(one);
		if (side !== null) return [tell({ to: one.to, from: side, ...(beside && { beside }) })];
		return open.has(one.inode) ? [tell(one)] : [];
	});
}

/** Finds processes that left their tree, and servers of another lane. */
function readHolders(servers: Sides<Watched>, ports: readonly number[]) {
	const marked = bySide((side) => socketInodesOf(findMarked(servers[side].mark)));
	const others = livingBeside(ports).map(({ side, uid, pids, mark }) => {
		const trees = pids().flatMap((pid) => listTree(pid));
		return { side, uid, held: socketInodesOf([...trees, ...findMarked(mark)]) };
	});
	return ({ inode, uid }: Pick<SocketRow, 'inode' | 'uid'>): { readonly side: Side | null; readonly beside?: true } => {
		const markedSide = SIDES.find((side) => marked[side].has(inode));
		if (markedSide !== undefined) return { side: markedSide };
		const other = others.find((one) => one.uid === uid) ?? others.find(({ held }) => held.has(inode));
		return other === undefined ? { side: null } : { side: other.side, beside: true };
	};
}

/** Client ends of connections to `ports`. */
function openTo(ports: readonly number[]): SocketRow[] {
	return (readSockets(ports) ?? []).filter(({ remotePort, inode }) => ports.includes(remotePort) && inode !== 0);
}

/** Users of one side only, except root and ours. */
function usersOf(trees: Sides<readonly number[]>): Sides<Set<number>> {
	const all = bySide((side) => ownersOf(trees[side]));
	const ours = process.getuid?.();
	const only = (side: Side, other: Side) =>
		new Set([...all[side]].filter((uid) => uid !== 0 && uid !== ours && !all[other].has(uid)));
	return { base: only('base', 'head'), head: only('head', 'base') };
}

function union(inodes: ReadonlySet<number>, otherInodes: ReadonlySet<number>): Set<number> {
	return new Set([...inodes, ...otherInodes]);
}

function bySide<T>(make: (side: Side) => T): Sides<T> {
	return { base: make('base'), head: make('head') };
}

interface Living {
	readonly side: Side;
	readonly port: number;
	readonly mark: string;
	readonly uid: number | null;
	pids(): readonly number[];
}

/** Running servers of every lane: possible owners of foreign connections. */
const servers = new Set<Living>();

export function noteLiving(server: Living): () => void {
	servers.add(server);
	return () => void servers.delete(server);
}

function livingBeside(ports: readonly number[]): Living[] {
	return [...servers].filter(({ port }) => !ports.includes(port));
}
