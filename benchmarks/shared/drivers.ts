/** Rates of other load generators against the same answerer, each in a closed loop. */
import type { Affinity } from '../../src/measure/affinity.ts';
import { isDriverInstalled, PROGRAMS, runDriver } from '../../src/measure/drivers/run-driver.ts';
import type { ServerProcess } from '../../src/measure/server-process.ts';
import type { OtherDriver } from '../../src/types/ranking/ranking-setup.ts';
import type { Janitor } from '../../src/types/run-services.ts';

export interface Measured {
	/** Answers a second. */
	readonly rate: number;
	/** CPU time of the generator per answer. */
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

/** Returns the installed drivers, and for each missing one how to install it. */
export function findDrivers(load: Load): { found: Driver[]; missing: string[] } {
	const optional = Object.keys(PROGRAMS) as OtherDriver[];
	return {
		found: optional.filter(isDriverInstalled).map((name) => program(name, load)),
		missing: optional.filter((name) => !isDriverInstalled(name)).map((name) => `${name} (${PROGRAMS[name].remedy})`),
	};
}

/** As for `--driver`: start and end of the program do not count. */
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
