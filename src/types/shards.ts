/** A comparison in several jobs: the shared plan and the state of each part. */
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

/** `cut-off`: no attempt is complete. */
const SHARD_STATES = ['complete', 'cut-off', 'missing'] as const;
export type ShardState = (typeof SHARD_STATES)[number];
export const SHARD_STATE = enumOf(SHARD_STATES);

export type ShardStamp = Infer<typeof SHARD_STAMP>;
export const SHARD_STAMP = objectOf({
	shard: ORDINAL,
	of: ORDINAL,
	planHash: TEXT,
	/** A workflow run, or `local`. */
	runId: TEXT,
	attempt: ORDINAL,
	/** Otherwise its rounds do not count. */
	complete: described(FLAG, 'it finished'),
});

export type PlannedSide = Infer<typeof PLANNED_SIDE>;
const PLANNED_SIDE = define(
	'side',
	objectOf({
		revision: described(TEXT, 'as the user typed it'),
		kind: enumOf(['git', 'dir', 'npm', 'file']),
		label: TEXT,
		content: described(TEXT, 'equal for equal code'),
		sha: optional(TEXT),
	}),
);

export type PlannedShard = Infer<typeof PLANNED_SHARD>;
const PLANNED_SHARD = objectOf({
	index: limited(COUNT, { minimum: 1 }),
	cells: listOf(TEXT),
	/** Without preparing. */
	expectedSeconds: SECONDS,
});

/**
 * Sources of expected times. `measured`: an earlier run. `baselines`: spread of rounds on the main branch. `timing`:
 * lengths of windows and warm-ups.
 */
const COST_SOURCES = ['measured', 'baselines', 'timing'] as const;

export interface KnownCosts {
	readonly source: Exclude<(typeof COST_SOURCES)[number], 'timing'>;
	/** By id, over all rounds, without starting the server. */
	readonly cells: ReadonlyMap<string, { readonly seconds: Seconds; readonly rounds: number }>;
	/** Per machine before it measures. */
	readonly setup: Seconds | null;
}

export type ShardCosts = Infer<typeof SHARD_COSTS>;
const SHARD_COSTS = objectOf({
	source: enumOf(COST_SOURCES),
	/** Without starting the server. */
	cells: described(mapOf(SECONDS), 'cell → all its rounds'),
	/** Per pair of its processes. */
	servers: described(mapOf(SECONDS), 'server → starting and first warm-up, over all rounds'),
	setup: described(SECONDS, 'of a machine before it measures'),
});

/** Workflow run that made a plan, with the context to read the same config. */
export type PlannedRun = Infer<typeof PLANNED_RUN>;
const PLANNED_RUN = objectOf({
	id: TEXT,
	/** Files of earlier attempts do not belong to the plan. */
	attempt: limited(COUNT, { minimum: 1 }),
	/** Tip of the base branch. */
	tip: optional(described(TEXT, 'commit whose config applies')),
	/** The base branch has no config yet, so the run only informs. */
	adopting: FLAG,
	/** Shards may skip measuring if both sides pack to the same code; all find the same. */
	mayBeUnchanged: FLAG,
	/** A `/benchgate` comment requested less than the gate: the run decides nothing. */
	ordered: optional(described(literal(true), 'a comment requested it, beside the gate')),
	warnings: limited(listOf(schemaOf<Warning>(objectOf({ code: TEXT, message: TEXT }))), { maxItems: 100 }),
});

const HASH = schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });

/** Written by `benchgate plan`, read by every shard. */
export type ShardPlan = Infer<typeof PLAN_SCHEMA>;
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
		/** Hash of the resolved config; other configs are refused. */
		configHash: HASH,
		base: ref(PLANNED_SIDE),
		head: ref(PLANNED_SIDE),
		options: described(mapOf(TEXT), 'options of compare as they were typed, with the seed'),
		cells: limited(listOf(CELL), { minItems: 1, maxItems: 500 }),
		oneSided: listOf(ONE_SIDED_CELL),
		shards: limited(listOf(PLANNED_SHARD), { minItems: 1, maxItems: MOST_SHARDS }),
		costs: SHARD_COSTS,
		audited: optional(described(listOf(TEXT), 'cells that run no changed code, measured to test that claim')),
		skipUnchanged: optional(
			described(literal(true), 'servers that run the same packed code on both sides are not measured'),
		),
		run: optional(described(PLANNED_RUN, 'the run of a workflow that made it')),
	}),
	[TOOL, PLANNED_SIDE],
);

export type PlannedSides = Sides<PlannedSide>;
