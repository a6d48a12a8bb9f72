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
import { RAMP } from './connection-ramp.ts';
import { ALONE_FIGURES, BY_METRIC, LATENCY_FIGURES, RATE_FIGURES, STEP_FIGURES } from './load-figures.ts';
import { RANKED_SCENARIO, RANKING_SETUP } from './ranking-setup.ts';
import { RANKED_SHARD, RANKING_SHARD } from './ranking-shards.ts';
import { SCALING } from './worker-scaling.ts';

export const RANKING_SCHEMA_VERSION = 1;

const SAMPLE = define(
	'sample',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		/** The server it was measured with, in turn or beside it. */
		reference: TEXT,
		/** 1-based. */
		round: COUNT,
		/** Null where it is not available. */
		d: described(BY_METRIC, 'log ratio server against reference; negative is worse'),
		alone: objectOf({ server: orNull(ref(ALONE_FIGURES)), reference: orNull(ref(ALONE_FIGURES)) }),
		/** The first three are those of `Guards`. */
		guards: objectOf({
			generatorUtilisation: NUMBER_OR_NULL,
			serverUtilisation: NUMBER_OR_NULL,
			cpuShare: NUMBER_OR_NULL,
			/** Share of windows in which other programs used more than 5 % of a CPU; null when unknown. */
			busy: NUMBER_OR_NULL,
			/** Absent unless they were loaded in turn. */
			resting: optional(
				described(
					objectOf({ server: NUMBER_OR_NULL, reference: NUMBER_OR_NULL }),
					'share of a CPU that each used while the other was loaded',
				),
			),
		}),
		/** Where there are several. */
		workers: optional(described(listOf(WORKER_FIGURES), 'what each worker process used')),
		/** Why the numbers of this turn mean nothing: base is the reference, head the server. */
		faults: listOf(ref(WARNING)),
		seconds: SECONDS,
	}),
);

/** What a server's turn of one round says, with its reference: all that a ranking is made from. */
export interface RankingSample extends Infer<typeof SAMPLE> {
	/** The shard that measured it, where shards were gathered. No file has it. */
	readonly shard?: number;
}

const SERVER_STATES = ['installed', 'not-installed', 'unsupported'] as const;

/** A server that was asked for. */
export type RankedServer = Infer<typeof RANKED_SERVER>;
const RANKED_SERVER = define(
	'server',
	objectOf({
		name: TEXT,
		description: TEXT,
		state: enumOf(SERVER_STATES),
		/** Why it could not be had, and what to do; null when it was installed. */
		reason: TEXT_OR_NULL,
		/** Installed package → version. */
		versions: mapOf(TEXT),
		/** Packages it names itself. */
		direct: listOf(TEXT),
		runtime: optional(described(RUNTIME_INFO, 'what it ran on; absent where no runtime was asked for')),
		/** `app.inject`; absent without such a function, and in older logs. */
		inProcess: optional(described(TEXT, 'what it is asked by without a socket')),
		/** A sentence by built-in scenario; absent without any, and in older logs. */
		remarks: optional(described(mapOf(TEXT), 'what explains its figures, by scenario')),
	}),
);

/** A pair of server and scenario that was not loaded, and why. */
export type UnmeasuredPair = Infer<typeof UNMEASURED_PAIR>;
const UNMEASURED_PAIR = define(
	'unmeasured',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		state: enumOf(['left-out', 'broken']),
		reason: TEXT,
		/** The side that caused it; null if neither did. */
		side: SIDE_OR_NULL,
	}),
);

/** Places a server shares: `first` 1 and `last` 2 is shown as `1-2`. */
export type Rank = Infer<typeof RANK>;
const RANK = define(
	'rank',
	described(objectOf({ first: COUNT, last: COUNT }), 'places it shares with rows it cannot be told apart from'),
);

/** Of a share: 0.63 is 63 % of the reference. */
export type Ranged = Infer<typeof RANGED>;
const RANGED = define(
	'ranged',
	described(objectOf({ value: NUMBER, low: NUMBER, high: NUMBER }), 'a value and its 95 % interval'),
);

