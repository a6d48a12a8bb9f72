/** Reads CPU time and memory of process trees from /proc. */
import { readdirSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import type { Bytes, Seconds, Sides } from '../types/units.ts';
import { isRunUser } from './users/run-users.ts';

const NANOSECONDS = 1e9;
/** USER_HZ, which is 100 on every relevant Linux. */
const TICKS_PER_SECOND = 100;
/** Pseudo thread id for the time of ended threads and children. */
const ENDED = 'ended';
/** Smaller times may be rounding, because the kernel truncates each of utime, stime, cutime and cstime to ticks. */
const LEAST_ENDED: Seconds = 4 / TICKS_PER_SECOND;

type ThreadTimes = ReadonlyMap<string, number>;

/** Process id → thread id → CPU seconds, at one moment. */
export type TreeTimes = ReadonlyMap<number, ThreadTimes>;

const listProcesses = createProcessList();

/** Returns the ids of `root`, its descendants and its process group; empty without /proc or when `root` is gone. */
export function listTree(root: number): number[] {
	return findTree(root, listProcesses());
}

export function listTrees({ base, head }: Sides<{ readonly pid: number }>): Sides<number[]> {
	const all = listProcesses();
	return { base: findTree(base.pid, all), head: findTree(head.pid, all) };
}

function findTree(root: number, all: ReadonlyMap<number, ListedProcess>): number[] {
	const inTree = (pid: number): boolean => {
		for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
			if (at === root || all.get(at)?.group === root) return true;
		}
		return false;
	};
	const tree = withUser([...all.keys()].filter(inTree), all);
	return tree.filter((pid) => hasLivingThread('/proc', pid, readStat(`/proc/${pid}`)[0]));
}

/** All processes of the run's user if such a user owns the tree, without root's processes that started it. */
function withUser(tree: readonly number[], all: ReadonlyMap<number, ListedProcess>): number[] {
	const owners = new Map(tree.map((pid) => [pid, ownerOf(pid)]));
	const users = new Set([...owners.values()].filter((uid) => uid !== null && isRunUser(uid)));
	if (users.size === 0) return [...tree];
	return [...all].flatMap(([pid, { owner }]) =>
		users.has(owners.has(pid) ? (owners.get(pid) ?? null) : owner) ? [pid] : [],
	);
}

function ownerOf(pid: number): number | null {
	const uid = /^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
	return uid === undefined ? null : Number(uid);
}

/** Returns CPU seconds by thread, plus totals of ended threads and children. */
export function readTreeTimes(pids: readonly number[]): TreeTimes {
	const times = new Map<number, ThreadTimes>();
	for (const pid of pids) {
		const threads = new Map<string, number>();
		for (const thread of readFolder(`/proc/${pid}/task`)) {
			const text = readText(`/proc/${pid}/task/${thread}/schedstat`);
			if (text !== null) threads.set(thread, Number(text.slice(0, text.indexOf(' '))) / NANOSECONDS);
		}
		const ended = readTotal(pid) - sum(threads.values());
		if (threads.size === 0) continue;
		if (!Number.isNaN(ended)) threads.set(ENDED, ended);
		times.set(pid, threads);
	}
	return times;
}

/** Whether any thread runs or waits for a CPU. */
export function isRunning(pids: readonly number[]): boolean {
	return pids.some((pid) =>
		readFolder(`/proc/${pid}/task`).some((thread) => {
			const [state] = readStat(`/proc/${pid}/task/${thread}`);
			return state === 'R';
		}),
	);
}

/** NaN when the process is gone. */
function readTotal(pid: number): Seconds {
	// utime, stime, cutime, cstime
	const times = readStat(`/proc/${pid}`).slice(14 - FIRST, 18 - FIRST);
	return times.length === 4 ? sum(times.map(Number)) / TICKS_PER_SECOND : Number.NaN;
}

/**
 * Returns the CPU seconds that a tree used between two readings. Ended threads and processes count, from a few ticks
 * on, if the kernel adds their time to a survivor.
 */
export function usedBetween(first: TreeTimes, last: TreeTimes): Seconds {
	let used = 0;
	let ended = 0;
	for (const [pid, threads] of last) {
		const before = first.get(pid);
		for (const [thread, seconds] of threads) {
			if (thread !== ENDED) used += seconds - (before?.get(thread) ?? 0);
		}
		const more = (threads.get(ENDED) ?? 0) - (before?.get(ENDED) ?? 0) - gone(before, threads);
		if (more > LEAST_ENDED) ended += more;
	}
	// CPU time that an ended process used before the first reading does not count.
	for (const [pid, threads] of first) if (!last.has(pid)) ended -= sum(threads.values());
	return used + Math.max(0, ended);
}

function gone(before: ThreadTimes | undefined, now: ThreadTimes): Seconds {
	return sum([...(before ?? [])].flatMap(([thread, seconds]) => (now.has(thread) ? [] : [seconds])));
}

function sum(values: Iterable<number>): number {
	let total = 0;
	for (const value of values) total += value;
	return total;
}

