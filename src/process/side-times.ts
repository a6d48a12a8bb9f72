/** CPU time of one side: from its control group, which also counts ended processes, else from its live processes. */
import type { Seconds } from '../types/units.ts';
import { readFolder, readText, readTreeTimes, type TreeTimes, usedBetween } from './process-tree.ts';
import { listGroupThreads, readGroupTime } from './users/control-group.ts';

/** Source of a side's CPU time. */
export interface SideSource {
	/** Folder of its control group, if any. */
	readonly group?: string;
	/** Process ids, used without a control group. */
	readonly tree: readonly number[];
}

/** CPU time of a side at one moment. */
export type SideTimes = Seconds | TreeTimes;

/** Returns the CPU time of a side so far. */
export function readSideTimes({ group, tree }: SideSource): SideTimes {
	return (group === undefined ? null : readGroupTime(group)) ?? readTreeTimes(tree);
}

/**
 * Returns the CPU seconds of a side between two readings; null where unknown. `born` are processes that started between them: they count in
 * full.
 */
export function sideUsedBetween(first: SideTimes, last: SideTimes, born: readonly number[] = []): Seconds | null {
	if (typeof first === 'number' || typeof last === 'number') {
		return typeof first === 'number' && typeof last === 'number' ? last - first : null;
	}
	if (first.size === 0 || last.size === 0) return null;
	return usedBetween(first, born.length === 0 ? last : new Map([...last, ...readTreeTimes(born)]));
}

/** Flag of a kernel thread that does io_uring's input and output (PF_IO_WORKER): it need not stay on the CPUs of its process. */
const IO_WORKER = 0x10;

/** Returns whether a thread of the side last ran on a CPU other than `cpu` (fields 9 and 39 of proc_pid_stat(5)). */
export function hasLeftCpu({ group, tree }: SideSource, cpu: number): boolean {
	const threads = group === undefined ? [] : listGroupThreads(group);
	const paths = [
		...threads.map((thread) => `/proc/${thread}/task/${thread}`),
		...tree.flatMap((pid) => readFolder(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)),
	];
	return paths.some((path) => {
		const stat = readText(`${path}/stat`);
		// The name in parentheses may contain spaces and parentheses, so count fields after the last one.
		const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
		const [flags, last] = [fields[9 - 3], fields[39 - 3]];
		return last !== undefined && Number(last) !== cpu && (Number(flags) & IO_WORKER) === 0;
	});
}
