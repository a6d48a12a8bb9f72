import { RANKING_METRIC } from '../metric.ts';
import { TIMING } from '../plan.ts';
import { ENVIRONMENT } from '../result.ts';
import { ENDED, WORKER_FIGURES } from '../round.ts';
import { RUNTIME_INFO } from '../runtime.ts';
import {
	COUNT,
	define,
	described,
	documentOf,
	enumOf,
	type Infer,
	listOf,
	literal,
	mapOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	ref,
	SECONDS,
	schemaOf,
	TEXT,
	TEXT_OR_NULL,
	unionOf,
} from '../schema.ts';
import { SIDE_OR_NULL, TOOL, WARNING } from '../units.ts';
import {
	ALONE_FIGURES,
	BY_METRIC,
	LATENCY_FIGURES,
	RAMP,
	RATE_FIGURES,
	SCALING,
	STEP_FIGURES,
} from './load-figures.ts';
import { RANKED_SCENARIO, RANKING_SETUP } from './ranking-setup.ts';
import { RANKED_SHARD, RANKING_SHARD } from './ranking-shards.ts';

export const RANKING_SCHEMA_VERSION = 1;

const SAMPLE = define(
	'sample',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		/** Loaded in turn with the server, or simultaneously. */
		reference: TEXT,
		/** 1-based. */
		round: COUNT,
		d: described(BY_METRIC, 'log ratio server against reference; negative is worse'),
		alone: objectOf({ server: orNull(ref(ALONE_FIGURES)), reference: orNull(ref(ALONE_FIGURES)) }),
		/** The first three fields mean the same as in `Guards`. */
		guards: objectOf({
			generatorUtilisation: NUMBER_OR_NULL,
			serverUtilisation: NUMBER_OR_NULL,
			cpuShare: NUMBER_OR_NULL,
			/** Share of windows where other programs used more than 5 % of a CPU. */
			busy: NUMBER_OR_NULL,
			/** Only if loaded in turn. */
			resting: optional(
				described(
					objectOf({ server: NUMBER_OR_NULL, reference: NUMBER_OR_NULL }),
					'share of a CPU that each used while the other was loaded',
				),
			),
		}),
		workers: optional(described(listOf(WORKER_FIGURES), 'what each worker process used')),
		/** Faults make the turn invalid. In them, base is the reference and head the server. */
		faults: listOf(ref(WARNING)),
		seconds: SECONDS,
	}),
);

/** One server's turn in one round, together with its reference: the raw data of a ranking. */
export interface RankingSample extends Infer<typeof SAMPLE> {
	/** Only when gathered. Never stored. */
	readonly shard?: number;
}

const SERVER_STATES = ['installed', 'not-installed', 'unsupported'] as const;

export type RankedServer = Infer<typeof RANKED_SERVER>;
const RANKED_SERVER = define(
	'server',
	objectOf({
		name: TEXT,
		description: TEXT,
		state: enumOf(SERVER_STATES),
		/** With a remedy; null when installed. */
		reason: TEXT_OR_NULL,
		/** Installed package → version. */
		versions: mapOf(TEXT),
		/** Its direct dependencies. */
		direct: listOf(TEXT),
		runtime: optional(described(RUNTIME_INFO, 'what it ran on; absent where no runtime was named')),
		/** `app.inject`. */
		inProcess: optional(described(TEXT, 'how it is called without a socket')),
		/** One sentence per built-in scenario. */
		remarks: optional(described(mapOf(TEXT), 'what explains its figures, by scenario')),
	}),
);

export type UnmeasuredPair = Infer<typeof UNMEASURED_PAIR>;
const UNMEASURED_PAIR = define(
	'unmeasured',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		state: enumOf(['left-out', 'broken']),
		reason: TEXT,
		/** Culprit. */
		side: SIDE_OR_NULL,
	}),
);

/** Reports show `first` 1 and `last` 2 as `1-2`. */
export type Rank = Infer<typeof RANK>;
const RANK = define(
	'rank',
	described(objectOf({ first: COUNT, last: COUNT }), 'places it shares with rows whose intervals overlap its own'),
);

/** 0.63 is 63 % of the reference. */
export type Ranged = Infer<typeof RANGED>;
const RANGED = define(
	'ranged',
	described(objectOf({ value: NUMBER, low: NUMBER, high: NUMBER }), 'a value and its 95 % interval'),
);

