/** A comparison that several jobs measure: the plan they share, and the state of each part. */
import { DESIGN, GATE_POLICY, MARGIN_FIELDS } from './config.ts';
import { METRIC } from './metric.ts';
import { CELL, LOOK, ONE_SIDED_CELL } from './plan.ts';
import {
	COUNT,
	define,
	described,
	documentOf,
	enumOf,
	FLAG,
	type Infer,
	limited,
	listOf,
	literal,
	mapOf,
	NUMBER,
	ORDINAL,
	objectOf,
	optional,
	ref,
	SECONDS,
	schemaOf,
	TEXT,
} from './schema.ts';
import { MOST_SHARDS } from './shared-names.ts';
import { type Seconds, type Sides, TOOL, type Warning } from './units.ts';

export const PLAN_SCHEMA_VERSION = 1;

/** `cut-off`: only attempts that did not come to their end. */
const SHARD_STATES = ['complete', 'cut-off', 'missing'] as const;
export type ShardState = (typeof SHARD_STATES)[number];
export const SHARD_STATE = enumOf(SHARD_STATES);

/** What the file of a shard says about itself. */
export type ShardStamp = Infer<typeof SHARD_STAMP>;
export const SHARD_STAMP = objectOf({
	shard: ORDINAL,
	of: ORDINAL,
	/** Of the plan that it is a part of. */
	planHash: TEXT,
	/** What ran it: the run of a workflow, or `local`. */
	runId: TEXT,
	attempt: ORDINAL,
	/** Its rounds count only then. */
	complete: described(FLAG, 'it finished'),
});

/** A revision as it was found when the plan was made. */
export type PlannedSide = Infer<typeof PLANNED_SIDE>;
const PLANNED_SIDE = define(
	'side',
	objectOf({
		revision: described(TEXT, 'as the user typed it'),
		kind: enumOf(['git', 'dir', 'npm', 'file']),
		label: TEXT,
		/** Identifies the code. */
		content: described(TEXT, 'equal for equal code'),
		/** Commit, for git revisions. */
		sha: optional(TEXT),
	}),
);

/** The cells that one machine measures. */
export type PlannedShard = Infer<typeof PLANNED_SHARD>;
const PLANNED_SHARD = objectOf({
	index: limited(COUNT, { minimum: 1 }),
	/** Ids, in the order of the plan. */
	cells: listOf(TEXT),
	/** Of measuring, without preparing. */
	expectedSeconds: SECONDS,
});

/**
 * What a cost is known by. `measured`: an earlier run. `baselines`: how much the rounds of a row differed in those of the main branch.
 * `timing`: the lengths of windows and warm-ups.
 */
const COST_SOURCES = ['measured', 'baselines', 'timing'] as const;

/** What is known of the costs of cells before a plan is made. */
export interface KnownCosts {
	readonly source: Exclude<(typeof COST_SOURCES)[number], 'timing'>;
	/** By id, over all rounds. `seconds` are without starting the server. */
	readonly cells: ReadonlyMap<string, { readonly seconds: Seconds; readonly rounds: number }>;
	/** Of a machine before it measures; null where nothing is known. */
	readonly setup: Seconds | null;
}

/** What measuring and preparing is expected to take. */
export type ShardCosts = Infer<typeof SHARD_COSTS>;
const SHARD_COSTS = objectOf({
	source: enumOf(COST_SOURCES),
	/** Without starting its server. */
	cells: described(mapOf(SECONDS), 'cell → all its rounds'),
	/** Of a pair of each server. */
	servers: described(mapOf(SECONDS), 'server → starting and first warm-up, over all rounds'),
	/** Install, build. */
	setup: described(SECONDS, 'of a machine before it measures'),
});

/** Which run of a workflow made a plan, and what its other jobs must know to read the same config. */
export type PlannedRun = Infer<typeof PLANNED_RUN>;
const PLANNED_RUN = objectOf({
	/** Of the run. */
	id: TEXT,
	/** Attempt of the run in which the plan was made: nothing older belongs to it. */
	attempt: limited(COUNT, { minimum: 1 }),
	/** The tip of the base branch. Absent where there is no such branch. */
	tip: optional(described(TEXT, 'commit whose config applies')),
	/** Whether the base branch has no config that could hold: the run only informs. */
	adopting: FLAG,
	/** Whether shards that find the same packed code on both sides say so instead of measuring: all of them find the same. */
	mayBeUnchanged: FLAG,
	/** A `/benchgate` comment asked for less than the gate does: what is measured then decides nothing. */
	ordered: optional(described(literal(true), 'a comment asked for it, beside the gate')),
	/** What was noticed while the plan was made, for the report. */
	warnings: limited(listOf(schemaOf<Warning>(objectOf({ code: TEXT, message: TEXT }))), { maxItems: 100 }),
});

const HASH = schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });

/** A matrix divided among machines: what `benchgate plan` writes and every shard reads. */
export type ShardPlan = Infer<typeof PLAN_SCHEMA>;
/** schema/plan.schema.json. */
export const PLAN_SCHEMA = documentOf(
	'benchgate plan',
	objectOf({
		schemaVersion: literal(PLAN_SCHEMA_VERSION),
		kind: literal('benchgate-plan'),
		tool: ref(TOOL),
		createdAt: described(TEXT, 'ISO 8601'),
		planHash: described(HASH, 'SHA-256 of everything else, keys in order'),
		seed: NUMBER,
		design: DESIGN,
		metrics: limited(listOf(METRIC), { minItems: 1 }),
		m: described(limited(COUNT, { minimum: 1 }), 'rows of the one family: cells × metrics'),
		looks: limited(listOf(LOOK), { minItems: 1, maxItems: 100 }),
		budget: described(SECONDS, 'longest time each shard may measure'),
		...MARGIN_FIELDS,
		gate: GATE_POLICY,
		/** Of the resolved config: a shard that reads another one refuses. */
		configHash: HASH,
		base: ref(PLANNED_SIDE),
		head: ref(PLANNED_SIDE),
		options: described(mapOf(TEXT), 'options of compare as they were typed, with the seed'),
		cells: limited(listOf(CELL), { minItems: 1, maxItems: 500 }),
		/** Cells that one side alone has by its config; they are not measured. */
		oneSided: listOf(ONE_SIDED_CELL),
		shards: limited(listOf(PLANNED_SHARD), { minItems: 1, maxItems: MOST_SHARDS }),
		costs: SHARD_COSTS,
		skipUnchanged: optional(
			described(literal(true), 'servers that run the same packed code on both sides are not measured'),
		),
		/** Absent without a workflow. */
		run: optional(described(PLANNED_RUN, 'the run of a workflow that made it')),
	}),
	[TOOL, PLANNED_SIDE],
);

/** The sides of a plan. */
export type PlannedSides = Sides<PlannedSide>;
