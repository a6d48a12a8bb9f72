import { DESIGN, DESIGNS, INCONCLUSIVE_POLICY, MARGIN_FIELDS } from './config.ts';
import { CHANGED_CODE, IMPACT_REASON } from './impact.ts';
import { ISOLATION_REPORT } from './isolation.ts';
import { MAIN_BASELINES, ROW_DRIFT } from './main-baselines.ts';
import { GATED_METRICS, METRIC, METRICS, type MetricName } from './metric.ts';
import { type OneSidedCell, PLAN } from './plan.ts';
import { ENDED, FAULT, LANE_RUN, type LatencyHistogram, ROUND, ROUND_DEFINITIONS } from './round.ts';
import { RUNTIME_INFO } from './runtime.ts';
import {
	COUNT,
	define,
	described,
	documentOf,
	enumOf,
	FRACTION,
	type Infer,
	limited,
	listOf,
	literal,
	mapOf,
	NUMBER,
	NUMBER_OR_NULL,
	ORDINAL,
	objectOf,
	optional,
	orNull,
	ref,
	SECONDS,
	schemaOf,
	TEXT,
} from './schema.ts';
import { SHARD_STAMP, SHARD_STATE } from './shards.ts';
import { type Fraction, type Seconds, type Sides, sidesOf, TOOL, WARNING } from './units.ts';
import { ACCEPTANCE, GATE, GUARDS, HELD_RATE, INTERVAL, VERDICT } from './verdict.ts';

export const RESULT_SCHEMA_VERSION = 1;
export const RAW_SCHEMA_VERSION = 1;

export type BuildNote = Infer<typeof BUILD_NOTE>;
const BUILD_NOTE = objectOf({
	/** Run in the repository's root: `bun run build`. */
	command: TEXT,
	/** The first missing file, relative to its package. */
	file: TEXT,
	package: TEXT,
});

export type RevisionInfo = Infer<typeof REVISION>;
export const REVISION = define(
	'revision',
	objectOf({
		revision: described(TEXT, 'as the user typed it'),
		kind: enumOf(['git', 'dir', 'npm', 'file']),
		/** Short: `v5.1.0`, `main@1a2b3c4`, `express@5.1.0`. */
		label: TEXT,
		/** Git revisions only. */
		sha: optional(TEXT),
		subject: optional(objectOf({ name: TEXT, version: TEXT })),
		/** Absent if no build was needed, or if the repository defines one. */
		built: optional(described(BUILD_NOTE, 'a build that was run because the package names a file it lacked')),
		versions: described(mapOf(mapOf(TEXT)), 'server → installed package → version'),
	}),
);

export type HarnessInfo = Infer<typeof HARNESS>;
export const HARNESS = define(
	'harness',
	described(
		objectOf({
			/** Short: `3c1f2a9`; `the working tree` for uncommitted files. */
			label: TEXT,
			sha: optional(TEXT),
			folders: listOf(TEXT),
		}),
		'revision that the bench servers of both sides come from; absent without a harness',
	),
);

export type Environment = Infer<typeof ENVIRONMENT>;
export const ENVIRONMENT = define(
	'environment',
	objectOf({
		os: TEXT,
		kernel: TEXT,
		cpuModel: TEXT,
		cpus: COUNT,
		memoryBytes: COUNT,
		node: described(TEXT, 'version of the Node that builds, and runs the servers unless runtimes names others'),
		runtimes: optional(
			described(
				sidesOf(RUNTIME_INFO),
				'what the servers of each side ran on; absent where no runtime was named: then it was that Node',
			),
		),
		loadAverage: NUMBER,
		/** `servers on CPU 0, generator on CPU 1`, or why they are not pinned. */
		pinning: TEXT,
		workerCpus: optional(described(COUNT, 'those that worker processes of one server may use; only in rankings')),
		isolation: optional(
			described(ISOLATION_REPORT, 'who the code under test ran as; absent in files of older releases'),
		),
	}),
);

const CHANGE = described(NUMBER_OR_NULL, '(head − base) / base, a fraction: −0.061 is −6.1 %');

