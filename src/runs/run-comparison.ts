/** The pipeline as a table of contents: prepare sides → plan → verify → measure ⇄ decide → raw. */
import { decide } from '../judge/decide.ts';
import { openBench } from '../measure/bench.ts';
import { runRounds } from '../measure/run-rounds.ts';
import { verifyCells } from '../measure/verify-cells.ts';
import { leftOutWarnings } from '../plan/left-out.ts';
import { type AskedCells, planCells } from '../plan/plan-cells.ts';
import { planRound } from '../plan/plan-round.ts';
import { planRun } from '../plan/plan-run.ts';
import { timingFor } from '../plan/timing.ts';
import { prepareChanged, prepareSides, type Unchanged } from '../prepare/prepare-sides.ts';
import { monotonicSeconds } from '../process/clock.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Design } from '../types/config.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Prepared } from '../types/prepared.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RunContext } from '../types/result.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Seconds, Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { describeProgress, describeRefusals } from './describe-progress.ts';
import { guardBase } from './guard-base.ts';
import { isolationWarnings, openSides, reportIsolation } from './open-sides.ts';
import { newServers, presenceOf, refuseUnserved, sharedServers } from './present-servers.ts';

/** What is asked; what only one side has becomes `new` or `removed`, unmeasured. */
export interface RunOptions extends AskedCells {
	readonly revisions: Sides<string>;
	readonly cwd: string;
	readonly cacheFolder: string;
	/** Node binary that runs the servers. */
	readonly node: string;
	/** Command that repeats this run. */
	readonly reproduce: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** What reports call the revisions, where better names are known than they have themselves. */
	readonly labels?: Partial<Sides<string>>;
	/** Measure nothing when the revisions differ and yet are the same code where it matters. */
	readonly skipUnchanged?: boolean;
	/** Revision whose bench servers both sides get, where the config names a harness; the files around `cwd` when absent. */
	readonly harnessFrom?: string | undefined;
	/** Names of variables that builds do not get, because they were taken out of the environment before. */
	readonly withheld?: readonly string[];
	/** Given the raw data after every round, so that nothing is lost when the run is killed. */
	readonly keep: (raw: Raw) => Promise<void>;
}

interface IsolatedOptions extends RunOptions {
	readonly isolation: Isolation;
}

/**
 * Runs a whole comparison and returns its raw data, complete also when interrupted while measuring. With `skipUnchanged`
 * it may return, before any server is installed, that there is nothing to measure.
 */
export async function runComparison(options: RunOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged> {
	const began = monotonicSeconds();
	await using isolation = await openSides(options);
	const prepare = options.skipUnchanged === true ? prepareChanged : prepareSides;
	const prepared = await prepare({ ...options.config, servers: sharedServers(options) }, options.revisions, {
		cwd: options.cwd,
		toolRoot: TOOL_ROOT,
		cacheDir: options.cacheFolder,
		node: options.node,
		janitor: options.janitor,
		progress: options.progress,
		signal: options.signal,
		newServers: newServers(options),
		isolation,
		...(options.labels && { labels: options.labels }),
		...(options.harnessFrom !== undefined && { harnessFrom: options.harnessFrom }),
		...(options.withheld && { withheld: options.withheld }),
	});
	// Awaited here: the sides' users are gone when this returns.
	return 'unchanged' in prepared ? prepared : await measurePrepared({ ...options, isolation }, prepared, began);
}

async function measurePrepared(options: IsolatedOptions, prepared: Prepared, began: Seconds): Promise<Raw> {
	const { config, progress, signal } = options;
	const { cells, oneSided, leftOut, unserved } = planCells(config, presenceOf(options, prepared));
	const plan = planRun(config, cells, oneSided);
	const bench = await openBench(options);
	const environment = { ...bench.environment(), isolation: reportIsolation(options.isolation) };
	const timing = (design: Design) => (design === plan.design ? plan.timing : timingFor(design));
	const laboratory = guardBase(bench.laboratory({ config, prepared, timing }), prepared);

	const served = plan.cells.filter((cell) => !unserved.includes(cell));
	progress.step(`Checking the answers of ${served.length} ${served.length === 1 ? 'cell' : 'cells'} on both sides`);
	const refused = [...unserved.flatMap(refuseUnserved), ...(await verifyCells({ ...plan, cells: served }, laboratory))];
	for (const line of describeRefusals(refused)) progress.step(line);

	const measuringSince = monotonicSeconds();
	const measuringSeconds = () => monotonicSeconds() - measuringSince;
	const assemble = (rounds: readonly Round[], ended: EndReason): Raw => ({
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: {
			tool: { name: 'benchgate', version: toolVersion() },
			createdAt: new Date(bench.startedAt).toISOString(),
			threshold: config.threshold,
			tolerance: config.tolerance,
			onInconclusive: config.gate.onInconclusive,
			base: prepared.sides.base.info,
			head: prepared.sides.head.info,
			...(prepared.harness && { harness: prepared.harness }),
			environment,
			warnings: [
				...isolationWarnings(config, options.isolation),
				...prepared.warnings,
				...leftOutWarnings(leftOut),
				...bench.warnings(),
			],
			reproduce: options.reproduce,
		} satisfies RunContext,
		plan,
		rounds,
		refused,
		ended,
		timing: {
			totalSeconds: monotonicSeconds() - began,
			measuringSeconds: measuringSeconds(),
			loadSeconds: rounds.reduce((sum, round) => sum + round.loadSeconds, 0),
			roundsRun: rounds.length,
			orchestratorPeakBytes: process.resourceUsage().maxRSS * 1024,
		},
	});
	const refusedCells = new Set(refused.map(({ cell }) => cell));
	const cellsToLoad = plan.cells.map((cell) => cell.id).filter((id) => !refusedCells.has(id));
	const { rounds, ended } = await runRounds(plan, {
		laboratory,
		cells: cellsToLoad,
		decide: (sofar, reason) => decide(plan, sofar, reason),
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock: monotonicSeconds,
		signal,
		onDecision: async (sofar, decision) => {
			progress.status(describeProgress(cellsToLoad, sofar, decision, plan.budgetSeconds - measuringSeconds()));
			if (sofar.length > 0) await options.keep(assemble(sofar, 'interrupted'));
		},
	});
	// What was changed during the last round.
	if (ended !== 'interrupted') await prepared.checkBase?.();
	await bench.close();
	return assemble(rounds, ended);
}
