/** Kills a server that uses more memory than it may. */
import { listTree, readResident, readText } from '../process/process-tree.ts';
import { formatPair } from '../text/numbers.ts';
import type { Bytes } from '../types/units.ts';

/** A shell says so of a program that somebody killed. */
const KILLED_IN_SHELL = 128 + 9;

/** A process that allocates as fast as it can is a few dozen MB beyond its limit by then. */
const LOOK_MS = 50;
/** One look in this many asks which processes there are, which takes longer than reading what they use. */
const LIST_EVERY = 10;

export interface MemoryWatch {
	/** What it used when it was killed, as a part of a sentence about it; null when it was not. */
	reached(): string | null;
	stop(): void;
}

/**
 * Watches the resident memory of a process and all it started, and calls `kill` once it is more than `limit`. Where the platform does
 * not tell, nothing happens. What processes share counts in each of them. Source of the choice: docs/decisions/0054-limits-are-watched.md.
 */
export function watchMemory(pid: number, limit: Bytes, kill: () => void): MemoryWatch {
	let tree: readonly number[] = [pid];
	let looks = 0;
	let killedAt: Bytes | null = null;
	const look = () => {
		if (looks++ % LIST_EVERY === 0) tree = listTree(pid);
		const used = readResident(tree);
		if (used === null || used <= limit) return;
		killedAt = used;
		clearInterval(timer);
		kill();
	};
	const timer = setInterval(look, LOOK_MS).unref();
	return {
		reached() {
			if (killedAt === null) return null;
			const { base: used, head: most, unit } = formatPair(killedAt / 1e6, limit / 1e6, 'MB');
			return `used ${used} ${unit} of memory, more than the limit of ${most} ${unit} (memory-limit), and was killed`;
		},
		stop: () => clearInterval(timer),
	};
}

// Whether the kernel ended processes because memory ran out.

/** Returns how many processes the kernel has ended on this machine because memory ran out; null where nobody counts. */
export function readOomKills(): number | null {
	const count = /^oom_kill (\d+)$/m.exec(readText('/proc/vmstat') ?? '')?.[1];
	return count === undefined ? null : Number(count);
}

/**
 * Returns that memory ran out, as a part of a sentence about a server that ended so, when the kernel has ended processes because of that
 * `since` it was started; else null. The kernel chooses whom it ends: whoever used the memory need not be among them.
 */
export function describeOomKill(
	{ exitCode, signalCode }: { readonly exitCode: number | null; readonly signalCode: string | null },
	since: number | null,
	now: number | null = readOomKills(),
): string | null {
	const killed = signalCode === 'SIGKILL' || exitCode === KILLED_IN_SHELL;
	if (!killed || since === null || now === null || now <= since) return null;
	return 'was killed while the kernel ended processes because memory ran out';
}