const LEVEL_RANGE = objectOf({ low: NUMBER, high: NUMBER });
export type LevelRange = Infer<typeof LEVEL_RANGE>;

/** `base` and `head` are absolute figures; the change comes from paired rounds instead. */
export type MetricResult = Infer<typeof METRIC_RESULT>;
const METRIC_RESULT = define(
	'metricResult',
	objectOf({
		base: NUMBER_OR_NULL,
		head: NUMBER_OR_NULL,
		change: CHANGE,
		interval: orNull(ref(INTERVAL)),
		unit: enumOf([...new Set(GATED_METRICS.map((name) => METRICS[name].unit))]),
		/** Of the absolute figures. In a duet the sides compete for the CPU. */
		source: enumOf(['solo', ...DESIGNS, 'counted']),
		level: optional(
			described(
				LEVEL_RANGE,
				'between which the geometric mean of base and head lies; present where a measurement of it is more than a quarter off',
			),
		),
	}),
);

export type CellResult = Infer<typeof CELL_RESULT>;
const CELL_RESULT = define(
	'cell',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		metric: METRIC,
		/** Differs from `metric` if a guard distrusts that metric. */
		judgedBy: described(METRIC, 'the metric that decided; change and interval are of it'),
		verdict: VERDICT,
		change: CHANGE,
		interval: orNull(ref(INTERVAL)),
		threshold: FRACTION,
		tolerance: FRACTION,
		rounds: COUNT,
		roundSd: described(NUMBER_OR_NULL, 'standard deviation over rounds of the log ratio'),
		/** A fraction. */
		smallestDecidableThreshold: NUMBER_OR_NULL,
		pRegressed: NUMBER_OR_NULL,
		pUnchanged: NUMBER_OR_NULL,
		metrics: schemaOf<Readonly<Partial<Record<MetricName, MetricResult>>>>({
			type: 'object',
			properties: Object.fromEntries(GATED_METRICS.map((name) => [name, ref(METRIC_RESULT)])),
		}),
		guards: orNull(ref(GUARDS)),
		warnings: listOf(ref(WARNING)),
		/** The config in force has the cell, but the merge base does not. */
		newerThanBase: optional(described(literal(true), 'base may be older than the code the row needs')),
		/** Absent without a baseline. */
		drift: optional(ref(ROW_DRIFT)),
		because: optional(ref(IMPACT_REASON)),
		/** Also for cells of a lost shard. */
		shard: optional(described(ORDINAL, 'the machine that measured it, of a gathered run')),
	}),
);

export type Timings = Infer<typeof TIMINGS>;
export const TIMINGS = define(
	'timing',
	objectOf({
		/** Includes preparing. */
		totalSeconds: described(SECONDS, 'whole command, seconds'),
		measuringSeconds: described(SECONDS, 'first process start to last stop, seconds'),
		loadSeconds: described(SECONDS, 'under counted load, seconds'),
		roundsRun: COUNT,
		/** Peak resident memory of benchgate itself. */
		orchestratorPeakBytes: limited(NUMBER, { minimum: 0 }),
	}),
);

export type ShardRun = Infer<typeof SHARD_RUN>;
const SHARD_RUN = define(
	'shardRun',
	described(
		objectOf({
			shard: ORDINAL,
			state: described(SHARD_STATE, 'only the rounds of a complete one count'),
			cells: described(listOf(TEXT), 'ids of the cells it was given'),
			/** Complete shards only, like all following fields. */
			attempt: optional(ORDINAL),
			startedAt: optional(described(TEXT, 'ISO 8601')),
			ended: optional(ref(ENDED)),
			environment: optional(ref(ENVIRONMENT)),
			timing: optional(ref(TIMINGS)),
			lanes: optional(described(listOf(ref(LANE_RUN)), 'absent where it had only one')),
		}),
		'what one machine did for a gathered run',
	),
);

const COMPARISON_DEFINITIONS = [
	TOOL,
	WARNING,
	REVISION,
	HARNESS,
	ENVIRONMENT,
	TIMINGS,
	SHARD_RUN,
	LANE_RUN,
	ENDED,
	CHANGED_CODE,
	IMPACT_REASON,
] as const;

