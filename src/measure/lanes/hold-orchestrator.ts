import { spawnSync } from 'node:child_process';
import { readCpuFacts } from './cpu-facts.ts';

const TASKSET_MS = 10_000;

/**
 * Holds this process, with all threads and what it starts from now on, on `cpus`, so that it does not run where servers do; what is
 * pinned itself is not touched. Returns what lets it go again. Nothing happens where that is not allowed.
 */
export function holdOrchestrator(cpus: readonly number[]): () => void {
	const { allowed } = readCpuFacts();
	const moveTo = (list: readonly number[]) => {
		const argv = ['-a', '-p', '-c', list.join(','), String(process.pid)];
		return spawnSync('taskset', argv, { stdio: 'ignore', timeout: TASKSET_MS }).status === 0;
	};
	return moveTo(cpus) ? () => void moveTo(allowed) : () => {};
}
