import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeLogFolder } from '../process/logs.ts';
import type { Limits } from '../types/config.ts';
import type { Isolation } from '../types/isolation.ts';
import { type DriverName, OWN_DRIVER } from '../types/ranking/ranking-setup.ts';
import type { Environment } from '../types/result.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Runtime, RuntimeInfo } from '../types/runtime.ts';
import type { Sides, Warning } from '../types/units.ts';
import { type Affinity, affinityFor } from './affinity.ts';
import { type Ask, askServer } from './answers/verify-server.ts';
import { openConnectionWatch } from './connections/connection-watch.ts';
import { withDriver } from './drivers/run-driver.ts';
import { startGenerator } from './generator-process.ts';
import type { CoveringLaboratory } from './laboratory.ts';
import { findOneLane } from './lanes/find-lanes.ts';
import { describeEnvironment } from './machine.ts';
import { nameSlots } from './pair.ts';
import { createLaboratory } from './real-laboratory.ts';
import type { LaboratoryOptions } from './turn-parts.ts';

export interface Bench {
	readonly affinity: Affinity;
	/** `Date.now()` when it was opened. */
	readonly startedAt: number;
	/** Whether the kernel reports each connection; if not, only one bench may measure at a time. */
	readonly seesConnections: boolean;
	environment(): Environment;
	laboratory(setup: Setup): CoveringLaboratory;
	/** Starts a server on both sides and lets `talk` ask base's. Returns null if it does not start. */
	ask<T>(setup: Setup, server: string, talk: (ask: Ask) => Promise<T>): Promise<T | null>;
	warnings(): Warning[];
	close(): Promise<void>;
}

export interface Setup
	extends Pick<
		LaboratoryOptions,
		'config' | 'prepared' | 'timing' | 'traffic' | 'words' | 'disputed' | 'burst' | 'answered'
	> {
	/** Origin of window times (`Date.now()`). Default: when the bench was opened. */
	readonly startedAt?: number;
	/** Another bench loads at the same time, so the generator frees its CPU while idle. */
	readonly sharesCpu?: boolean;
	/** False leaves connections unwatched and peers uncounted, which costs less. */
	readonly watched?: boolean;
}

export interface BenchOptions {
	readonly cacheFolder: string;
	readonly node: string;
	/** They replace `node`. */
	readonly runtimes?: Sides<Runtime>;
	readonly janitor: Janitor;
	/** Default: our own user. */
	readonly isolation?: Pick<Isolation, 'sides' | 'refusesRival'>;
	/** The program that loads servers alone. Connections are watched only with our own generator. */
	readonly driver?: DriverName;
	readonly vitals?: boolean;
	readonly limits?: Limits;
	readonly affinity?: Affinity;
	readonly signal: AbortSignal;
}

export async function openBench(options: BenchOptions): Promise<Bench> {
	const { cacheFolder, node, runtimes, janitor, isolation, limits = {}, vitals = false, signal } = options;
	const { driver = OWN_DRIVER } = options;
	const affinity = affinityFor(limits, options.affinity ?? (await findOneLane({ janitor })));
	const logFolder = mkdtempSync(join(makeLogFolder(cacheFolder), 'run-'));
	const release = janitor.guardDirectory(logFolder);
	const [ownGenerator, connections] = await Promise.all([
		startGenerator(affinity, janitor),
		openConnectionWatch(affinity, janitor, true, isolation?.refusesRival),
	]);
	const generator = withDriver(driver, ownGenerator, affinity, janitor);
	const startedAt = Date.now();
	const slots = nameSlots();
	const laboratories: CoveringLaboratory[] = [];
	const disputed: LaboratoryOptions['disputed'] = new Map();
	const optionsOf = ({ sharesCpu = false, watched = driver === OWN_DRIVER, ...setup }: Setup): LaboratoryOptions => {
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
		return { startedAt, disputed, ...setup, generator, start };
	};
	return {
		affinity,
		startedAt,
		seesConnections: connections.exact,
		environment: () => ({
			...describeEnvironment(affinity, node),
			...(runtimes && { runtimes: describeAll(runtimes) }),
		}),
		laboratory(setup) {
			const laboratory = createLaboratory(optionsOf(setup));
			laboratories.push(laboratory);
			return laboratory;
		},
		ask: (setup, server, talk) => askServer(optionsOf(setup), server, talk),
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
