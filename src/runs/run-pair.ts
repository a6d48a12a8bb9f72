/** What every run that compares two sides shares: open the sides → prepare → plan → verify → measure until the rule ends it → raw. */
import { type OpenCells, runRounds } from '../measure/run-rounds.ts';
import { leftOutWarnings } from '../plan/left-out.ts';
import { planRound } from '../plan/plan-round.ts';
import { trafficWarnings } from '../plan/traffic.ts';
import type { PrepareContext } from '../prepare/prepare-sides.ts';
import { monotonicSeconds } from '../process/clock.ts';
import type { Config } from '../types/config.ts';
import type { Plan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import { type Environment, RAW_SCHEMA_VERSION, type Raw, type RunContext } from '../types/result.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Seconds, Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { runtimeWarnings, withRuntimes } from './open-runtimes.ts';
import { isolationWarnings, openSides } from './open-sides.ts';
import { sharedServers } from './present-servers.ts';
import { type AskedPair, type IsolatedPair, prepareContextOf, verifyPair } from './verify-pair.ts';

/** Two sides and what measures them. */
export interface PairOptions extends AskedPair {
	/** Command that repeats this run. */
	readonly reproduce: string;
	/** Given the raw data after every round, so that nothing is lost when the run is killed. */
	readonly keep: (raw: Raw) => Promise<void>;
}

/** Which cells rounds go on for, and when they end. */
export interface EndRule<D extends OpenCells> {
	readonly decide: (rounds: readonly Round[], ended: EndReason | null) => D;
	/** Most rounds of a cell; those of the plan's last look when absent. */
	readonly mostRounds?: number;
	/** Returns the live status before each round; `left` is what the budget still has. */
	readonly describe: (cells: readonly string[], rounds: readonly Round[], decision: D, left: Seconds) => string;
}

/** How one kind of run differs from another. `Stop` is what preparing may find instead of two sides. */
export interface PairKind<D extends OpenCells, Stop> {
	readonly prepare: (
		config: Config,
		revisions: Sides<string>,
		context: PrepareContext,
	) => Promise<Prepared | { readonly stop: Stop }>;
	/** Changes the plan of a comparison before anything is measured. */
	readonly plan?: (plan: Plan) => Plan;
	readonly rule: (plan: Plan, environment: Environment) => EndRule<D>;
}

/** Runs it and returns its raw data, complete also when interrupted while measuring, or what preparing has found instead. */
export async function runPair<D extends OpenCells, Stop>(
	options: PairOptions,
	kind: PairKind<D, Stop>,
): Promise<Raw | { readonly stop: Stop }> {
	const began = monotonicSeconds();
	await using isolation = await openSides(options);
	const asked = await withRuntimes({ ...options, isolation });
	const config = { ...options.config, servers: sharedServers(options) };
	const prepared = await kind.prepare(config, options.revisions, prepareContextOf(asked));
	// Awaited here: the sides' users are gone when this returns.
	return 'stop' in prepared ? prepared : await measurePrepared(asked, prepared, kind, began);
}

async function measurePrepared<D extends OpenCells, Stop>(
	options: PairOptions & IsolatedPair,
	prepared: Prepared,
	kind: PairKind<D, Stop>,
	began: Seconds,
): Promise<Raw> {
	const { config, progress, signal } = options;
	const verified = await verifyPair(options, prepared, kind.plan);
	const { plan, bench, environment, laboratory, refused } = verified;

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
				...runtimeWarnings(options.runtimes),
				...prepared.warnings,
				...leftOutWarnings(verified.planned.leftOut),
				...trafficWarnings(config.scenarios),
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
	const rule = kind.rule(plan, environment);
	const { rounds, ended } = await runRounds(plan, {
		laboratory,
		cells: cellsToLoad,
		...(rule.mostRounds !== undefined && { mostRounds: rule.mostRounds }),
		decide: rule.decide,
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock: monotonicSeconds,
		signal,
		onDecision: async (sofar, decision) => {
			progress.status(rule.describe(cellsToLoad, sofar, decision, plan.budgetSeconds - measuringSeconds()));
			if (sofar.length > 0) await options.keep(assemble(sofar, 'interrupted'));
		},
	});
	// What was changed during the last round.
	if (ended !== 'interrupted') await prepared.checkBase?.();
	await bench.close();
	return assemble(rounds, ended);
}
