import { listTree, readResident, readTreeTimes, type TreeTimes, usedBetween } from '../process/process-tree.ts';
import type { Config, Scenario, ServerSpec } from '../types/config.ts';
import type { MetricName } from '../types/metric.ts';
import type { RoundPlan, Timing, Traffic, Turn } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Afterwork, CellRound, Fault, Window, WorkerFigures } from '../types/round.ts';
import { type Fraction, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';
import { namesOfFolders, namesOfRevisions, type RevisionNames } from './answers/own-texts.ts';
import type { Burst } from './answers/send-burst.ts';
import type { BaseAnswers } from './answers/verify-scenario.ts';
import type { TurnReport } from './generator/messages.ts';
import type { Generator, TurnFailed } from './generator-process.ts';
import type { Pair, StartContext } from './pair.ts';
import type { ServerProcess } from './server-process.ts';

interface WorkersSince {
	readonly at: number;
	readonly times: TreeTimes;
}

export interface LaboratoryOptions {
	readonly config: Pick<Config, 'servers' | 'scenarios'>;
	readonly prepared: Prepared;
	readonly timing: (design: RoundPlan['design']) => Timing;
	/** Needed for scenarios with a mix, except built-in ones. */
	readonly traffic?: (scenario: Scenario) => Traffic | undefined;
	/** Rewords remarks if base and head are different servers. */
	readonly words?: (remark: string, server: string) => string;
	/** Base's answers to disputed requests, by cell; shared between lanes. */
	readonly disputed?: Map<string, BaseAnswers>;
	/** Sent to each cell when it is verified. */
	readonly burst?: Burst | undefined;
	/** Filled by cell, if its answers are right. */
	readonly answered?: Map<string, AnsweredCell> | undefined;
	readonly generator: Generator;
	readonly start: StartContext;
	readonly startedAt: number;
}

export interface AnsweredCell {
	/** Of base. */
	readonly body: string;
	readonly remarks: readonly Fault[];
}

interface Asked {
	readonly config: Pick<Config, 'servers' | 'scenarios'>;
}

const AT_ONCE = { requests: 0, leastSeconds: 0, mostSeconds: 0 };

/** Whether a scenario needs processes that no other one has loaded, or started differently. */
export function needsOwnPair({ metrics, workers, inProcess }: Scenario): boolean {
	return metrics !== undefined || workers !== undefined || inProcess === true;
}

const STARTS: ReadonlySet<MetricName> = new Set(['cold-start', 'reload', 'hot-reload']);

/** Disables vitals if the start is timed, because loading their module takes time. */
export function startingOf({ start }: { readonly start: StartContext }, { metrics = [] }: Scenario): StartContext {
	return metrics.some((metric) => STARTS.has(metric)) ? { ...start, vitals: false } : start;
}

/** Returns the timing of a memory turn: one window suffices to check the answers. */
export function forFootprint(timing: Timing): Timing {
	return { ...timing, firstWarmup: AT_ONCE, warmup: AT_ONCE, windows: 1, soloRounds: 0 };
}

export function withoutSolo({ soloFirst: _, ...turn }: Turn): Turn {
	return turn;
}

export function withReload(round: CellRound, reload: Sides<Seconds | null>): CellRound {
	const none = { seconds: null, memory: null };
	const [base, head] = SIDES.map((side) => ({ ...(round.start?.[side] ?? none), reload: reload[side] }));
	return base && head ? { ...round, start: { base, head } } : round;
}

/** Returns true for a loaded side, and for null, which means both sides. */
export function isLoaded({ only }: Turn, side: Side | null): boolean {
	return only === undefined || side === null || side === only;
}

export function faulty(
	{ start }: { readonly start: Pick<StartContext, 'affinity'> },
	plan: RoundPlan,
	turn: Turn,
	faults: readonly Fault[],
): CellRound {
	return {
		cell: turn.cell,
		round: plan.round,
		purpose: plan.purpose,
		design: plan.design,
		windows: [],
		memoryPeak: { base: null, head: null },
		faults,
		pinned: start.affinity.pinned,
	};
}

export function origins(pair: Pair): Sides<string> {
	return { base: pair.base.origin, head: pair.head.origin };
}

/** Texts that may differ between the sides. */
export function ownNames({ prepared }: Pick<LaboratoryOptions, 'prepared'>, server: string): RevisionNames {
	const { base, head } = prepared.sides;
	const [basePath = '', headPath = ''] = [base, head].map(({ servers }) => servers[server]?.cwd);
	return [
		...namesOfRevisions({ base: base.info, head: head.info }),
		...namesOfFolders({ base: basePath, head: headPath }),
	];
}

export function findServer({ config }: Asked, name: string): ServerSpec {
	const server = config.servers.find((each) => each.name === name);
	if (!server) throw new Error(`no server named ${name}`);
	return server;
}

export function findScenario({ config }: Asked, name: string): Scenario {
	const scenario = config.scenarios.find((each) => each.name === name);
	if (!scenario) throw new Error(`no scenario named ${name}`);
	return scenario;
}

export function serverOf(cell: string): string {
	return cell.slice(0, cell.indexOf('/'));
}

export function scenarioOf(cell: string): string {
	return cell.slice(cell.indexOf('/') + 1);
}

/** Returns a fault per silent side, or one without a side if unknown. */
export function unanswered({ sides, message }: Pick<TurnFailed, 'sides' | 'message'>): Fault[] {
	const faultOf = (side: Side | null): Fault => ({ code: 'no-answer', side, message });
	return sides.length > 0 ? sides.map(faultOf) : [faultOf(null)];
}

/** Least deferred work that counts, as a share of the load's CPU time. */
const LEAST_AFTERWORK: Fraction = 0.01;

/** Whether a side defers so much work that every later turn must wait for it. */
export function doesPutOff({
	afterwork,
	windows,
	design,
}: Pick<CellRound, 'afterwork' | 'windows' | 'design'>): boolean {
	return SIDES.some((side) => {
		const work = afterwork?.[side];
		if (work == null) return false;
		const counted = windows.flatMap((window) => (window.kind === design ? (window[side] ?? []) : []));
		const cpuSeconds = counted.reduce((sum, window) => sum + (window.cpuSeconds ?? 0), 0);
		const completed = counted.reduce((sum, window) => sum + window.completed, 0);
		const loadSeconds = completed === 0 ? 0 : (cpuSeconds / completed) * work.answers;
		return work.unfinished > 0 || work.cpuSeconds > LEAST_AFTERWORK * loadSeconds;
	});
}

/** Returns afterwork, and how CPU time was attributed. */
export function ofCpu(
	{ rested }: Pick<TurnReport, 'rested'>,
	{ base, head }: Sides<Pick<ServerProcess, 'group' | 'held'>>,
): Pick<CellRound, 'afterwork' | 'grouped' | 'held'> {
	const workOf = (side: Side): Afterwork | null => {
		const sideRest = rested?.[side];
		return sideRest == null || rested === undefined ? null : { ...sideRest, answers: rested.answers[side] };
	};
	return {
		...(rested && { afterwork: { base: workOf('base'), head: workOf('head') } }),
		...(base.group !== null && head.group !== null && { grouped: true as const }),
		...(base.held && head.held && { held: true as const }),
	};
}

export function strays({ leftCpu = [] }: Pick<TurnReport, 'leftCpu'>, serverCpu: number | null): Fault[] {
	return leftCpu.map((side) => ({
		code: 'left-cpu',
		side,
		message: `the ${side} server ran on another CPU than CPU ${serverCpu}, on which both sides are held; it must not set its CPU affinity (taskset, numactl, worker_cpu_affinity)`,
	}));
}

export function watchWorkers(root: number): WorkersSince {
	return { at: performance.now(), times: readTreeTimes(listTree(root)) };
}

/** Returns usage of the processes below `root`, which itself only hands out connections. */
export function readWorkers(root: number, since: WorkersSince): readonly WorkerFigures[] {
	const seconds = (performance.now() - since.at) / 1000;
	return listTree(root)
		.filter((pid) => pid !== root)
		.map((pid) => ({ cpus: usedBetween(since.times, readTreeTimes([pid])) / seconds, memory: readResident([pid]) }));
}

/** Counts a window of both sides once, one-sided windows each. */
export function countLoad(cells: readonly CellRound[]): Seconds {
	const length = (window: Window) =>
		window.kind === 'duet'
			? Math.max(window.base?.seconds ?? 0, window.head?.seconds ?? 0)
			: (window.base?.seconds ?? 0) + (window.head?.seconds ?? 0);
	return cells.flatMap((cell) => cell.windows).reduce((sum, window) => sum + length(window), 0);
}
