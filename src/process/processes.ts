/** Finds, signals and ends processes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandOf, isAlive, type KnownProcess } from './followed-tree.ts';

/** Whether this platform tells about processes through /proc (Linux). */
const HAS_PROC = process.platform === 'linux';

/** Sends `signal` to every process of the group led by `pid`; a group that is gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
			throw error;
	}
}

/** Returns whether any process of the group led by `pid` is alive. A group of zombies counts as alive until reaped. */
export function groupIsAlive(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch (error) {
		// Somebody else's, and alive.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/**
 * Returns the ids of processes whose start environment holds `entry` (`NAME=value`): children that left their process
 * group still carry it. Empty where there is no /proc; processes of other users are not seen.
 */
export function findMarked(entry: string): number[] {
	if (!HAS_PROC) return [];
	const marked: number[] = [];
	for (const name of readdirSync('/proc')) {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) continue;
		try {
			if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)) marked.push(pid);
		} catch {
			// Gone meanwhile, or another user's.
		}
	}
	return marked;
}

/** Returns the ids of the users that run the processes; those that are gone are left out. */
export function ownersOf(pids: readonly number[]): Set<number> {
	return new Set(
		pids.flatMap((pid) => {
			try {
				return [statSync(`/proc/${pid}`).uid];
			} catch {
				return [];
			}
		}),
	);
}

/** Returns those of the processes that a signal or a debugger has stopped. */
export function findStopped(pids: readonly number[]): number[] {
	return pids.filter((pid) => {
		try {
			const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
			return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
		} catch {
			return false;
		}
	});
}

/** SIGKILLs every process whose environment holds `entry` and returns how many there were. */
export function killMarked(entry: string): number {
	const marked = findMarked(entry);
	for (const pid of marked) signalProcess(pid, 'SIGKILL');
	return marked.length;
}

/** Time between two scans for marked processes: enough for a fork to reach its exec on a busy machine. */
const SCAN_PAUSE_MS = 100;
/** A tree that forks faster than it is killed is left to the operating system after this many scans, about a minute. */
const MAX_SCANS = 600;
/** How long the kernel may take to bury what was killed. */
const BURIAL_MS = 2_000;
const BURIAL_POLL_MS = 10;

/**
 * SIGKILLs processes whose environment holds `entry` until two scans in a row find none. One scan is not enough after a kill: a
 * child that has forked but not yet called exec has no marker, and the next scan finds it. `pause` waits between two scans.
 */
export async function endMarked(
	entry: string,
	pause: () => Promise<unknown> = () => delay(SCAN_PAUSE_MS),
): Promise<void> {
	for (let scan = 0, quiet = 0; quiet < 2 && scan < MAX_SCANS; scan++) {
		quiet = killMarked(entry) === 0 ? quiet + 1 : 0;
		if (quiet < 2) await pause();
	}
}

/**
 * SIGKILLs every process whose environment holds `entry`, and these `others`, and returns their command lines. One scan when
 * there are none, as is usual; else it goes on until two scans in a row find none.
 */
export async function endLeftBehind(entry: string, others: readonly KnownProcess[] = []): Promise<string[]> {
	const marked = findMarked(entry);
	const known = others.filter(isAlive).map(({ pid }) => pid);
	const left = [...new Set([...marked, ...known])];
	if (left.length === 0) return [];
	const commands = left.map(commandOf).filter((command) => command !== '');
	for (const pid of left) signalProcess(pid, 'SIGKILL');
	await endMarked(entry);
	for (const due = performance.now() + BURIAL_MS; others.some(isAlive) && performance.now() < due; ) {
		await delay(BURIAL_POLL_MS);
	}
	return commands;
}

/** Sends `signal` to one process; one that is gone, or somebody else's, is fine. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// Gone meanwhile, or not ours.
	}
}
