/** What each worker process of a server used, told from outside by /proc. */
import { listTree, readResident, readTreeTimes, type TreeTimes, usedBetween } from '../../process/process-tree.ts';
import type { WorkerFigures } from '../../types/round.ts';

/** A moment from which on work is counted. */
export interface WorkersSince {
	readonly at: number;
	readonly times: TreeTimes;
}

/** Returns the moment, and what the processes of a server had used by then. */
export function watchWorkers(root: number): WorkersSince {
	return { at: performance.now(), times: readTreeTimes(listTree(root)) };
}

/** Returns what every process below `root` has used since; without `root` itself, which only hands out connections. */
export function readWorkers(root: number, since: WorkersSince): readonly WorkerFigures[] {
	const seconds = (performance.now() - since.at) / 1000;
	return listTree(root)
		.filter((pid) => pid !== root)
		.map((pid) => ({ cpus: usedBetween(since.times, readTreeTimes([pid])) / seconds, memory: readResident([pid]) }));
}
