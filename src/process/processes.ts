import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandOf, identifyProcess, isAlive, type KnownProcess } from './followed-tree.ts';
import { listTree, readStat } from './process-tree.ts';

const HAS_PROC = process.platform === 'linux';

/** Ignores a group that is gone or belongs to another user. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
			throw error;
	}
}

/** Whether the group led by `pid` lives. Zombies count until they are reaped. */
export function groupIsAlive(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch (error) {
		// It is alive, but belongs to another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/**
 * Returns the processes whose initial environment contains `entry` (`NAME=value`), even outside their group. Empty
 * without /proc. Other users' processes are invisible.
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
			// Gone, or another user's.
		}
	}
	return marked;
}

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

/** Returns those that a signal or a debugger stopped. */
export function findStopped(pids: readonly number[]): number[] {
	return pids.filter((pid) => /^[Tt]/.test(readStat(`/proc/${pid}`)[0] ?? ''));
}

export function killMarked(entry: string): number {
	const marked = findMarked(entry);
	for (const pid of marked) signalProcess(pid, 'SIGKILL');
	return marked.length;
}

/** Enough time for a fork to reach its exec on a busy machine. */
const SCAN_PAUSE_MS = 100;
/** About a minute. The operating system must handle a tree that forks faster than it is killed. */
const MAX_SCANS = 600;
const BURIAL_MS = 2_000;
const BURIAL_POLL_MS = 10;

/**
 * SIGKILLs processes whose environment contains `entry` until two scans in a row find no process, because a child has
 * no marker between fork and exec.
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
 * SIGKILLs the `others` and processes whose environment contains `entry`, and returns their command lines. Usually
 * there are no such processes, and one scan suffices.
 */
export async function endLeftBehind(entry: string, others: readonly KnownProcess[] = []): Promise<string[]> {
	const marked = findMarked(entry);
	const otherPids = others.filter(isAlive).map(({ pid }) => pid);
	const pids = [...new Set([...marked, ...otherPids])];
	if (pids.length === 0) return [];
	const commands = pids.map(commandOf).filter((command) => command !== '');
	for (const pid of pids) signalProcess(pid, 'SIGKILL');
	await endMarked(entry);
	for (const due = performance.now() + BURIAL_MS; others.some(isAlive) && performance.now() < due; ) {
		await delay(BURIAL_POLL_MS);
	}
	return commands;
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// Gone, or not ours.
	}
}

const GRACE_MS = 2_000;

interface Running<T> extends PromiseLike<T> {
	readonly pid?: number | undefined;
}

/**
 * Returns a program's outcome and whether it timed out. On timeout or abort, it and its descendants get SIGTERM, and
 * SIGKILL two seconds later. It stays in our process group, to prompt at the terminal.
 */
export async function endInTime<T>(
	running: Running<T>,
	{ ms, signal }: { readonly ms: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly outcome: T; readonly timedOut: boolean }> {
	const { pid } = running;
	const timers: NodeJS.Timeout[] = [];
	let timedOut = false;
	let doomed: readonly KnownProcess[] = [];
	const kill = () => {
		for (const one of doomed.filter(isAlive)) signalProcess(one.pid, 'SIGKILL');
	};
	const stop = () => {
		if (pid === undefined) return;
		doomed = listTree(pid).flatMap((one) => identifyProcess(one) ?? []);
		for (const one of doomed) signalProcess(one.pid, 'SIGTERM');
		// Without /proc, the descendants are unknown.
		if (doomed.length === 0) signalProcess(pid, 'SIGTERM');
		timers.push(setTimeout(kill, GRACE_MS));
	};
	const stopLate = () => {
		timedOut = true;
		stop();
	};
	signal?.addEventListener('abort', stop, { once: true });
	timers.push(setTimeout(stopLate, ms));
	try {
		const outcome = await running;
		return { outcome, timedOut };
	} finally {
		signal?.removeEventListener('abort', stop);
		for (const timer of timers) clearTimeout(timer);
		// A descendant that closed its output may outlive the program.
		kill();
	}
}