const ROW_STATES = ['measured', 'left-out', 'not-installed', 'unsupported', 'broken', 'not-reached'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Coefficient of variation below 3 %, up to 5 %, up to 10 %, or above. */
export const BANDS = ['Excellent', 'Acceptable', 'Noisy', 'Unreliable'] as const;
export type Band = (typeof BANDS)[number];

export type Variation = Infer<typeof VARIATION>;
const VARIATION = define(
	'variation',
	described(
		objectOf({
			/** In the figure's unit; null below two rounds. */
			sd: NUMBER_OR_NULL,
			/** sd / mean. */
			cov: NUMBER_OR_NULL,
			band: enumOf([...BANDS, null]),
		}),
		'sample standard deviation over rounds (n − 1), and as a share of the mean',
	),
);

export type RankingRow = Infer<typeof RANKING_ROW>;
const RANKING_ROW = define(
	'row',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		state: enumOf(ROW_STATES),
		/** Null when measured. */
		reason: TEXT_OR_NULL,
		rank: orNull(ref(RANK)),
		/** Loaded alone, or simultaneously in older runs; null without an interval. */
		share: described(orNull(ref(RANGED)), "share of the reference's throughput: 0.63 is 63 %"),
		/** Log of the share, for comparing two shares. */
		logShare: orNull(objectOf({ theta: NUMBER, se: NUMBER, df: NUMBER })),
		ownReference: optional(
			described(
				NUMBER,
				'how much the process of the reference beside it counts in each round of its share, from 0 to 1; the rest is the mean of all processes of the reference in this scenario and round; absent for 1',
			),
		),
		/** `throughput`, or `cpu-per-request` if a guard distrusts throughput. */
		judgedBy: RANKING_METRIC,
		rounds: COUNT,
		/** Median over rounds. */
		alone: orNull(ref(ALONE_FIGURES)),
		throughputs: described(listOf(NUMBER), 'requests per second of every round, alone'),
		variation: objectOf({ throughput: ref(VARIATION), p99: ref(VARIATION) }),
		warnings: listOf(ref(WARNING)),
		oversubscribed: optional(
			described(literal(true), 'more worker processes than CPUs for them: in no ratio; absent where there were not'),
		),
		shard: optional(described(COUNT, 'machine on which the figures alone were measured, where several were gathered')),
	}),
);

export const COMPARISON_KINDS = [
	'middleware-loss',
	'middlewares-20',
	'layers',
	'production-delta',
	'logging',
	'serialiser',
	'routes',
	'wrapper',
] as const;

const PLACE = define('place', objectOf({ server: TEXT, scenario: TEXT }));

export type Comparison = Infer<typeof COMPARISON>;
const COMPARISON = define(
	'comparison',
	objectOf({
		kind: enumOf(COMPARISON_KINDS),
		/** The row that costs more: `koa/middleware-5`, `pikku-express/ping`. */
		row: ref(PLACE),
		against: ref(PLACE),
		/**
		 * 1 − row / against in throughput: 0.2 is a fifth fewer requests. The ends are null without a common reference.
		 */
		loss: objectOf({ value: NUMBER, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL }),
		/** Only for wrappers: a loss up to 5 %, up to 15 %, or more. */
		grade: enumOf(['good', 'borderline', 'bad', null]),
	}),
);

export const RUN_VERDICTS = ['CLEAN RUN', 'ACCEPTABLE', 'NOISY', 'UNRELIABLE'] as const;

/** Steadiness of a run: coefficients of variation of throughput. */
export type RunVariation = Infer<typeof RUN_VARIATION>;
const RUN_VARIATION = define(
	'runVariation',
	objectOf({
		/** Null without coefficients. */
		verdict: enumOf([...RUN_VERDICTS, null]),
		meanCov: NUMBER_OR_NULL,
		/** Rows with a coefficient. */
		rows: COUNT,
		/** Rows above 5 %, worst first. */
		noisy: listOf(objectOf({ server: TEXT, scenario: TEXT, throughput: NUMBER, p99: NUMBER_OR_NULL })),
		/** Rows above 10 %. */
		unreliable: COUNT,
	}),
);

