/** Which CPU the servers share and which one the generator gets. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface Affinity {
	/** True when servers and generator are held on CPUs of their own. */
	readonly pinned: boolean;
	/** True when nothing else of ours runs on the generator's CPU, so that it may stay awake. */
	readonly generatorAlone: boolean;
	/** CPU the servers are held on. */
	readonly serverCpu: number | null;
	/** For reports: which CPUs, or why there is none and what that means. */
	readonly note: string;
	/** Returns `argv` so that the started process and all its threads stay on the CPU of that role. */
	pin(role: 'server' | 'generator', argv: readonly string[]): string[];
}

/**
 * Returns the affinity this machine allows: servers on the first allowed CPU, the generator on the first allowed one that
 * is not a hyperthread of it. Without `taskset`, permission or a second CPU nothing is pinned and the note says so.
 */
export function findAffinity(): Affinity {
	if (process.platform !== 'linux') return unpinned(`${process.platform} cannot pin processes to CPUs`);
	const allowed = allowedCpus();
	const [server] = allowed;
	if (server === undefined || allowed.length < 2) return unpinned('only one CPU is allowed to this process');
	const siblings = parseCpuList(readText(`/sys/devices/system/cpu/cpu${server}/topology/thread_siblings_list`));
	const generator = allowed.find((cpu) => cpu !== server && !siblings.includes(cpu)) ?? allowed[1];
	for (const cpu of [server, generator]) {
		const attempt = spawnSync('taskset', ['-c', String(cpu), 'true'], { encoding: 'utf8' });
		if (attempt.error) return unpinned('the command taskset is not installed (Debian and Ubuntu: package util-linux)');
		if (attempt.status !== 0) return unpinned(`taskset is not permitted: ${attempt.stderr.trim()}`);
	}
	const cpus = { server, generator };
	return {
		pinned: true,
		// A container may have two CPUs and the time of one: staying awake would use up what the servers need.
		generatorAlone: availableParallelism() > 1,
		serverCpu: server,
		note: `both servers on CPU ${server}, generator on CPU ${generator}`,
		pin: (role, argv) => ['taskset', '-c', String(cpus[role]), ...argv],
	};
}

function unpinned(why: string): Affinity {
	return {
		pinned: false,
		generatorAlone: false,
		serverCpu: null,
		note: `not pinned: ${why}; expect more noise and more rounds`,
		pin: (_role, argv) => [...argv],
	};
}

function allowedCpus(): number[] {
	return parseCpuList(/^Cpus_allowed_list:\s*(.+)$/m.exec(readText('/proc/self/status'))?.[1] ?? '');
}

/** Returns the numbers of a kernel CPU list such as `0-3,8`. */
export function parseCpuList(text: string): number[] {
	return text
		.trim()
		.split(',')
		.filter((part) => part !== '')
		.flatMap((part) => {
			const [first = Number.NaN, last = first] = part.split('-').map(Number);
			return Array.from({ length: last - first + 1 }, (_, index) => first + index);
		});
}

function readText(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}