const ROW_STATES = ['measured', 'left-out', 'not-installed', 'unsupported', 'broken', 'not-reached'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Verdicts on a coefficient of variation: below 3 %, to 5 %, to 10 %, above. */
export const BANDS = ['Excellent', 'Acceptable', 'Noisy', 'Unreliable'] as const;
export type Band = (typeof BANDS)[number];

/** How much a figure differs from round to round. */
export type Variation = Infer<typeof VARIATION>;
const VARIATION = define(
	'variation',
	described(
		objectOf({
			/** In the unit of the figure; null below two rounds. */
			sd: NUMBER_OR_NULL,
			/** sd / mean; null with `sd`. */
			cov: NUMBER_OR_NULL,
			band: enumOf([...BANDS, null]),
		}),
		'sample standard deviation over rounds (n − 1), and as a share of the mean',
	),
);

/** One server in one scenario. */
export type RankingRow = Infer<typeof RANKING_ROW>;
const RANKING_ROW = define(
	'row',
	objectOf({
		server: TEXT,
		scenario: TEXT,
		state: enumOf(ROW_STATES),
		/** Why it was not measured; null when it was. */
		reason: TEXT_OR_NULL,
		rank: orNull(ref(RANK)),
		/** Each alone, or beside each other in older runs; null without an interval. */
		share: described(orNull(ref(RANGED)), "share of the reference's throughput: 0.63 is 63 %"),
		/** Standard error of the share's logarithm, and its degrees of freedom: what two shares are compared by. */
		logShare: orNull(objectOf({ theta: NUMBER, se: NUMBER, df: NUMBER })),
		ownReference: optional(
			described(
				NUMBER,
				'how much the process of the reference beside it counts in each round of its share, from 0 to 1; the rest is the mean of all processes of the reference in this scenario and round; absent for 1',
			),
		),
		/** What the share is read from: `throughput`, or `cpu-per-request` when a guard says throughput lies. */
		judgedBy: RANKING_METRIC,
		rounds: COUNT,
		/** Alone on the machine: the median over rounds. */
		alone: orNull(ref(ALONE_FIGURES)),
		throughputs: described(listOf(NUMBER), 'requests per second of every round, alone'),
		variation: objectOf({ throughput: ref(VARIATION), p99: ref(VARIATION) }),
		warnings: listOf(ref(WARNING)),
		oversubscribed: optional(
			described(literal(true), 'more worker processes than CPUs for them: in no ratio; absent where there were not'),
		),
		/** Absent where there was only one machine. */
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

/** Two rows set against each other. */
export type Comparison = Infer<typeof COMPARISON>;
const COMPARISON = define(
	'comparison',
	objectOf({
		kind: enumOf(COMPARISON_KINDS),
		/** What costs more: `koa/middleware-5`, `pikku-express/ping`. */
		row: ref(PLACE),
		against: ref(PLACE),
		/** 1 − row / against in throughput: 0.2 is a fifth fewer requests. Ends are null where no common reference gives an interval. */
		loss: objectOf({ value: NUMBER, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL }),
		/** Of a wrapper: a loss up to 5 %, up to 15 %, or more; null for the others. */
		grade: enumOf(['good', 'borderline', 'bad', null]),
	}),
);

export const RUN_VERDICTS = ['CLEAN RUN', 'ACCEPTABLE', 'NOISY', 'UNRELIABLE'] as const;

/** How steady a whole run was, by the coefficients of variation of throughput. */
export type RunVariation = Infer<typeof RUN_VARIATION>;
const RUN_VARIATION = define(
	'runVariation',
	objectOf({
		/** Null when no row has one. */
		verdict: enumOf([...RUN_VERDICTS, null]),
		meanCov: NUMBER_OR_NULL,
		/** Rows with a coefficient. */
		rows: COUNT,
		/** Above 5 %, worst first. */
		noisy: listOf(objectOf({ server: TEXT, scenario: TEXT, throughput: NUMBER, p99: NUMBER_OR_NULL })),
		/** How many of these are above 10 %. */
		unreliable: COUNT,
	}),
);

/** What `benchgate measure --json` writes and its reports are rendered from. */
export type RankingResult = Infer<typeof RANKING_SCHEMA>;
/** schema/measure.schema.json. */
export const RANKING_SCHEMA = documentOf(
	'benchgate measure',
	objectOf({
		schemaVersion: literal(RANKING_SCHEMA_VERSION),
		kind: literal('benchgate-measure'),
		tool: ref(TOOL),
		/** When the first run began. */
		createdAt: described(TEXT, 'ISO 8601'),
		seed: NUMBER,
		setup: ref(RANKING_SETUP),
		precision: described(NUMBER, 'rounds ended when half of every 95 % interval was at most this share'),
		ended: ref(ENDED),
		/** Most rounds of a row. */
		rounds: COUNT,
		/** Wall time of all rounds. */
		measuringSeconds: SECONDS,
		/** Server that the report says more about; null for none. */
		highlight: TEXT_OR_NULL,
		rows: listOf(ref(RANKING_ROW)),
		comparisons: listOf(ref(COMPARISON)),
		/** Where a scenario was measured with several numbers of connections. */
		ramps: listOf(ref(RAMP)),
		/** Where servers were measured in worker processes. */
		scalings: listOf(ref(SCALING)),
		variation: ref(RUN_VARIATION),
		servers: listOf(ref(RANKED_SERVER)),
		environment: ref(ENVIRONMENT),
		warnings: listOf(ref(WARNING)),
		reproduce: TEXT,
		runs: optional(described(COUNT, 'how many runs were put together; absent for one')),
		shard: optional(described(ref(RANKING_SHARD), 'only of a run that measured one shard')),
		/** Every machine's part, by number. */
		shards: optional(described(listOf(ref(RANKED_SHARD)), 'only where shards were gathered')),
		/** Absent for none. */
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

/** One run, or several that were put together: what a report is made from. */
export interface RankingData extends Pick<RankingResult, SharedKey> {
	readonly unmeasured: readonly UnmeasuredPair[];
	readonly samples: readonly RankingSample[];
}

/** The first line of a log. */
export type LogHeader = Infer<typeof LOG_HEADER>;
const LOG_HEADER = objectOf({
	kind: literal('benchgate-measure-log'),
	schemaVersion: literal(RANKING_SCHEMA_VERSION),
	tool: ref(TOOL),
	createdAt: TEXT,
	seed: NUMBER,
	setup: ref(RANKING_SETUP),
	/** What was asked for when the run was begun. */
	precision: NUMBER,
	/** Only of a shard. */
	shard: optional(ref(RANKING_SHARD)),
});

/** A later line of a log. A session begins a run, or goes on after an earlier one. */
export type LogLine = Infer<typeof LOG_LINE>;
const LOG_LINE = unionOf([
	objectOf({
		kind: literal('session'),
		environment: ref(ENVIRONMENT),
		servers: listOf(ref(RANKED_SERVER)),
		unmeasured: listOf(ref(UNMEASURED_PAIR)),
		reproduce: TEXT,
		/** What was asked for when the run went on; absent in the logs of older versions. */
		precision: optional(NUMBER),
	}),
	objectOf({ kind: literal('samples'), samples: listOf(schemaOf<RankingSample>(ref(SAMPLE))) }),
	objectOf({ kind: literal('end'), ended: ref(ENDED), warnings: listOf(ref(WARNING)) }),
]);

/** JSON Schema of one line of a log. */
export const LOG_SCHEMA = documentOf('benchgate log of a ranking', unionOf([LOG_HEADER, LOG_LINE]), [
	...[TOOL, WARNING, ENVIRONMENT, ENDED, LATENCY_FIGURES, RATE_FIGURES, STEP_FIGURES, ALONE_FIGURES],
	...[RANKED_SCENARIO, TIMING, RANKING_SETUP, RANKED_SERVER, UNMEASURED_PAIR, RANKING_SHARD, SAMPLE],
]);
