/** Finds processes of one run of act by its scratch folder, in any session or process group. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MARKER_NAME } from '../../../src/process/janitor.ts';

export interface FoundProcess {
	readonly pid: number;
	readonly command: string;
	/** The janitor's environment variable, if set. */
	readonly marker: string | null;
}

/** Returns living processes started from `folder`, or with it as working directory or in their environment. */
export function findProcesses(folder: string): FoundProcess[] {
	return readdirSync('/proc').flatMap((name) => {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) return [];
		try {
			const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
			const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
			const traces = [command, environ, readlinkSync(`/proc/${pid}/cwd`)];
			if (!traces.some((trace) => trace.includes(folder))) return [];
			const marker = environ.split('\0').find((entry) => entry.startsWith(`${MARKER_NAME}=`)) ?? null;
			return [{ pid, command, marker }];
		} catch {
			// Already exited, or a zombie.
			return [];
		}
	});
}

/** Waits for the processes of `folder` to exit, then kills and returns the rest. */
export async function endProcesses(folder: string, seconds: number): Promise<FoundProcess[]> {
	const due = performance.now() + 1000 * seconds;
	while (findProcesses(folder).length > 0) {
		if (performance.now() >= due) return killProcesses(folder);
		await delay(50);
	}
	return [];
}

/** Kills and returns all processes of `folder`. */
export function killProcesses(folder: string): FoundProcess[] {
	const pids = findProcesses(folder);
	for (const { pid } of pids) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// Already exited.
		}
	}
	return pids;
}
