/** CPU time of a side, from its control group, which counts ended processes, or else from live processes. */
import type { Seconds } from '../types/units.ts';
import { FIRST, readFolder, readStat, readTreeTimes, type TreeTimes, usedBetween } from './process-tree.ts';
import { listGroupThreads, readGroupTime } from './users/control-group.ts';

export interface SideSource {
	readonly group?: string;
	/** Used without a control group. */
	readonly tree: readonly number[];
}

export type SideTimes = Seconds | TreeTimes;

export function readSideTimes({ group, tree }: SideSource): SideTimes {
	return (group === undefined ? null : readGroupTime(group)) ?? readTreeTimes(tree);
}

/**
 * Returns the CPU seconds between two readings; null if unknown. Processes in `born` started in between and count in
 * full.
 */
export function sideUsedBetween(first: SideTimes, last: SideTimes, born: readonly number[] = []): Seconds | null {
	if (typeof first === 'number' || typeof last === 'number') {
		return typeof first === 'number' && typeof last === 'number' ? last - first : null;
	}
	if (first.size === 0 || last.size === 0) return null;
	return usedBetween(first, born.length === 0 ? last : new Map([...last, ...readTreeTimes(born)]));
}

/** PF_IO_WORKER: an io_uring thread, which may leave the CPUs of its process. */
const IO_WORKER = 0x10;

/** Whether a thread last ran on another CPU than `cpu` (fields 9 and 39 of proc_pid_stat(5)). */
export function hasLeftCpu({ group, tree }: SideSource, cpu: number): boolean {
	const threads = group === undefined ? [] : listGroupThreads(group);
	const paths = [
		...threads.map((thread) => `/proc/${thread}/task/${thread}`),
		...tree.flatMap((pid) => readFolder(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)),
	];
	return paths.some((path) => {
		const fields = readStat(path);
		const [flags, last] = [fields[9 - FIRST], fields[39 - FIRST]];
		return last !== undefined && Number(last) !== cpu && (Number(flags) & IO_WORKER) === 0;
	});
}
