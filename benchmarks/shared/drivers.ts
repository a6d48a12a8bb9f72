/** Other load generators, each in a closed loop of its own: what they make of the same answerer. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Affinity } from '../../src/measure/affinity.ts';
import { PROGRAMS } from '../../src/measure/drivers/driver-programs.ts';
import { isDriverInstalled, runDriver } from '../../src/measure/drivers/run-driver.ts';
import type { ServerProcess } from '../../src/measure/server-process.ts';
import type { OtherDriver } from '../../src/types/ranking/driver.ts';
import type { Janitor } from '../../src/types/run-services.ts';

export interface Measured {
	/** Answers a second. */
	readonly rate: number;
	/** CPU time of the generator for each answer. */
	readonly cpuMicroseconds: number;
}

export interface Driver {
	readonly name: string;
	/** Loads a server that answers GET of the path with 200. */
	measure(server: Pick<ServerProcess, 'origin' | 'pid'>, path: string): Promise<Measured>;
}

interface Load {
	readonly affinity: Affinity;
	readonly janitor: Janitor;
	readonly connections: number;
	readonly seconds: number;
}

/** Returns those that are installed; says of the others how they can be. */
export function findDrivers(load: Load): { found: Driver[]; missing: string[] } {
	const optional = Object.keys(PROGRAMS) as OtherDriver[];
	return {
		found: [autocannon(load), ...optional.filter(isDriverInstalled).map((name) => program(name, load))],
		missing: optional.filter((name) => !isDriverInstalled(name)).map((name) => `${name} (${PROGRAMS[name].remedy})`),
	};
}

/** As `--driver` has it: what a program takes to start and to end is not counted. */
function program(name: OtherDriver, { affinity, janitor, connections, seconds }: Load): Driver {
	const { signal } = new AbortController();
	return {
		name,
		async measure({ origin, pid }, path) {
			const target = { origin, pid, request: { method: 'GET', path, headers: {} } };
			const load = { connections, pipelining: 1 };
			const order = { target, side: 'base' as const, load, seconds, statuses: [200], runStartedAt: Date.now() };
			const { base, generatorCpuSeconds } = await runDriver(name, order, affinity, janitor, signal);
			if (base === null) throw new Error(`${name} loaded nothing`);
			return {
				rate: base.completed / base.seconds,
				cpuMicroseconds: (1e6 * generatorCpuSeconds) / base.completed,
			};
		},
	};
}

function autocannon({ affinity, connections, seconds }: Load): Driver {
	const program = fileURLToPath(new URL('plain-autocannon.mjs', import.meta.url));
	return {
		name: 'autocannon',
		async measure({ origin }, path) {
			const argv = [process.execPath, program, `${origin}${path}`, String(connections), String(seconds)];
			const told = JSON.parse(run(affinity.pin('generator', argv))) as {
				requests: number;
				seconds: number;
				cpuSeconds: number;
			};
			return { rate: told.requests / told.seconds, cpuMicroseconds: (1e6 * told.cpuSeconds) / told.requests };
		},
	};
}

/** Runs a command and returns what it prints. */
function run([command = '', ...rest]: readonly string[]): string {
	const { stdout, stderr, status } = spawnSync(command, rest, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`${command} ${rest.join(' ')} did not run: ${stderr}`);
	return stdout;
}
