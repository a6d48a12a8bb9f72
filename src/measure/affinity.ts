/** Which CPU the servers share and which one the generator gets. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Warning } from '../types/units.ts';
import { type CpuChoice, chooseCpus, readCpuFacts } from './choose-cpus.ts';

/** A command that does nothing takes no longer. */
const TASKSET_MS = 10_000;

export interface Affinity {
	/** True when servers and generator are held on CPUs of their own. */
	readonly pinned: boolean;
	/** True when nothing else of ours runs on the generator's CPU, so that it may stay awake. */
	readonly generatorAlone: boolean;
	/** CPU the servers are held on. */
	readonly serverCpu: number | null;
	/** For reports: which CPUs, or why there is none and what that means. */
	readonly note: string;
	/** What makes results worse than they could be. */
	readonly warnings: readonly Warning[];
	/** Returns `argv` so that the started process and all its threads stay on the CPU of that role; workers on all but the generator's. */
	pin(role: 'server' | 'workers' | 'generator', argv: readonly string[]): string[];
}

/**
 * Returns the affinity this machine allows: servers on one CPU, the generator on one of another core where there is one. Without
 * `taskset`, permission or a second CPU nothing is pinned. The note says what holds.
 */
export function findAffinity(): Affinity {
	if (process.platform !== 'linux') return unpinned(`${process.platform} cannot pin processes to CPUs`);
	const facts = readCpuFacts();
	const chosen = chooseCpus(facts);
	if (chosen === null) return unpinned('only one CPU is allowed to this process');
	const { server, generator, oneCore } = chosen;
	for (const cpu of [server, generator]) {
		const attempt = spawnSync('taskset', ['-c', String(cpu), 'true'], { encoding: 'utf8', timeout: TASKSET_MS });
		if (attempt.error) return unpinned('the command taskset is not installed (Debian and Ubuntu: package util-linux)');
		if (attempt.status !== 0) return unpinned(`taskset is not permitted: ${attempt.stderr.trim()}`);
	}
	const workers = facts.allowed.filter((cpu) => cpu !== generator).join(',');
	const cpus = { server, workers, generator };
	return {
		pinned: true,
		// A container may have two CPUs and the time of one: staying awake would use up what the servers need.
		generatorAlone: availableParallelism() > 1,
		serverCpu: server,
		note: describeChoice(chosen),
		warnings: oneCore ? [siblingThread(chosen)] : [],
		pin: (role, argv) => ['taskset', '-c', String(cpus[role]), ...argv],
	};
}

/** Returns the sentence for reports about where servers and generator run. */
export function describeChoice({ server, generator, oneCore }: CpuChoice): string {
	const note = `both servers on CPU ${server}, generator on CPU ${generator}`;
	return oneCore ? `${note}, which is another hardware thread of the same core` : note;
}

function siblingThread({ server, generator }: CpuChoice): Warning {
	return {
		code: 'sibling-thread',
		message: `CPU ${server} (servers) and CPU ${generator} (load generator) are hardware threads of one core, and this machine offers no second core. Both sides are slowed down alike, but results are noisier.`,
	};
}

function unpinned(why: string): Affinity {
	return {
		pinned: false,
		generatorAlone: false,
		serverCpu: null,
		note: `not pinned: ${why}; expect more noise and more rounds`,
		warnings: [],
		pin: (_role, argv) => [...argv],
	};
}
