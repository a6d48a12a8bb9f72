/** Whether the kernel ended processes because memory ran out. */
import { readText } from '../../process/process-tree.ts';

/** A shell says so of a program that somebody killed. */
const KILLED_IN_SHELL = 128 + 9;

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
