import type { Design, InconclusivePolicy } from './config.ts';
import type { IsolationReport } from './isolation.ts';
import type { MainBaselines, RowDrift } from './main-baselines.ts';
import type { MetricName } from './metric.ts';
import type { OneSidedCell, Plan } from './plan.ts';
import type { EndReason, Fault, LaneRun, LatencyHistogram, Round } from './round.ts';
import type { RuntimeInfo } from './runtime.ts';
import type { ShardStamp, ShardState } from './shards.ts';
import type { Bytes, Fraction, Seconds, Sides, Warning } from './units.ts';
import type { Gate, Guards, Interval, Verdict } from './verdict.ts';

export const RESULT_SCHEMA_VERSION = 1;
export const RAW_SCHEMA_VERSION = 1;

/** A build nobody asked for: it was run because the package lacked files. */
export interface BuildNote {
	/** As one would type it at the top of the repository: `bun run build`. */
	readonly command: string;
	/** A file that was missing, relative to the package that names it. */
	readonly file: string;
	/** Name of that package. */
	readonly package: string;
}

/** What a side was made from. */
export interface RevisionInfo {
	/** As the user typed it. */
	readonly revision: string;
	readonly kind: 'git' | 'dir' | 'npm' | 'file';
	/** Short and readable: `v5.1.0`, `main@1a2b3c4`, `express@5.1.0`. */
	readonly label: string;
	/** Commit, for git revisions. */
	readonly sha?: string;
	/** Name and version of the subject package, when there is one. */
	readonly subject?: { readonly name: string; readonly version: string };
	/** Absent when nothing had to be built, or the repository itself says how. */
	readonly built?: BuildNote;
	/** Per server: installed package → version. */
	readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Where the bench servers of both sides come from. */
export interface HarnessInfo {
	/** Short and readable, as that of a revision: `3c1f2a9`; `the working tree` for files that are in no commit. */
	readonly label: string;
	/** Commit, where it is one. */
	readonly sha?: string;
	/** Relative to the top of the repository. */
	readonly folders: readonly string[];
}

export interface Environment {
	readonly os: string;
	readonly kernel: string;
	readonly cpuModel: string;
	readonly cpus: number;
	readonly memoryBytes: Bytes;
	/** Version of the Node binary that builds, and runs the servers unless `runtimes` says otherwise. */
	readonly node: string;
	/** What the servers of each side ran on; absent where nobody asked for a runtime, and it was that Node. */
	readonly runtimes?: Sides<RuntimeInfo>;
	readonly loadAverage: number;
	/** e.g. `servers on CPU 0, generator on CPU 1`, or why there is none. */
	readonly pinning: string;
	/** CPUs that worker processes of one server may use; told by rankings, absent in files of older releases. */
	readonly workerCpus?: number;
	/** How far the code under test was kept apart; absent in files of older releases. */
	readonly isolation?: IsolationReport;
}

/** One metric of one row. `base` and `head` are absolute figures in `unit`; the change comes from paired rounds. */
export interface MetricResult {
	readonly base: number | null;
	readonly head: number | null;
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	readonly unit: string;
	/** Where the absolute figures come from; duet figures are contended. */
	readonly source: 'solo' | Design;
	/** Present where a measurement of the figures' level, their geometric mean, is more than a quarter off: it lies between these. */
	readonly level?: LevelRange;
}

export interface LevelRange {
	readonly low: number;
	readonly high: number;
}

export interface CellResult {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	/** The metric that decided the row; differs from `metric` when a guard says so. */
	readonly judgedBy: MetricName;
	readonly verdict: Verdict;
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	readonly rounds: number;
	readonly roundSd: number | null;
	readonly smallestDecidableThreshold: Fraction | null;
	readonly pRegressed: number | null;
	readonly pUnchanged: number | null;
	readonly metrics: Readonly<Partial<Record<MetricName, MetricResult>>>;
	readonly guards: Guards | null;
	readonly warnings: readonly Warning[];
	/** The config that holds has the cell, but base may be older than it. */
	readonly newerThanBase?: true;
	/** Where main stands in this row; absent where no baseline has the row. */
	readonly drift?: RowDrift;
	/** The shard that measured it, or should have; absent where there was only one machine. */
	readonly shard?: number;
}

/** What one machine did for a gathered run. */
export interface ShardRun {
	/** From 1. */
	readonly shard: number;
	readonly state: ShardState;
	/** Cells it was given. */
	readonly cells: readonly string[];
	/** This and all that follows only of a complete one: its rounds are those that count. */
	readonly attempt?: number;
	/** ISO 8601. */
	readonly startedAt?: string;
	readonly ended?: EndReason;
	readonly environment?: Environment;
	readonly timing?: Timings;
	/** By number; absent where it had only one lane. */
	readonly lanes?: readonly LaneRun[];
}

export interface Timings {
	/** Whole command, preparing included. */
	readonly totalSeconds: Seconds;
	/** From the first process start to the last stop. */
	readonly measuringSeconds: Seconds;
	/** Under counted load. */
	readonly loadSeconds: Seconds;
	readonly roundsRun: number;
	/** Most resident memory of the orchestrator itself. */
	readonly orchestratorPeakBytes: Bytes;
}

/** What `--json` writes and every report is rendered from: schema/result.schema.json. */
export interface Result {
	readonly schemaVersion: typeof RESULT_SCHEMA_VERSION;
	readonly tool: { readonly name: 'benchgate'; readonly version: string };
	/** ISO 8601. */
	readonly createdAt: string;
	readonly seed: number;
	readonly design: Design;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	/** Seconds. */
	readonly budget: Seconds;
	readonly base: RevisionInfo;
	readonly head: RevisionInfo;
	/** Absent when the config names no harness. */
	readonly harness?: HarnessInfo;
	/** Of a gathered run that of its first complete shard; each has its own. */
	readonly environment: Environment;
	/** By number; absent where there was only one machine. */
	readonly shards?: readonly ShardRun[];
	readonly gate: Gate;
	readonly onInconclusive: InconclusivePolicy;
	readonly ended: EndReason;
	readonly cells: readonly CellResult[];
	readonly warnings: readonly Warning[];
	readonly timing: Timings;
	/** Exact command that repeats this run locally. */
	readonly reproduce: string;
}

/** What `--raw` writes: enough for `benchgate judge` to give the identical Result. */
export interface Raw {
	readonly schemaVersion: typeof RAW_SCHEMA_VERSION;
	readonly kind: 'benchgate-raw';
	/** Everything of the Result that does not come from rounds. */
	readonly context: RunContext;
	readonly plan: Plan;
	readonly rounds: readonly Round[];
	/** Cells that were invalid before any load, with the first offending answer. */
	readonly refused: readonly RefusedCell[];
	readonly ended: EndReason;
	readonly timing: Timings;
	/** Whose part of a plan this is; only in the file of one shard. */
	readonly shard?: ShardStamp;
	/** By number; only in a gathered file, whose rounds say which shard they are of. */
	readonly shards?: readonly ShardRun[];
	/** By number; only where a machine measured in several lanes, whose rounds say which one they ran in. A shard has its own. */
	readonly lanes?: readonly LaneRun[];
}

export interface RefusedCell {
	readonly cell: string;
	readonly fault: Fault;
	/** First faults of those whose fault that is not: the other side's, when both sides break. */
	readonly others?: readonly Fault[];
}

export type RunContext = Pick<
	Result,
	| 'tool'
	| 'createdAt'
	| 'threshold'
	| 'tolerance'
	| 'onInconclusive'
	| 'base'
	| 'head'
	| 'harness'
	| 'environment'
	| 'warnings'
	| 'reproduce'
> & {
	/** Absent where nobody asked, or there are none. */
	readonly baselines?: MainBaselines;
};

/** Pictures of the HTML report that need more than the Result. */
export interface ChartData {
	/** cell id → d of each main round with its start, per metric of interest. */
	readonly rounds: Readonly<
		Record<
			string,
			readonly {
				readonly round: number;
				readonly startedAt: Seconds;
				readonly change: Fraction;
				readonly discarded: boolean;
			}[]
		>
	>;
	/** cell id → pooled latency of both sides over all counted windows. */
	readonly latency: Readonly<Record<string, Sides<LatencyHistogram>>>;
}

export type { OneSidedCell };
