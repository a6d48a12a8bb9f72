/** Reads CPU time and memory of process trees from /proc. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Bytes, Seconds, Sides } from '../types/units.ts';
import { createProcessList, hasLivingThread, type ListedProcess, readStat } from './process-list.ts';
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
	return tree.filter((pid) => hasLivingThread('/proc', pid, readStat('/proc', pid)?.state));
}

/** Returns all processes of the run's user if such a user owns the tree, without root's processes that started it. */
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

/** Returns whether any thread runs or waits for a CPU. */
export function isRunning(pids: readonly number[]): boolean {
	return pids.some((pid) =>
		readFolder(`/proc/${pid}/task`).some((thread) => {
			const stat = readText(`/proc/${pid}/task/${thread}/stat`);
			return stat !== null && stat.charAt(stat.lastIndexOf(')') + 2) === 'R';
		}),
	);
}

/** NaN when the process is gone. */
function readTotal(pid: number): Seconds {
	const stat = readText(`/proc/${pid}/stat`) ?? '';
	// Fields after the name, which may contain `)`: utime, stime, cutime, cstime.
	const fields = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 15);
	return fields.length === 4 ? sum(fields.map(Number)) / TICKS_PER_SECOND : Number.NaN;
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

/** Resets the kernel's peak counters, so that the next reading covers this turn only. */
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
