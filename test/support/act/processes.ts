/** Processes of one run of act, found by its scratch folder, whatever session or process group they moved to. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MARKER_NAME } from '../../../src/process/janitor.ts';

export interface FoundProcess {
	readonly pid: number;
	readonly command: string;
	/** Value of the variable that the janitor gives to everything it starts; null without it. */
	readonly marker: string | null;
}

/** Returns the living processes that were started from `folder`, stand in it, or whose variables name it. */
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
			// Gone meanwhile, or a zombie.
			return [];
		}
	});
}

/** Waits for the last process of `folder` to end, kills what is left after so many seconds, and returns those. */
export async function endProcesses(folder: string, seconds: number): Promise<FoundProcess[]> {
	const due = performance.now() + 1000 * seconds;
	while (findProcesses(folder).length > 0) {
		if (performance.now() >= due) return killProcesses(folder);
		await delay(50);
	}
	return [];
}

/** Kills every process of `folder` and returns which there were. */
export function killProcesses(folder: string): FoundProcess[] {
	const found = findProcesses(folder);
	for (const { pid } of found) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// Gone meanwhile.
		}
	}
	return found;
}