/** Resets the kernel's peak counters, so the next reading covers this turn only. */
export function resetMemoryPeaks(pids: readonly number[]): void {
	for (const pid of pids) {
		try {
			writeFileSync(`/proc/${pid}/clear_refs`, '5');
		} catch {
			// Not permitted. Peaks then cover the whole life of a process, on both sides alike.
		}
	}
}

/** Returns the summed peak resident bytes; null when unreadable. */
export function readMemoryPeak(pids: readonly number[]): Bytes | null {
	return sumOf(pids, /^VmHWM:\s+(\d+) kB/m);
}

/** Returns the summed resident bytes; null when unreadable. Shared pages count in each process, on both sides alike. */
export function readResident(pids: readonly number[]): Bytes | null {
	return sumOf(pids, /^VmRSS:\s+(\d+) kB/m);
}

function sumOf(pids: readonly number[], line: RegExp): Bytes | null {
	let sum: number | null = null;
	for (const pid of pids) {
		const kilobytes = line.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
		if (kilobytes !== undefined) sum = (sum ?? 0) + Number(kilobytes) * 1024;
	}
	return sum;
}

/** Returns the CPU seconds since boot of these CPUs, or of all CPUs, without interrupts and idle time. */
export function readMachineBusy(cpus?: readonly number[]): Seconds | null {
	const names = cpus?.map((cpu) => `cpu${cpu} `) ?? ['cpu '];
	const lines = readText('/proc/stat')?.split('\n') ?? [];
	const busy = lines.flatMap((line) => {
		if (!names.some((name) => line.startsWith(name))) return [];
		// cpu user nice system idle iowait irq softirq steal
		const [, user, nice, system] = line.trim().split(/\s+/);
		return (Number(user) + Number(nice) + Number(system)) / TICKS_PER_SECOND;
	});
	return busy.length === names.length ? busy.reduce((sum, seconds) => sum + seconds, 0) : null;
}

export function readIdle(cpu: number): Seconds | null {
	const line = readText('/proc/stat')
		?.split('\n')
		.find((text) => text.startsWith(`cpu${cpu} `));
	const fields = line?.split(/\s+/);
	return fields ? (Number(fields[4]) + Number(fields[5])) / TICKS_PER_SECOND : null;
}

export function readFolder(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
}

export function readText(path: string): string | null {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return null;
	}
}

/** Number of the first field that `readStat` returns. */
export const FIRST = 3;

/**
 * Returns the fields of a process's or thread's `stat` after the name, which may contain `)`: state, ppid, pgrp, … (see
 * proc_pid_stat(5)). Empty when it is gone.
 */
export function readStat(folder: string): readonly string[] {
	const text = readText(`${folder}/stat`);
	return text === null ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

interface ListedProcess {
	readonly parent: number;
	readonly group: number;
	/** Correct even for a non-dumpable process, because only the files inside its /proc folder then belong to root. */
	readonly owner: number;
}

interface Known extends ListedProcess {
	/** Inode of its /proc folder. A later process with this id has another inode. */
	readonly inode: number;
}

/**
 * Returns a function that lists processes by id. One seen alive stays listed until reaped. A call costs one lookup per
 * process, and two more per new or adopted one.
 */
export function createProcessList(proc = '/proc'): () => ReadonlyMap<number, ListedProcess> {
	let lastProcesses: ReadonlyMap<number, Known> = new Map();
	return () => {
		const now = new Map<number, Known>();
		for (const name of readFolder(proc)) {
			const pid = Number(name);
			const stats = Number.isInteger(pid) ? statOf(`${proc}/${name}`) : null;
			if (stats === null) continue;
			const before = lastProcesses.get(pid);
			const same = before?.inode === stats.ino && before.owner === stats.uid;
			const process = same ? before : readProcess(proc, pid, stats);
			if (process !== null) now.set(pid, process);
		}
		const isAdopted = ({ parent }: Known) => now.get(parent)?.inode !== lastProcesses.get(parent)?.inode;
		for (const [pid, process] of now) {
			if (process !== lastProcesses.get(pid) || !isAdopted(process)) continue;
			const again = readProcess(proc, pid, { ino: process.inode, uid: process.owner });
			if (again === null) now.delete(pid);
			else now.set(pid, again);
		}
		lastProcesses = now;
		return now;
	};
}

function readProcess(proc: string, pid: number, { ino, uid }: Pick<Stats, 'ino' | 'uid'>): Known | null {
	const [state, parent, group] = readStat(`${proc}/${pid}`);
	return hasLivingThread(proc, pid, state)
		? { parent: Number(parent), group: Number(group), owner: uid, inode: ino }
		: null;
}

/** Whether a process runs. After its first thread ended, it looks like a zombie while other threads work. */
function hasLivingThread(proc: string, pid: number, state: string | undefined): boolean {
	return state !== undefined && (state !== 'Z' || readFolder(`${proc}/${pid}/task`).length > 1);
}

function statOf(path: string): Stats | null {
	try {
		return statSync(path, { throwIfNoEntry: false }) ?? null;
	} catch {
		return null;
	}
}
