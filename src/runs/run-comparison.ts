/** The pipeline as a table of contents: prepare sides → plan → verify → measure ⇄ decide → raw. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { decide } from '../judge/decide.ts';
import { findAffinity } from '../measure/affinity.ts';
import { startGenerator } from '../measure/generator-process.ts';
import { describeEnvironment } from '../measure/machine.ts';
import { createLaboratory } from '../measure/real-laboratory.ts';
import { runRounds } from '../measure/run-rounds.ts';
import { verifyCells } from '../measure/verify-cells.ts';
import { type Presence, planCells, type SideCells } from '../plan/plan-cells.ts';
import { planRound } from '../plan/plan-round.ts';
import { planRun } from '../plan/plan-run.ts';
import { timingFor } from '../plan/timing.ts';
import { prepareChanged, prepareSides, type Unchanged } from '../prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Config, ServerSpec } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RunContext } from '../types/result.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Seconds, Side, Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { describeDecision, describeRefusals } from './describe-decision.ts';

export interface RunOptions {
	readonly config: Config;
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
	/** What each side's own config has, when there are two: what only one has becomes `new` or `removed`, unmeasured. */
	readonly sideConfigs?: Sides<SideCells>;
	/** Measure nothing when the revisions differ and yet are the same code where it matters. */
	readonly skipUnchanged?: boolean;
	/** Given the raw data after every round, so that nothing is lost when the run is killed. */
	readonly keep: (raw: Raw) => Promise<void>;
}

/**
 * Runs a whole comparison and returns its raw data, complete also when interrupted while measuring. With `skipUnchanged`
 * it may return, before any server is installed, that there is nothing to measure.
 */
export async function runComparison(options: RunOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged> {
	const began = seconds();
	const prepare = options.skipUnchanged === true ? prepareChanged : prepareSides;
	const prepared = await prepare({ ...options.config, servers: sharedServers(options) }, options.revisions, {
		cwd: options.cwd,
		toolRoot: TOOL_ROOT,
		cacheDir: options.cacheFolder,
		node: options.node,
		janitor: options.janitor,
		progress: options.progress,
		signal: options.signal,
		...(options.labels && { labels: options.labels }),
	});
	return 'unchanged' in prepared ? prepared : measurePrepared(options, prepared, began);
}

async function measurePrepared(options: RunOptions, prepared: Prepared, began: Seconds): Promise<Raw> {
	const { config, janitor, progress, signal } = options;
	const { cells, oneSided } = planCells(config, presenceOf(options, prepared));
	const plan = planRun(config, cells, oneSided);
	const affinity = findAffinity();
	const environment = describeEnvironment(affinity, options.node);
	const logFolder = join(options.cacheFolder, 'logs');
	mkdirSync(logFolder, { recursive: true });
	const generator = await startGenerator(affinity, janitor);
	const startedAt = Date.now();
	const laboratory = createLaboratory({
		config,
		prepared,
		timing: (design) => (design === plan.design ? plan.timing : timingFor(design)),
		generator,
		start: { affinity, janitor, node: options.node, logFolder, signal },
		startedAt,
	});

	progress.step(
		`Checking the answers of ${plan.cells.length} ${plan.cells.length === 1 ? 'cell' : 'cells'} on both sides`,
	);
	const refused = await verifyCells(plan, laboratory);
	for (const line of describeRefusals(refused)) progress.step(line);

	const measuringSince = seconds();
	const assemble = (rounds: readonly Round[], ended: EndReason): Raw => ({
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: {
			tool: { name: 'benchgate', version: toolVersion() },
			createdAt: new Date(startedAt).toISOString(),
			threshold: config.threshold,
			tolerance: config.tolerance,
			onInconclusive: config.gate.onInconclusive,
			base: prepared.sides.base.info,
			head: prepared.sides.head.info,
			environment,
			warnings: [...prepared.warnings, ...laboratory.warnings()],
			reproduce: options.reproduce,
		} satisfies RunContext,
		plan,
		rounds,
		refused,
		ended,
		timing: {
			totalSeconds: seconds() - began,
			measuringSeconds: seconds() - measuringSince,
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
		clock: seconds,
		signal,
		onDecision: async (sofar, decision) => {
			progress.status(
				describeDecision(cellsToLoad, sofar, decision, plan.budgetSeconds - (seconds() - measuringSince)),
			);
			if (sofar.length > 0) await options.keep(assemble(sofar, 'interrupted'));
		},
	});
	await generator.close();
	return assemble(rounds, ended);
}

/** Servers worth preparing: those of both sides' configs. */
function sharedServers({ config, sideConfigs }: RunOptions): readonly ServerSpec[] {
	if (sideConfigs === undefined) return config.servers;
	return config.servers.filter(({ name }) => hasServer(sideConfigs.base, name) && hasServer(sideConfigs.head, name));
}

/** What each side has: of servers in both configs what could be prepared, of others what its config says. */
function presenceOf(options: RunOptions, prepared: Prepared): Presence {
	const { config, sideConfigs } = options;
	const shared = new Set(sharedServers(options));
	const present = (side: Side) =>
		config.servers
			.filter((server) =>
				shared.has(server)
					? prepared.sides[side].servers[server.name] !== undefined
					: sideConfigs !== undefined && hasServer(sideConfigs[side], server.name),
			)
			.map(({ name }) => name);
	return { servers: { base: present('base'), head: present('head') }, ...(sideConfigs && { configs: sideConfigs }) };
}

function hasServer({ servers }: SideCells, name: string): boolean {
	return servers.some((server) => server.name === name);
}

function seconds(): Seconds {
	return performance.now() / 1000;
}
