import { EXIT, UserError } from '../../types/errors.ts';
import type { Limits } from '../../types/limits.ts';
import { type Affinity, findAffinity } from '../affinity.ts';
import { type CpuFacts, readCpuFacts } from '../lanes/cpu-facts.ts';

/**
 * Returns the affinity with the CPUs that somebody asked for; the usual one where nobody did. Where only those of the servers are
 * given, the load gets the first other one, and the other way round. Servers on several CPUs do not tell when these are idle.
 *
 * @throws UserError for CPUs that this process may not use, or where nothing can be held on a CPU.
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
	if (!usual.pinned) throw refuse(`CPUs were asked for, but ${usual.note}`, 'leave the CPUs out');
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