/** Written by `--json`; every report is made from it. */
export type Result = Infer<typeof RESULT>;
export const RESULT = define(
	'result',
	objectOf({
		schemaVersion: literal(RESULT_SCHEMA_VERSION),
		tool: ref(TOOL),
		createdAt: described(TEXT, 'ISO 8601'),
		seed: NUMBER,
		design: DESIGN,
		threshold: FRACTION,
		tolerance: FRACTION,
		budget: SECONDS,
		base: ref(REVISION),
		head: ref(REVISION),
		harness: optional(ref(HARNESS)),
		environment: described(ref(ENVIRONMENT), 'of a gathered run that of its first complete shard'),
		/** By shard number. */
		shards: optional(described(listOf(ref(SHARD_RUN)), 'absent where there was only one machine')),
		gate: GATE,
		onInconclusive: INCONCLUSIVE_POLICY,
		ended: ref(ENDED),
		cells: listOf(ref(CELL_RESULT)),
		changed: optional(ref(CHANGED_CODE)),
		warnings: listOf(ref(WARNING)),
		timing: ref(TIMINGS),
		reproduce: TEXT,
	}),
);

export const RESULT_SCHEMA = documentOf('benchgate result', RESULT.schema, [
	...COMPARISON_DEFINITIONS,
	ACCEPTANCE,
	CELL_RESULT,
	ROW_DRIFT,
	INTERVAL,
	METRIC_RESULT,
	HELD_RATE,
	GUARDS,
]);

export type RefusedCell = Infer<typeof REFUSED_CELL>;
const REFUSED_CELL = objectOf({
	cell: TEXT,
	fault: ref(FAULT),
	/** First faults with another cause: if both sides break, the other side's. */
	others: optional(listOf(ref(FAULT))),
});

/** The parts of a Result that do not depend on rounds. */
export type RunContext = Infer<typeof RUN_CONTEXT>;
const RUN_CONTEXT = objectOf({
	tool: ref(TOOL),
	createdAt: TEXT,
	...MARGIN_FIELDS,
	onInconclusive: INCONCLUSIVE_POLICY,
	base: ref(REVISION),
	head: ref(REVISION),
	harness: optional(ref(HARNESS)),
	environment: ref(ENVIRONMENT),
	warnings: listOf(ref(WARNING)),
	reproduce: TEXT,
	changed: optional(ref(CHANGED_CODE)),
	/** Cell → why it is measured. */
	because: optional(mapOf(ref(IMPACT_REASON))),
	/** Present only if requested. */
	baselines: optional(MAIN_BASELINES),
});

/** Written by `--raw`; `benchgate judge` derives the identical Result. */
export type Raw = Infer<typeof RAW_SCHEMA>;
export const RAW_SCHEMA = documentOf(
	'benchgate raw windows',
	objectOf({
		schemaVersion: literal(RAW_SCHEMA_VERSION),
		kind: literal('benchgate-raw'),
		context: RUN_CONTEXT,
		plan: PLAN,
		rounds: listOf(ROUND),
		/** Cells invalid before any load, with the first wrong answer. */
		refused: listOf(REFUSED_CELL),
		ended: ref(ENDED),
		timing: ref(TIMINGS),
		shard: optional(described(SHARD_STAMP, 'whose part of a plan this is')),
		/** By number; rounds name their shard. */
		shards: optional(described(listOf(ref(SHARD_RUN)), 'only in a gathered file')),
		/** By number; rounds name their lane. */
		lanes: optional(described(listOf(ref(LANE_RUN)), 'only where one machine measured in several lanes')),
	}),
	[...COMPARISON_DEFINITIONS, ...ROUND_DEFINITIONS],
);

export interface ChartData {
	/** cell id → main rounds. */
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
	/** cell id → histograms pooled over counted windows. */
	readonly latency: Readonly<Record<string, Sides<LatencyHistogram>>>;
}

export type { OneSidedCell };
