import type { Design, GatePolicy } from './config.ts';
import type { MetricName } from './metric.ts';
import type { Cell, Look, OneSidedCell } from './plan.ts';
import { enumOf } from './schema.ts';
import type { Fraction, Seconds, Sides, Warning } from './units.ts';

export const PLAN_SCHEMA_VERSION = 1;
/** As many jobs as a matrix of GitHub may have. */
export const MOST_SHARDS = 256;

/** `cut-off`: only attempts that did not come to their end. */
export const SHARD_STATES = ['complete', 'cut-off', 'missing'] as const;
export type ShardState = (typeof SHARD_STATES)[number];
export const SHARD_STATE = enumOf(SHARD_STATES);

/** What the file of a shard says about itself. */
export interface ShardStamp {
	/** From 1. */
	readonly shard: number;
	readonly of: number;
	/** Of the plan that it is a part of. */
	readonly planHash: string;
	/** What ran it: the run of a workflow, or `local`. */
	readonly runId: string;
	/** From 1. */
	readonly attempt: number;
	/** Whether it came to its end. Its rounds count only then. */
	readonly complete: boolean;
}

/** A revision as it was found when the plan was made. */
export interface PlannedSide {
	/** As the user typed it. */
	readonly revision: string;
	readonly kind: 'git' | 'dir' | 'npm' | 'file';
	readonly label: string;
	/** Identifies the code: equal for equal code. */
	readonly content: string;
	/** Commit, for git revisions. */
	readonly sha?: string;
}

/** The cells that one machine measures. */
export interface PlannedShard {
	/** From 1. */
	readonly index: number;
	/** Ids, in the order of the plan. */
	readonly cells: readonly string[];
	/** Of measuring, without preparing. */
	readonly expectedSeconds: Seconds;
}

/**
 * What a cost is known by. `measured`: an earlier run. `baselines`: how much the rounds of a row differed in those of the main branch.
 * `timing`: the lengths of windows and warm-ups.
 */
export const COST_SOURCES = ['measured', 'baselines', 'timing'] as const;

/** What is known of the costs of cells before a plan is made. */
export interface KnownCosts {
	readonly source: Exclude<(typeof COST_SOURCES)[number], 'timing'>;
	/** By id, over all rounds. `seconds` are without starting the server. */
	readonly cells: ReadonlyMap<string, { readonly seconds: Seconds; readonly rounds: number }>;
	/** Of a machine before it measures; null where nothing is known. */
	readonly setup: Seconds | null;
}

/** What measuring and preparing is expected to take. */
export interface ShardCosts {
	readonly source: (typeof COST_SOURCES)[number];
	/** Of each cell over all its rounds, without starting its server. */
	readonly cells: Readonly<Record<string, Seconds>>;
	/** Of starting and first warming up a pair of each server, over all rounds. */
	readonly servers: Readonly<Record<string, Seconds>>;
	/** Of a machine before it measures: install, build. */
	readonly setup: Seconds;
}

/** Which run of a workflow made a plan, and what its other jobs must know to read the same config. */
export interface PlannedRun {
	/** Of the run. */
	readonly id: string;
	/** Attempt of the run in which the plan was made, from 1: nothing older belongs to it. */
	readonly attempt: number;
	/** Commit whose config holds: the tip of the base branch. Absent where there is no such branch. */
	readonly tip?: string;
	/** Whether the base branch has no config that could hold: the run only informs. */
	readonly adopting: boolean;
	/** Whether shards that find the same packed code on both sides say so instead of measuring: all of them find the same. */
	readonly mayBeUnchanged: boolean;
	/** There where a `/benchgate` comment asked for less than the gate does: what is measured then decides nothing. */
	readonly ordered?: true;
	/** What was noticed while the plan was made, for the report. */
	readonly warnings: readonly Warning[];
}

/** A matrix divided among machines: what `benchgate plan` writes, schema/plan.schema.json. */
export interface ShardPlan {
	readonly schemaVersion: typeof PLAN_SCHEMA_VERSION;
	readonly kind: 'benchgate-plan';
	readonly tool: { readonly name: 'benchgate'; readonly version: string };
	/** ISO 8601. */
	readonly createdAt: string;
	/** SHA-256 of everything else in the file. */
	readonly planHash: string;
	readonly seed: number;
	readonly design: Design;
	readonly metrics: readonly MetricName[];
	/** Rows of the one family: cells × metrics. */
	readonly m: number;
	readonly looks: readonly Look[];
	/** Longest time each shard may measure. */
	readonly budget: Seconds;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	readonly gate: GatePolicy;
	/** Of the resolved config: a shard that reads another one refuses. */
	readonly configHash: string;
	readonly base: PlannedSide;
	readonly head: PlannedSide;
	/** Options as they were typed, by name, with the seed. */
	readonly options: Readonly<Record<string, string>>;
	readonly cells: readonly Cell[];
	/** Cells that one side alone has by its config; nobody measures them. */
	readonly oneSided: readonly OneSidedCell[];
	readonly shards: readonly PlannedShard[];
	readonly costs: ShardCosts;
	/** Whether servers that turn out to run the same packed code on both sides are not measured. */
	readonly skipUnchanged?: true;
	/** Absent where no workflow made it. */
	readonly run?: PlannedRun;
}

/** The sides of a plan. */
export type PlannedSides = Sides<PlannedSide>;
