/** Steps of all runs on two sides: open → prepare → plan → verify → measure → assemble. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findLanes } from '../measure/lanes/find-lanes.ts';
import type { OpenCells } from '../measure/run-rounds.ts';
import { holdSpare, withSpare } from '../plan/hold-spare.ts';
import { leftOutWarnings } from '../plan/plan-cells.ts';
import { countingSeconds } from '../plan/timing.ts';
import { trafficWarnings } from '../plan/traffic.ts';
import type { PrepareContext } from '../prepare/prepare-sides.ts';
import { monotonicSeconds } from '../process/deadline.ts';
import type { Config } from '../types/config.ts';
import type { Plan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import { type Environment, RAW_SCHEMA_VERSION, type Raw, type RunContext } from '../types/result.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Fraction, Seconds, Sides } from '../types/units.ts';
import { toolVersion } from '../version.ts';
import { auditUnaffected } from './audit-unaffected.ts';
import { countCells } from './count-cells.ts';
import { type FoundImpact, findUnaffected, type ImpactExtent } from './find-unaffected.ts';
import { type EndRule, type MeasuredCells, measureCells } from './measure-cells.ts';
import { type OpenLanes, openLanes, whyOneLane } from './open-lanes.ts';
import { isolationWarnings, openSides, uncoveredWarnings } from './open-sides.ts';
import { sharedServers } from './present-servers.ts';
import {
	type AskedPair,
	type IsolatedPair,
	prepareContextOf,
	runtimeWarnings,
	type VerifiedPair,
	verifyPair,
	withRuntimes,
} from './verify-pair.ts';

export interface PairOptions extends AskedPair {
	readonly reproduce: string;
	/** Called after every round, so a kill loses nothing. */
	readonly keep: (raw: Raw) => Promise<void>;
	/** Called after the last round, while both sides are still installed. */
	readonly afterwards?: (raw: Raw, pair: IsolatedPair, prepared: Prepared) => Promise<void>;
}

/** Parts of a kind of run. `Stop` ends the run while preparing. */
export interface PairKind<D extends OpenCells, Stop> {
	readonly prepare: (
		config: Config,
		revisions: Sides<string>,
		context: PrepareContext,
	) => Promise<Prepared | { readonly stop: Stop }>;
	readonly skipsUnaffected?: ImpactExtent | undefined;
	/** Allows lanes. `rule` then decides the plan of each lane as a shard of `whole`. */
	readonly lanes?: true;
	readonly plan?: (plan: Plan) => Plan;
	readonly rule: (plan: Plan, environment: Environment, whole: Plan) => EndRule<D>;
}

/** Of the budget. */
const AUDIT_SHARE: Fraction = 0.25;

/** Returns raw data, even when interrupted while measuring, or the reason to stop. */
export async function runPair<D extends OpenCells, Stop>(
	asked: PairOptions,
	kind: PairKind<D, Stop>,
): Promise<Raw | { readonly stop: Stop }> {
	const began = monotonicSeconds();
	const options = kind.skipsUnaffected ? { ...asked, config: withSpare(asked.config) } : asked;
	await using isolation = await openSides(options);
	const wish = kind.lanes ? (options.config.lanes ?? 1) : 1;
	const { janitor } = options;
	const lanes = options.lanes ?? (await findLanes({ wish, janitor, obstacle: whyOneLane(isolation, options.config) }));
	const pairOptions = await withRuntimes({ ...options, isolation, lanes });
	const config = { ...options.config, servers: sharedServers(options) };
	const prepared = await kind.prepare(config, options.revisions, prepareContextOf(pairOptions));
	if ('stop' in prepared) return prepared;
	const found = kind.skipsUnaffected ? await findUnaffected(pairOptions, prepared, kind.skipsUnaffected) : null;
	const { config: heldConfig, warning } = found
		? holdSpare(pairOptions.config, Object.keys(found.because))
		: holdSpare(asked.config, null);
	const measured = { ...pairOptions, config: heldConfig, ...(found && { coverage: found.coverage }) };
	const audited =
		found &&
		(await auditUnaffected(found, { ...pairOptions, seed: config.seed }, (unaffected) => {
			const part = { ...heldConfig, budgetSeconds: AUDIT_SHARE * heldConfig.budgetSeconds };
			const alone = { ...measured, config: part, unaffected, covers: false, keep: async () => {} };
			return measurePrepared(alone, prepared, kind, began, null);
		}));
	const pair = { ...measured, ...(audited && { unaffected: audited.found.unaffected }) };
	const warnings = [warning, audited?.warning ?? null].filter((each) => each !== null);
	const warned = { ...prepared, warnings: [...prepared.warnings, ...warnings] };
	const raw = await measurePrepared(pair, warned, kind, began, audited?.found ?? null);
	if (options.afterwards && raw.ended !== 'interrupted') {
		await options.keep(raw);
		await options.afterwards(raw, pair, prepared);
	}
	// Awaited before `isolation` is disposed.
	return raw;
}

