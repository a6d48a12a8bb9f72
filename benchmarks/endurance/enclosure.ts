/** Finds all processes of a run by a control group that they cannot leave, or by its folder if no group can be made. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcesses } from '../../test/support/act/processes.ts';

/** Hierarchies in which a group does not change how CPU time is shared. */
const HIERARCHIES = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];
const ENTER = 'echo $$ >"$0"/cgroup.procs && exec "$@"';

export interface Process {
	readonly pid: number;
	readonly command: string;
}

export interface Enclosure {
	/** Returns a command that runs `argv` and all its descendants in the enclosure. */
	wrap(argv: readonly string[]): readonly string[];
	/** Returns its living processes, without zombies. */
	list(): Process[];
	remove(): void;
}

/** Returns an enclosure of that name for a run that uses `folder` alone. */
export function makeEnclosure(name: string, folder: string): Enclosure {
	for (const hierarchy of HIERARCHIES) {
		const group = join(hierarchy, name);
		try {
			mkdirSync(group);
			writeFileSync(join(group, 'cgroup.procs'), '');
		} catch {
			continue;
		}
		return {
			wrap: (argv) => ['/bin/sh', '-c', ENTER, group, ...argv],
			list: () => readFileSync(join(group, 'cgroup.procs'), 'utf8').trim().split('\n').flatMap(describe),
			remove: () => rmdirSync(group),
		};
	}
	return { wrap: (argv) => argv, list: () => findProcesses(folder), remove: () => {} };
}

function describe(line: string): Process[] {
	const pid = Number(line);
	try {
		const state = /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
		return pid > 0 && state !== 'Z' && state !== 'X' ? [{ pid, command }] : [];
	} catch {
		// It has ended.
		return [];
	}
}
