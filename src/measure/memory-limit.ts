/** Kills a server that exceeds its memory limit. */
import { listTree, readResident, readText } from '../process/process-tree.ts';
import { formatPair } from '../text/numbers.ts';
import type { Bytes } from '../types/units.ts';

/** Exit code of a shell whose program was killed by SIGKILL. */
const KILLED_IN_SHELL = 128 + 9;

/** By then a process that allocates at full speed exceeds its limit by a few dozen MB. */
const LOOK_MS = 50;
/** Every tenth check also lists the process tree, which takes longer. */
const LIST_EVERY = 10;

export interface MemoryWatch {
	/** The kill, as part of a sentence about the server. */
	reached(): string | null;
	stop(): void;
}

/**
 * Calls `kill` once a process tree's resident memory exceeds `limit` (shared memory counts once per process). Does
 * nothing where the figure is missing. Source: docs/decisions/0054-limits-are-watched.md.
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

export function readOomKills(): number | null {
	const count = /^oom_kill (\d+)$/m.exec(readText('/proc/vmstat') ?? '')?.[1];
	return count === undefined ? null : Number(count);
}

/**
 * Returns part of a sentence that blames the kernel's OOM killer if its count rose above `since`, else null. Its
 * victims need not have used the memory.
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
