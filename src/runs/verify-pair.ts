/** Steps before the first load: plan → start both sides → verify answers. */
import type { Burst } from '../measure/answers/send-burst.ts';
import { type Bench, openBench, type Setup } from '../measure/bench.ts';
import { type CoveringLaboratory, verifyCells } from '../measure/laboratory.ts';
import type { FoundLanes } from '../measure/lanes/find-lanes.ts';
import { type AskedCells, type PlannedCells, planCells } from '../plan/plan-cells.ts';
import { planRun } from '../plan/plan-run.ts';
import { timingFor } from '../plan/timing.ts';
import { planTraffics } from '../plan/traffic.ts';
import { findRuntimes } from '../prepare/find-runtimes.ts';
import type { PrepareContext } from '../prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { nameRuntime } from '../text/runtime-words.ts';
import type { Design, ServerSpec } from '../types/config.ts';
import type { CellCoverage } from '../types/coverage.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Plan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Environment, RefusedCell } from '../types/result.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Runtime, RuntimeInfo } from '../types/runtime.ts';
import { type Seconds, SIDES, type Sides, type Warning } from '../types/units.ts';
import { coverSubject, type Exercised } from './cover-subject.ts';
import type { DerivedImpact } from './derive-impact.ts';
import { describeRefusals } from './describe-progress.ts';
import { reportIsolation } from './open-sides.ts';
import { newServers, presenceOf, refuseUnserved } from './present-servers.ts';

/** Servers on one side only become `new` or `removed` and are not measured. */
export interface AskedPair extends AskedCells {
	readonly revisions: Sides<string>;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	readonly labels?: Partial<Sides<string>>;
	/** Source of both sides' bench servers, for a config with a harness; by default the files around `cwd`. */
	readonly harnessFrom?: string | undefined;
	readonly elsewhere?: readonly ServerSpec[];
	readonly withheld?: readonly string[];
	readonly bursts?: true;
	readonly lanes?: FoundLanes;
	/** Looks whether a cell runs the subject, before head starts. */
	readonly covers?: boolean;
	/** Reads no coverage in the cache folder, which other pull requests may have written. */
	readonly coversAnew?: true;
	/** Known before base starts. */
	readonly derived?: DerivedImpact;
	/** Of base, by cell. */
	readonly coverage?: ReadonlyMap<string, CellCoverage>;
}

export interface IsolatedPair extends AskedPair {
	readonly isolation: Isolation;
	/** `node` when absent. */
	readonly runtimes?: Sides<Runtime>;
}

export interface VerifiedPair {
	readonly planned: PlannedCells;
	readonly plan: Plan;
	readonly bench: Bench;
	readonly environment: Environment;
	readonly laboratory: CoveringLaboratory;
	readonly setup: Setup;
	/** Cells that must not be loaded. */
	readonly refused: readonly RefusedCell[];
	/** Null if it was not asked for. */
	readonly exercised: Exercised | null;
}

export function prepareContextOf(options: IsolatedPair): PrepareContext {
	return {
		cwd: options.cwd,
		toolRoot: TOOL_ROOT,
		cacheFolder: options.cacheFolder,
		node: options.node,
		janitor: options.janitor,
		progress: options.progress,
		signal: options.signal,
		newServers: newServers(options),
		isolation: options.isolation,
		...(options.runtimes && { runtimes: options.runtimes }),
		...(options.labels && { labels: options.labels }),
		...(options.harnessFrom !== undefined && { harnessFrom: options.harnessFrom }),
		...(options.elsewhere && { elsewhere: options.elsewhere }),
		...(options.withheld && { withheld: options.withheld }),
	};
}

