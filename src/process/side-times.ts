/** CPU time of one side: of its control group where it has one, which also knows what has ended, else of the processes that live. */
import type { Seconds } from '../types/units.ts';
import { readFolder, readText, readTreeTimes, type TreeTimes, usedBetween } from './process-tree.ts';
import { listGroupThreads, readGroupTime } from './users/control-group.ts';

/** Where the CPU time of a side is read. */
export interface SideSource {
	/** Folder of its control group; absent where it has none. */
	readonly group?: string;
	/** Its processes, for where it has none. */
	readonly tree: readonly number[];
}

/** CPU time of a side at one moment. */
export type SideTimes = Seconds | TreeTimes;

/** Returns the CPU time that a side has used so far. */
export function readSideTimes({ group, tree }: SideSource): SideTimes {
	return (group === undefined ? null : readGroupTime(group)) ?? readTreeTimes(tree);
}

/**
 * Returns the CPU seconds that a side used between two readings; null where it cannot be told. `born` are processes that began between
 * them: they count whole.
 */
export function sideUsedBetween(first: SideTimes, last: SideTimes, born: readonly number[] = []): Seconds | null {
	if (typeof first === 'number' || typeof last === 'number') {
		return typeof first === 'number' && typeof last === 'number' ? last - first : null;
	}
	if (first.size === 0 || last.size === 0) return null;
	return usedBetween(first, born.length === 0 ? last : new Map([...last, ...readTreeTimes(born)]));
}

/** A thread of the kernel's that does input and output for io_uring (PF_IO_WORKER): it need not stay on the CPUs of its process. */
const IO_WORKER = 0x10;

/** Returns whether a thread of the side last ran on another CPU than `cpu`. Fields 9 and 39 of proc_pid_stat(5). */
export function hasLeftCpu({ group, tree }: SideSource, cpu: number): boolean {
	const threads = group === undefined ? [] : listGroupThreads(group);
	const paths = [
		...threads.map((thread) => `/proc/${thread}/task/${thread}`),
		...tree.flatMap((pid) => readFolder(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)),
	];
	return paths.some((path) => {
		const stat = readText(`${path}/stat`);
		// The name in parentheses may contain anything, so fields are counted from its end.
		const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
		const [flags, last] = [fields[9 - 3], fields[39 - 3]];
		return last !== undefined && Number(last) !== cpu && (Number(flags) & IO_WORKER) === 0;
	});
}