/** Written by `benchgate measure --json`; the input of its reports. */
export type RankingResult = Infer<typeof RANKING_SCHEMA>;
export const RANKING_SCHEMA = documentOf(
	'benchgate measure',
	objectOf({
		schemaVersion: literal(RANKING_SCHEMA_VERSION),
		kind: literal('benchgate-measure'),
		tool: ref(TOOL),
		/** Start of the first run. */
		createdAt: described(TEXT, 'ISO 8601'),
		seed: NUMBER,
		setup: ref(RANKING_SETUP),
		precision: described(NUMBER, 'rounds ended when half of every 95 % interval was at most this share'),
		ended: ref(ENDED),
		/** Rounds of the row with the most. */
		rounds: COUNT,
		/** Wall time. */
		measuringSeconds: SECONDS,
		/** Server with its own report section. */
		highlight: TEXT_OR_NULL,
		rows: listOf(ref(RANKING_ROW)),
		comparisons: listOf(ref(COMPARISON)),
		ramps: listOf(ref(RAMP)),
		scalings: listOf(ref(SCALING)),
		variation: ref(RUN_VARIATION),
		servers: listOf(ref(RANKED_SERVER)),
		environment: ref(ENVIRONMENT),
		warnings: listOf(ref(WARNING)),
		reproduce: TEXT,
		runs: optional(described(COUNT, 'how many runs were put together; absent for one')),
		shard: optional(described(ref(RANKING_SHARD), 'only of a run that measured one shard')),
		shards: optional(described(listOf(ref(RANKED_SHARD)), 'only where shards were gathered')),
		percentOf: optional(described(listOf(TEXT), 'servers that shares are also given of, besides the reference')),
	}),
	[
		...[TOOL, WARNING, ENVIRONMENT, ENDED, LATENCY_FIGURES, RATE_FIGURES, STEP_FIGURES, ALONE_FIGURES],
		...[RANKED_SCENARIO, TIMING, RANKING_SETUP, RANKED_SERVER, RANKING_SHARD, RANKED_SHARD, RANK, RANGED],
		...[VARIATION, RANKING_ROW, PLACE, COMPARISON, RAMP, SCALING, RUN_VARIATION],
	],
);

type SharedKey =
	| 'tool'
	| 'createdAt'
	| 'seed'
	| 'setup'
	| 'precision'
	| 'environment'
	| 'servers'
	| 'warnings'
	| 'ended'
	| 'reproduce'
	| 'runs'
	| 'shard'
	| 'shards';

export interface RankingData extends Pick<RankingResult, SharedKey> {
	readonly unmeasured: readonly UnmeasuredPair[];
	readonly samples: readonly RankingSample[];
}

export type LogHeader = Infer<typeof LOG_HEADER>;
const LOG_HEADER = objectOf({
	kind: literal('benchgate-measure-log'),
	schemaVersion: literal(RANKING_SCHEMA_VERSION),
	tool: ref(TOOL),
	createdAt: TEXT,
	seed: NUMBER,
	setup: ref(RANKING_SETUP),
	/** As requested when the run started. */
	precision: NUMBER,
	shard: optional(ref(RANKING_SHARD)),
});

/** A session line starts or resumes a run. */
export type LogLine = Infer<typeof LOG_LINE>;
const LOG_LINE = unionOf([
	objectOf({
		kind: literal('session'),
		environment: ref(ENVIRONMENT),
		servers: listOf(ref(RANKED_SERVER)),
		unmeasured: listOf(ref(UNMEASURED_PAIR)),
		reproduce: TEXT,
		/** As requested on resuming. */
		precision: optional(NUMBER),
	}),
	objectOf({ kind: literal('samples'), samples: listOf(schemaOf<RankingSample>(ref(SAMPLE))) }),
	objectOf({ kind: literal('end'), ended: ref(ENDED), warnings: listOf(ref(WARNING)) }),
]);

export const LOG_SCHEMA = documentOf('benchgate log of a ranking', unionOf([LOG_HEADER, LOG_LINE]), [
	...[TOOL, WARNING, ENVIRONMENT, ENDED, LATENCY_FIGURES, RATE_FIGURES, STEP_FIGURES, ALONE_FIGURES],
	...[RANKED_SCENARIO, TIMING, RANKING_SETUP, RANKED_SERVER, UNMEASURED_PAIR, RANKING_SHARD, SAMPLE],
]);
