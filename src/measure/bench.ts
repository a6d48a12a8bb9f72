/** The one place that starts a generator, and where servers and generator get their CPUs: comparisons, selftest, evaluation, benchmarks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeLogFolder } from '../process/logs.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Limits } from '../types/limits.ts';
import { type DriverName, OWN_DRIVER } from '../types/ranking/driver.ts';
import type { Environment } from '../types/result.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Runtime, RuntimeInfo } from '../types/runtime.ts';
import type { Sides, Warning } from '../types/units.ts';
import { type Affinity, affinityFor } from './affinity.ts';
import { openConnectionWatch } from './connections/connection-watch.ts';
import { withDriver } from './drivers/run-driver.ts';
import { startGenerator } from './generator-process.ts';
import type { Laboratory } from './laboratory.ts';
import { findOneLane } from './lanes/find-lanes.ts';
import { describeEnvironment } from './machine.ts';
import { nameSlots } from './pair.ts';
import { createLaboratory } from './real-laboratory.ts';
import type { LaboratoryOptions } from './turn-parts.ts';

/** A generator on its CPU, and the laboratories that measure with it, one at a time. */
export interface Bench {
	readonly affinity: Affinity;
	/** `Date.now()` when it was opened. */
	readonly startedAt: number;
	/** Whether the kernel reports each connection to its servers; where not, only one bench may measure at a time. */
	readonly seesConnections: boolean;
	/** Returns what this machine is, and how loaded it is now. */
	environment(): Environment;
	/** Returns a laboratory that loads these servers. */
	laboratory(setup: Setup): Laboratory;
	/** Returns what all its laboratories have noticed, each thing once. */
	warnings(): Warning[];
	close(): Promise<void>;
}

/** What a laboratory measures. */
export interface Setup
	extends Pick<LaboratoryOptions, 'config' | 'prepared' | 'timing' | 'traffic' | 'words' | 'disputed'> {
	/** `Date.now()` that its windows are timed from; when the bench was opened, unless given. */
	readonly startedAt?: number;
	/** True while another bench loads at the same time: the generator then leaves its CPU to the other when it has no work. */
	readonly sharesCpu?: boolean;
	/** False where what it costs to see who else connects is measured: then nobody is seen. */
	readonly watched?: boolean;
}

export interface BenchOptions {
	/** Logs of servers are kept in it. */
	readonly cacheFolder: string;
	/** Node binary that runs the servers. */
	readonly node: string;
	/** What the servers of each side run on instead. */
	readonly runtimes?: Sides<Runtime>;
	readonly janitor: Janitor;
	/** Who the code of both sides runs as; our own user when absent. */
	readonly isolation?: Pick<Isolation, 'sides' | 'refusesRival'>;
	/** What loads a server that is loaded alone; ours when absent. Who else connects is not looked for with another one. */
	readonly driver?: DriverName;
	/** Whether servers on Node report garbage collection and event loop. */
	readonly vitals?: boolean;
	/** What servers and generator get of the machine. */
	readonly limits?: Limits;
	/** CPUs of its lane; the usual ones of this machine when absent. */
	readonly affinity?: Affinity;
	readonly signal: AbortSignal;
}

/** Starts the generator, and returns the bench once it is ready. */
export async function openBench(options: BenchOptions): Promise<Bench> {
	const { cacheFolder, node, runtimes, janitor, isolation, limits = {}, vitals = false, signal } = options;
	const { driver = OWN_DRIVER } = options;
	const affinity = affinityFor(limits, options.affinity ?? (await findOneLane({ janitor })));
	const logFolder = mkdtempSync(join(makeLogFolder(cacheFolder), 'run-'));
	const release = janitor.guardDirectory(logFolder);
	const [own, connections] = await Promise.all([
		startGenerator(affinity, janitor),
		openConnectionWatch(affinity, janitor, true, isolation?.refusesRival),
	]);
	const generator = withDriver(driver, own, affinity, janitor);
	const startedAt = Date.now();
	const slots = nameSlots();
	const laboratories: Laboratory[] = [];
	const disputed: LaboratoryOptions['disputed'] = new Map();
	return {
		affinity,
		startedAt,
		seesConnections: connections.exact,
		environment: () => ({
			...describeEnvironment(affinity, node),
			...(runtimes && { runtimes: describeAll(runtimes) }),
		}),
		laboratory({ sharesCpu = false, watched = driver === OWN_DRIVER, ...setup }) {
			const seen = { ...affinity, generatorAlone: affinity.generatorAlone && !sharesCpu };
			const users = isolation && { users: isolation.sides };
			const start = {
				affinity: seen,
				janitor,
				node,
				...(runtimes && { runtimes }),
				logFolder,
				signal,
				limits,
				vitals,
				...(watched && { connections }),
				slots,
				...users,
			};
			const laboratory = createLaboratory({ startedAt, disputed, ...setup, generator, start });
			laboratories.push(laboratory);
			return laboratory;
		},
		warnings() {
			const all = [...affinity.warnings, ...laboratories.flatMap((laboratory) => laboratory.warnings())];
			return [...new Map(all.map((warning) => [warning.message, warning])).values()];
		},
		async close() {
			await connections.close();
			await generator.close();
			rmSync(logFolder, { recursive: true, force: true });
			release();
		},
	};
}

function describeAll({ base, head }: Sides<Runtime>): Sides<RuntimeInfo> {
	const describe = ({ name, version }: Runtime) => ({ name, version });
	return { base: describe(base), head: describe(head) };
}
