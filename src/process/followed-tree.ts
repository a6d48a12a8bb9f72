/** Follows a child and its descendants, also those that leave its group. */
import { readFolder, readText } from './process-tree.ts';

/** Seldom enough to cost a build nothing, often enough to see most children before their parent is gone. */
const POLL_MS = 100;
/** Characters of a command line that messages show. */
const COMMAND_LENGTH = 60;

/** A process that is not taken for a later one with the same number. */
export interface KnownProcess {
	readonly pid: number;
	/** Field 22 of /proc/PID/stat: clock ticks since boot. */
	readonly startedAt: string;
}

export interface FollowedTree {
	/** Ends following and returns the processes of the tree that still live, by what is known of them. */
	stop(): KnownProcess[];
}

/**
 * Follows the process tree of `root`: every descendant, and what is in a process group or session of one, is remembered from
 * when it was first seen, whatever becomes of its parent, its group and its environment. `onPoll` is called with each look.
 * Without /proc nothing is seen. A process that leaves its group and loses its parent between two looks is missed.
 */
export function followTree(root: number, onPoll: () => void = () => {}): FollowedTree {
	const known = new Map<number, string>();
	// Numbers are given again, a session's or group's as soon as it is empty: only those of the last look are trusted.
	let circles = new Set([root]);
	const look = () => {
		const all = new Map(readAll().map((entry) => [entry.pid, entry]));
		const isKnown = (pid: number) => known.has(pid) && known.get(pid) === all.get(pid)?.startedAt;
		const living = new Set<number>();
		for (let before = -1; before !== living.size; ) {
			before = living.size;
			for (const { pid, parent, group, session, startedAt } of all.values()) {
				if (!isKnown(pid) && !isKnown(parent) && !circles.has(group) && !circles.has(session)) continue;
				known.set(pid, startedAt);
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
			return [...known].map(([pid, startedAt]) => ({ pid, startedAt })).filter(isAlive);
		},
	};
}

/** Returns what tells this process from a later one with its number; null when it is gone, or where there is no /proc. */
export function identifyProcess(pid: number): KnownProcess | null {
	const entry = readEntry(pid);
	return entry && { pid, startedAt: entry.startedAt };
}

/** Returns whether this very process still lives; a zombie does not. */
export function isAlive({ pid, startedAt }: KnownProcess): boolean {
	return readEntry(pid)?.startedAt === startedAt;
}

/** Returns the command line of a process as messages show it; its name where it has none, empty when it is gone. */
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

/** Null for a process that is gone or a zombie. */
function readEntry(pid: number): Entry | null {
	const stat = readText(`/proc/${pid}/stat`);
	// The name in parentheses may contain anything, so fields are counted from its end: state, ppid, pgrp, session.
	const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	const [state, parent, group, session] = fields;
	const startedAt = fields[22 - 3];
	if (state === undefined || state === 'Z' || state === 'X' || startedAt === undefined) return null;
	return { pid, parent: Number(parent), group: Number(group), session: Number(session), startedAt };
}
