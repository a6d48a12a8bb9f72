/** The pipeline as a table of contents: prepare sides → plan → verify → measure ⇄ decide → raw. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { decide } from './judge/decide.ts';
import { findAffinity } from './measure/affinity.ts';
import { describeEnvironment } from './measure/environment.ts';
import { startGenerator } from './measure/generator-process.ts';
import { createLaboratory } from './measure/real-laboratory.ts';
import { runRounds } from './measure/run-rounds.ts';
import { verifyCells } from './measure/verify-cells.ts';
import { planCells } from './plan/plan-cells.ts';
import { planRound } from './plan/plan-round.ts';
import { planRun } from './plan/plan-run.ts';
import { timingFor } from './plan/timing.ts';
import { prepareSides } from './prepare/prepare-sides.ts';
import { TOOL_ROOT } from './process/entries.ts';
import { describeDecision, describeRefusals } from './terminal/describe-decision.ts';
import type { Config } from './types/config.ts';
import type { Janitor, Progress } from './types/janitor.ts';
import type { Prepared } from './types/prepared.ts';
import { RAW_SCHEMA_VERSION, type Raw, type RunContext } from './types/result.ts';
import type { EndReason, Round } from './types/round.ts';
import type { Seconds, Sides } from './types/units.ts';
import { toolVersion } from './version.ts';

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
	/** Given the raw data after every round, so that nothing is lost when the run is killed. */
	readonly keep: (raw: Raw) => Promise<void>;
}

/** Runs a whole comparison and returns its raw data, complete also when interrupted while measuring. */
export async function runComparison(options: RunOptions): Promise<Raw> {
	const { config, janitor, progress, signal } = options;
	const began = seconds();
	const prepared = await prepareSides(config, options.revisions, {
		cwd: options.cwd,
		toolRoot: TOOL_ROOT,
		cacheDir: options.cacheFolder,
		node: options.node,
		janitor,
		progress,
		signal,
	});
	const { cells, oneSided } = planCells(config, presenceOf(config, prepared));
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

/** Which servers each side has. */
function presenceOf(config: Config, prepared: Prepared) {
	const present = (side: 'base' | 'head') =>
		config.servers.map((server) => server.name).filter((name) => prepared.sides[side].servers[name] !== undefined);
	return { servers: { base: present('base'), head: present('head') } };
}

function seconds(): Seconds {
	return performance.now() / 1000;
}
