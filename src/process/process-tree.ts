/** CPU time and memory of a server's whole process tree, read from /proc by the generator at window borders. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Bytes, Seconds, Sides } from '../types/units.ts';
import { createProcessList, hasLivingThread, type ListedProcess, readStat } from './process-list.ts';
import { isRunUser } from './users/run-users.ts';

const NANOSECONDS = 1e9;
/** Unit of /proc/stat on every Linux that matters. */
const TICKS_PER_SECOND = 100;
/** Stands among the threads of a process for those, and for its children, that have ended. */
const ENDED = 'ended';
/** The kernel tells what a process used as four numbers of ticks, each cut off: less than this may be nothing. */
const LEAST_ENDED: Seconds = 4 / TICKS_PER_SECOND;

/** CPU time of one process so far, by thread. */
type ThreadTimes = ReadonlyMap<string, number>;

/** CPU times of a tree at one moment: process id → thread id → seconds. */
export type TreeTimes = ReadonlyMap<number, ThreadTimes>;

const listProcesses = createProcessList();

/**
 * Returns the ids of `root`, of its descendants, and of every process in its process group. Empty when the platform has
 * no /proc or the process is gone.
 */
export function listTree(root: number): number[] {
	return findTree(root, listProcesses());
}

/** Returns the same of both sides' processes, for the price of one. */
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
	return tree.filter((pid) => hasLivingThread('/proc', pid, readStat('/proc', pid)?.state));
}

/**
 * A tree that runs as a user of the run's own is all that this user runs, also what left the tree, without the processes of
 * root that started it. Any other is as it is.
 */
function withUser(tree: readonly number[], all: ReadonlyMap<number, ListedProcess>): number[] {
	const owners = new Map(tree.map((pid) => [pid, ownerOf(pid)]));
	const users = new Set([...owners.values()].filter((uid) => uid !== null && isRunUser(uid)));
	if (users.size === 0) return [...tree];
	return [...all].flatMap(([pid, { owner }]) =>
		users.has(owners.has(pid) ? (owners.get(pid) ?? null) : owner) ? [pid] : [],
	);
}

/** The real user, whatever the process has done to hide it. */
function ownerOf(pid: number): number | null {
	const uid = /^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
	return uid === undefined ? null : Number(uid);
}

/**
 * Returns the CPU times of the given processes, thread by thread, in seconds, and what the kernel keeps of their threads and children
 * that have ended; gone processes are left out.
 */
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

/** Returns whether a thread of these processes has a CPU, or waits for one. */
export function isRunning(pids: readonly number[]): boolean {
	return pids.some((pid) =>
		readFolder(`/proc/${pid}/task`).some((thread) => {
			const stat = readText(`/proc/${pid}/task/${thread}/stat`);
			// The name in parentheses may contain anything.
			return stat !== null && stat.charAt(stat.lastIndexOf(')') + 2) === 'R';
		}),
	);
}

/** All that a process has used, with its threads and children that have ended; NaN when it is gone. */
function readTotal(pid: number): Seconds {
	const stat = readText(`/proc/${pid}/stat`) ?? '';
	// The name in parentheses may contain anything, so fields are counted from its end: utime, stime, cutime, cstime.
	const fields = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 15);
	return fields.length === 4 ? sum(fields.map(Number)) / TICKS_PER_SECOND : Number.NaN;
}

/**
 * Returns the CPU seconds a tree used between two readings. Threads and processes born between them count from zero. What ended
 * between them counts where the kernel keeps it with a process that lives on, from some ticks of it on: of a child, unless another
 * process than its parent buried it.
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
	// What a child used before the first reading is none of this time.
	for (const [pid, threads] of first) if (!last.has(pid)) ended -= sum(threads.values());
	return used + Math.max(0, ended);
}

/** What threads that are gone had used when they were read. */
function gone(before: ThreadTimes | undefined, now: ThreadTimes): Seconds {
	return sum([...(before ?? [])].flatMap(([thread, seconds]) => (now.has(thread) ? [] : [seconds])));
}

function sum(values: Iterable<number>): number {
	let total = 0;
	for (const value of values) total += value;
	return total;
}

/** Makes the kernel forget the memory peaks of the given processes, so that the next reading is of this turn alone. */
export function resetMemoryPeaks(pids: readonly number[]): void {
	for (const pid of pids) {
		try {
			writeFileSync(`/proc/${pid}/clear_refs`, '5');
		} catch {
			// Not permitted: the peak is then that of the process's whole life, equally on both sides.
		}
	}
}

/** Returns the sum of the processes' resident memory peaks in bytes, or null when none can be read. */
export function readMemoryPeak(pids: readonly number[]): Bytes | null {
	return sumOf(pids, /^VmHWM:\s+(\d+) kB/m);
}

/**
 * Returns the sum of the processes' resident memory in bytes, or null when none can be read. What processes share counts in each of
 * them, equally on both sides.
 */
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

/** Returns the CPU seconds all processes used since boot on these CPUs, or the whole machine, without interrupts and idling, or null. */
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

/** Returns the seconds one CPU had nothing to do since boot, or null. */
export function readIdle(cpu: number): Seconds | null {
	const line = readText('/proc/stat')
		?.split('\n')
		.find((text) => text.startsWith(`cpu${cpu} `));
	const fields = line?.split(/\s+/);
	return fields ? (Number(fields[4]) + Number(fields[5])) / TICKS_PER_SECOND : null;
}

/** Returns the names in a folder of the kernel's; none when it cannot be read. */
export function readFolder(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		return [];
	}
}

/** Returns the text of a file of the kernel's; null when it cannot be read. */
export function readText(path: string): string | null {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return null;
	}
}
