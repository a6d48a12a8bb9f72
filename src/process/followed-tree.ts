/** Follows a child and its descendants, in any process group. */
import { FIRST, readFolder, readStat, readText } from './process-tree.ts';

/** Does not slow a build, and sees most children before their parent ends. */
const POLL_MS = 100;
const COMMAND_LENGTH = 60;

/** The start time identifies a process, because the kernel reuses ids. */
export interface KnownProcess {
	readonly pid: number;
	/** Field 22 of /proc/PID/stat: clock ticks since boot. */
	readonly startedAt: string;
}

export interface FollowedTree {
	stop(): KnownProcess[];
}

/**
 * Follows `root`, its descendants, and every process in one of their groups or sessions. A process once seen stays
 * known. Sees nothing without /proc.
 */
export function followTree(root: number, onPoll: () => void = () => {}): FollowedTree {
	const startTimes = new Map<number, string>();
	// Only ids of the last poll are trusted: the kernel reuses empty groups' and sessions' ids.
	let circles = new Set([root]);
	const look = () => {
		const all = new Map(readAll().map((entry) => [entry.pid, entry]));
		const isKnown = (pid: number) => startTimes.has(pid) && startTimes.get(pid) === all.get(pid)?.startedAt;
		const living = new Set<number>();
		for (let before = -1; before !== living.size; ) {
			before = living.size;
			for (const { pid, parent, group, session, startedAt } of all.values()) {
				if (!isKnown(pid) && !isKnown(parent) && !circles.has(group) && !circles.has(session)) continue;
				startTimes.set(pid, startedAt);
				living.add(pid);
				circles.add(group).add(session);
			}
		}
		circles = new Set([...living].flatMap((pid) => [all.get(pid)?.group ?? pid, all.get(pid)?.session ?? pid]));
	};
	look();
	const timer = setInterval(() => {
		look();
		onPoll();
	}, POLL_MS);
	return {
		stop() {
			clearInterval(timer);
			look();
			return [...startTimes].map(([pid, startedAt]) => ({ pid, startedAt })).filter(isAlive);
		},
	};
}

export function identifyProcess(pid: number): KnownProcess | null {
	const entry = readEntry(pid);
	return entry && { pid, startedAt: entry.startedAt };
}

/** A zombie does not count as alive. */
export function isAlive({ pid, startedAt }: KnownProcess): boolean {
	return readEntry(pid)?.startedAt === startedAt;
}

/**
 * Returns a shortened command line, or the process's name if it has no command line; empty when the process is gone.
 */
export function commandOf(pid: number): string {
	const words = (readText(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((word) => word !== '');
	const text = words.map((word) => word.replace(/^\/(?:[^/\s]*\/)*/, '')).join(' ') || readText(`/proc/${pid}/comm`);
	const line = (text ?? '').trim().replace(/\s+/g, ' ');
	return line.length > COMMAND_LENGTH ? `${line.slice(0, COMMAND_LENGTH)}…` : line;
}

interface Entry extends KnownProcess {
	readonly parent: number;
	readonly group: number;
	readonly session: number;
}

function readAll(): Entry[] {
	return readFolder('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readEntry(Number(name)) ?? []) : []));
}

function readEntry(pid: number): Entry | null {
	const fields = readStat(`/proc/${pid}`);
	const [state, parent, group, session] = fields;
	const startedAt = fields[22 - FIRST];
	if (state === undefined || state === 'Z' || state === 'X' || startedAt === undefined) return null;
	return { pid, parent: Number(parent), group: Number(group), session: Number(session), startedAt };
}
