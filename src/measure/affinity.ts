import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Limits } from '../types/config.ts';
import { EXIT, UserError } from '../types/errors.ts';
import type { Warning } from '../types/units.ts';
import { chooseLanes, type Lane } from './lanes/choose-lanes.ts';
import { type CpuFacts, readCpuFacts } from './lanes/cpu-facts.ts';

const TASKSET_MS = 10_000;

export interface Affinity {
	readonly pinned: boolean;
	/** The generator is alone on its CPU, so it may stay awake. */
	readonly generatorAlone: boolean;
	/** Null with several CPUs or without pinning. */
	readonly serverCpu: number | null;
	/** For worker processes. */
	readonly workerCpus: number;
	/** CPUs of the lane. Load on others is ignored. */
	readonly laneCpus?: readonly number[];
	readonly note: string;
	readonly warnings: readonly Warning[];
	/** Pins `argv` to the role's CPUs; workers get all but the generator's. */
	pin(role: 'server' | 'workers' | 'generator', argv: readonly string[]): string[];
}

/**
 * Returns servers on one CPU and the generator on another core; unpinned without `taskset`, permission or a second CPU.
 */
export function findAffinity(): Affinity {
	if (process.platform !== 'linux') return unpinned(`${process.platform} cannot pin processes to CPUs`);
	const [lane] = chooseLanes(readCpuFacts()).lanes;
	return lane === undefined ? unpinned('only one CPU is allowed to this process') : affinityOn(lane);
}

/** Returns the affinity of a lane, with only its own CPUs if other lanes run `beside` it; unpinned if not permitted. */
export function affinityOn(lane: Lane, beside = false): Affinity {
	const { server, generator } = lane;
	for (const cpu of [server, generator]) {
		const attempt = spawnSync('taskset', ['-c', String(cpu), 'true'], { encoding: 'utf8', timeout: TASKSET_MS });
		if (attempt.error) return unpinned('the command taskset is not installed (Debian and Ubuntu: package util-linux)');
		if (attempt.status !== 0) return unpinned(`taskset is not permitted: ${attempt.stderr.trim()}`);
	}
	const others = readCpuFacts().allowed.filter((cpu) => cpu !== generator);
	const cpus = { server, workers: beside ? server : others.join(','), generator };
	return {
		pinned: true,
		// A container with two CPUs may have the time of one. An awake generator would then take the servers'
		// share.
		generatorAlone: availableParallelism() > 1,
		serverCpu: server,
		workerCpus: beside ? 1 : others.length,
		...(beside && { laneCpus: [server, generator] }),
		note: describeLane(lane),
		warnings: beside ? [] : warningsOf(lane),
		pin: (role, argv) => ['taskset', '-c', String(cpus[role]), ...argv],
	};
}

export function describeLane({ server, generator, oneCore }: Pick<Lane, 'server' | 'generator' | 'oneCore'>): string {
	const note = `both servers on CPU ${server}, generator on CPU ${generator}`;
	return oneCore ? `${note}, which is another hardware thread of the same core` : note;
}

function warningsOf({ server, generator, oneCore, exposed }: Lane): Warning[] {
	const [first] = exposed;
	const sibling: Warning = {
		code: 'sibling-thread',
		message: `CPU ${server} (servers) and CPU ${generator} (load generator) are hardware threads of one core, and this machine offers no second core. Both sides are slowed down alike, but results are noisier.`,
	};
	const shared = (cpu: number): Warning => ({
		code: 'exposed-core',
		message: `The core of CPU ${cpu} (${cpu === server ? 'servers' : 'load generator'}) has another hardware thread, which benchgate may not use and others may. What runs there slows both sides down alike, but results are noisier.`,
	});
	return [...(oneCore ? [sibling] : []), ...(first === undefined ? [] : [shared(first)])];
}

function unpinned(why: string): Affinity {
	return {
		pinned: false,
		generatorAlone: false,
		serverCpu: null,
		workerCpus: Math.max(1, availableParallelism() - 1),
		note: `not pinned: ${why}; expect more noise and more rounds`,
		warnings: [],
		pin: (_role, argv) => [...argv],
	};
}

/**
 * Returns the requested CPUs. A role without a request gets the first remaining CPU. Idle time is unknown on several
 * server CPUs.
 *
 * @throws UserError for CPUs this process may not use, or if pinning is impossible.
 */
export function affinityFor(
	{ serverCpus, loadCpus }: Pick<Limits, 'serverCpus' | 'loadCpus'>,
	usual: Affinity = findAffinity(),
	{ allowed }: Pick<CpuFacts, 'allowed'> = readCpuFacts(),
): Affinity {
	if (serverCpus === undefined && loadCpus === undefined) return usual;
	const missing = [...(serverCpus ?? []), ...(loadCpus ?? [])].filter((cpu) => !allowed.includes(cpu));
	if (missing.length > 0) {
		throw refuse(
			`CPU ${missing.join(', ')} is not among those that benchgate may use (${allowed.join(', ') || 'none'})`,
			'name others, or none',
		);
	}
	if (!usual.pinned) throw refuse(`CPUs were named, but ${usual.note}`, 'leave the CPUs out');
	const server = serverCpus ?? allowed.filter((cpu) => !loadCpus?.includes(cpu)).slice(0, 1);
	const generator = loadCpus ?? allowed.filter((cpu) => !server.includes(cpu)).slice(0, 1);
	if (server.length === 0 || generator.length === 0) {
		throw refuse(
			`no CPU is left for the ${server.length === 0 ? 'servers' : 'load generator'} (${allowed.join(', ')})`,
			'give one up',
		);
	}
	const workers = serverCpus ?? allowed.filter((cpu) => !generator.includes(cpu));
	const cpus = { server, workers, generator };
	return {
		...usual,
		serverCpu: server.length === 1 ? (server[0] ?? null) : null,
		workerCpus: workers.length,
		note: `both servers on ${name(server)}, generator on ${name(generator)}, as asked`,
		warnings: [],
		pin: (role, argv) => ['taskset', '-c', cpus[role].join(','), ...argv],
	};
}

function name(cpus: readonly number[]): string {
	return `CPU${cpus.length === 1 ? '' : 's'} ${cpus.join(', ')}`;
}

function refuse(message: string, remedy: string): UserError {
	return new UserError({
		code: 'bad-flag',
		where: '--server-cpus, --load-cpus',
		message,
		remedy,
		exitCode: EXIT.usage,
	});
}