export async function measurePrepared<D extends OpenCells, Stop>(
	options: PairOptions & IsolatedPair,
	prepared: Prepared,
	kind: Pick<PairKind<D, Stop>, 'plan' | 'rule'>,
	began: Seconds,
	found: FoundImpact | null,
): Promise<Raw> {
	const { config, progress } = options;
	const stop = new AbortController();
	// A lane that fails ends the others.
	const signal = lanesOf(options) > 1 ? AbortSignal.any([options.signal, stop.signal]) : options.signal;
	const laneOptions = { ...options, signal };
	const verified = await verifyPair(laneOptions, prepared, kind.plan);
	const { plan, bench, refused } = verified;
	const opened = await openLanes(verified, laneOptions);
	const environment = { ...verified.environment, ...(opened.pinning !== null && { pinning: opened.pinning }) };

	const measuringSince = monotonicSeconds();
	const measuringSeconds = () => monotonicSeconds() - measuringSince;
	const assemble = ({ rounds, lanes }: MeasuredCells, ended: EndReason): Raw => ({
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
				...(verified.exercised?.warning ? [verified.exercised.warning] : []),
				...isolationWarnings(config, options.isolation),
				...uncoveredWarnings(options.isolation),
				...runtimeWarnings(options.runtimes),
				...prepared.warnings,
				...leftOutWarnings(verified.planned.leftOut),
				...trafficWarnings(config.scenarios),
				...opened.warnings(),
			],
			reproduce: options.reproduce,
			...(found && { changed: found.changed, because: pickCells(found.because, plan) }),
		} satisfies RunContext,
		plan,
		rounds,
		refused,
		ended,
		timing: {
			totalSeconds: monotonicSeconds() - began,
			measuringSeconds: measuringSeconds(),
			loadSeconds: rounds.reduce((sum, round) => sum + round.loadSeconds, 0),
			roundsRun: rounds.filter(({ purpose }) => purpose !== 'count').length,
			orchestratorPeakBytes: process.resourceUsage().maxRSS * 1024,
		},
		...(lanes && { lanes }),
	});
	try {
		const { ended, ...measured } = await measureCells(
			verified,
			sparing(opened, countingSeconds(plan.cells, plan.metrics, plan.budgetSeconds)),
			{
				rule: (lanePlan) => kind.rule(lanePlan, environment, plan),
				signal,
				stop,
				left: () => plan.budgetSeconds - measuringSeconds(),
				onStatus: (text) => progress.status(text),
				keep: async (sofar) => {
					await options.keep(assemble(sofar, 'interrupted'));
					releaseMemory();
				},
			},
		);
		// Base may have changed during the last round.
		if (ended !== 'interrupted') await prepared.checkBase?.();
		const counts = ended === 'interrupted' ? [] : await countLanes(verified, laneOptions, opened);
		if (counts === null) return assemble(measured, 'interrupted');
		return assemble({ ...measured, rounds: [...measured.rounds, ...counts] }, ended);
	} finally {
		// Another duet may follow after an error.
		await opened.close();
		releaseMemory();
	}
}

/** Returns memory of garbage to the system, which V8 otherwise keeps. Blocks for about 20 ms. */
function releaseMemory(): void {
	setFlagsFromString('--expose-gc');
	// Only contexts that are made after this have the function.
	const collectGarbage: NodeJS.GCFunction = runInNewContext('gc');
	collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function sparing(opened: OpenLanes, seconds: Seconds): OpenLanes {
	const { lanes } = opened;
	const shorter = (plan: Plan) => ({ ...plan, budgetSeconds: plan.budgetSeconds - seconds });
	return { ...opened, lanes: lanes.map((lane) => ({ ...lane, plan: shorter(lane.plan) })) };
}

/** A round of counts for each lane; null if interrupted. Lanes are counted in turn. */
async function countLanes(
	{ plan, laboratory, refused, bench }: VerifiedPair,
	{ config, signal, progress }: IsolatedPair,
	{ lanes }: OpenLanes,
): Promise<readonly Round[] | null> {
	const names = new Set(refused.map(({ cell }) => cell));
	const rounds: Round[] = [];
	try {
		for (const [index, lane] of lanes.entries()) {
			const cells = lane.plan.cells.filter(({ id }) => !names.has(id));
			const context = { plan, config, laboratory, startedAt: bench.startedAt };
			const round = await countCells(cells, context, ({ id }) => progress.status(`Counting ${id}`));
			if (round) rounds.push({ ...round, ...(lanes.length > 1 && { lane: index + 1 }) });
		}
		return rounds;
	} catch (error) {
		if (signal.aborted) return null;
		throw error;
	}
}

function pickCells(because: FoundImpact['because'], { cells }: Plan): FoundImpact['because'] {
	return Object.fromEntries(Object.entries(because).filter(([cell]) => cells.some(({ id }) => id === cell)));
}

function lanesOf({ lanes }: AskedPair): number {
	return lanes?.lanes.length ?? 1;
}