/** Starts both sides and verifies every cell without load. Throws UserError if there are no cells. */
export async function verifyPair(
	options: IsolatedPair,
	prepared: Prepared,
	change: (plan: Plan) => Plan = (plan) => plan,
): Promise<VerifiedPair> {
	const { config, progress } = options;
	const planned = planCells(config, presenceOf(options, prepared));
	const { cells, oneSided, unserved } = planned;
	const plan = change(planRun(config, cells, oneSided));
	const traffics = planTraffics(config.scenarios, plan.seed);
	const traffic = ({ name }: { readonly name: string }) => traffics.get(name);
	const bench = await openBench({
		...options,
		limits: config,
		...(options.lanes && { affinity: options.lanes.lanes[0] }),
	});
	try {
		const environment = { ...bench.environment(), isolation: reportIsolation(options.isolation) };
		const timing = (design: Design) => (design === plan.design ? plan.timing : timingFor({ ...config, design }));
		const disputed: NonNullable<Setup['disputed']> = new Map();
		const burst = options.bursts && burstFor(cells.length);
		const answered: Setup['answered'] = options.bursts && new Map();
		const setup = { config, prepared, timing, traffic, disputed, burst, answered, startedAt: bench.startedAt };
		const laboratory = guardBase(bench.laboratory(setup), prepared);

		const served = plan.cells.filter((cell) => !unserved.includes(cell));
		const { covers, coverage } = options;
		if (covers && !coverage?.size) progress.step('Looking for a cell that runs the subject');
		const cover: CoveringLaboratory['cover'] = async (cell, extent) =>
			coverage?.get(cell.id) ?? (await laboratory.cover(cell, extent));
		const covered = [...served, ...oneSided.filter(({ verdict }) => verdict === 'unaffected')];
		const exercised = covers ? await coverSubject({ cover }, covered, config, prepared) : null;
		progress.step(`Checking the answers of ${served.length} ${served.length === 1 ? 'cell' : 'cells'} on both sides`);
		const refused = [
			...unserved.flatMap(refuseUnserved),
			...(await verifyCells({ ...plan, cells: served }, laboratory)),
		];
		for (const line of describeRefusals(refused)) progress.step(line);
		return { planned, plan, bench, environment, laboratory, setup, refused, exercised };
	} catch (error) {
		await bench.close();
		throw error;
	}
}

/** Limiters allow 100 (express-rate-limit) to 1,000 (@fastify/rate-limit) a minute. */
const BURST_REQUESTS = 1_200;
const LONGEST_BURST: Seconds = 2;
const ALL_BURSTS: Seconds = 20;

function burstFor(cells: number): Burst {
	return { requests: BURST_REQUESTS, seconds: Math.min(LONGEST_BURST, ALL_BURSTS / cells) };
}

/** Calls `checkBase` before each start, while no window is open. */
export function guardBase(
	laboratory: CoveringLaboratory,
	{ checkBase }: Pick<Prepared, 'checkBase'>,
): CoveringLaboratory {
	if (checkBase === undefined) return laboratory;
	return {
		...laboratory,
		async cover(...wanted) {
			await checkBase();
			return laboratory.cover(...wanted);
		},
		async count(cell) {
			await checkBase();
			return laboratory.count(cell);
		},
		async verify(server, cells) {
			await checkBase();
			return laboratory.verify(server, cells);
		},
		async runRound(plan, onCell) {
			await checkBase();
			return laboratory.runRound(plan, onCell);
		},
	};
}

/** Adds runtimes, which are installed if missing. Throws like `findRuntimes`. */
export async function withRuntimes<T extends IsolatedPair>(options: T): Promise<T & Pick<IsolatedPair, 'runtimes'>> {
	const runtimes = await findRuntimes(options.config, prepareContextOf(options));
	return runtimes === undefined ? options : { ...options, runtimes };
}

/** Returns warnings, per side, on limitations of runtimes other than Node. */
export function runtimeWarnings(runtimes: Sides<RuntimeInfo> | undefined): Warning[] {
	if (runtimes === undefined) return [];
	const others = SIDES.filter((side) => runtimes[side].name !== 'node');
	return others.map((side) => otherRuntime(`On ${side}, ${nameRuntime(runtimes[side])}`));
}

export function otherRuntime(what: string): Warning {
	return {
		code: 'other-runtime',
		message: `${what} is started without Node's options: how many helper threads it has is not fixed, and its debugger is not turned off.`,
	};
}
