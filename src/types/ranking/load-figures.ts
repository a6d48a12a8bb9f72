import type { MetricName } from '../metric.ts';
import {
	COUNT,
	define,
	described,
	FLAG,
	type Infer,
	listOf,
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
} from '../schema.ts';

/** Keyed by metric name; logs of other releases may contain unknown names. */
export const BY_METRIC = schemaOf<Readonly<Partial<Record<MetricName, number | null>>>>(mapOf(NUMBER_OR_NULL));

export type RateFigures = Infer<typeof RATE_FIGURES>;
export const RATE_FIGURES = define(
	'rates',
	described(
		objectOf({
			samples: NUMBER,
			mean: NUMBER,
			/** Computed as in autocannon. */
			sd: described(NUMBER, 'population standard deviation'),
			min: NUMBER,
			p1: NUMBER,
			p2_5: NUMBER,
			p50: NUMBER,
			p97_5: NUMBER,
			/** In order of time; absent if pooled over rounds. */
			each: optional(described(listOf(NUMBER), 'of a log: the seconds themselves')),
		}),
		'rates of single seconds, per second',
	),
);

export type LoadTotals = Infer<typeof LOAD_TOTALS>;
const LOAD_TOTALS = objectOf({
	requests: NUMBER,
	bytes: NUMBER,
	seconds: SECONDS,
	/** Connection errors, resets and timeouts. */
	errors: COUNT,
	/** Absent if not counted. */
	timeouts: optional(described(COUNT, 'those of the errors that were timeouts')),
	/** Absent if zero. */
	resent: optional(described(COUNT, 'requests that were lost with a connection in use, and sent again')),
	/** Answers with a wrong status, or a wrong body where sampled. */
	unexpected: COUNT,
	/** Absent if not counted. */
	statuses: optional(described(mapOf(NUMBER), 'answers by status')),
});

export type LatencyFigures = Infer<typeof LATENCY_FIGURES>;
export const LATENCY_FIGURES = define(
	'latency',
	described(
		objectOf({
			mean: NUMBER,
			p2_5: NUMBER,
			p50: NUMBER,
			p75: NUMBER,
			p90: NUMBER,
			p95: NUMBER,
			p99: NUMBER,
			p99_9: NUMBER,
			max: NUMBER,
			p97_5: optional(NUMBER),
			/** Computed as in autocannon. */
			sd: optional(described(NUMBER, 'population standard deviation')),
		}),
		'latency of a server alone, milliseconds',
	),
);

/**
 * A server alone with a number of connections: requests per second, and latency in milliseconds (null without answers).
 */
export type StepFigures = Infer<typeof STEP_FIGURES>;
export const STEP_FIGURES = define(
	'step',
	objectOf({ connections: COUNT, throughput: NUMBER, p50: NUMBER_OR_NULL, p99: NUMBER_OR_NULL }),
);

/** One solo window, or the median of several. Latency in milliseconds. */
export type AloneFigures = Infer<typeof ALONE_FIGURES>;
export const ALONE_FIGURES = define(
	'alone',
	described(
		objectOf({
			/** Null where unavailable. */
			metrics: BY_METRIC,
			latency: orNull(ref(LATENCY_FIGURES)),
			/** Includes the headers of answers. */
			bytesPerSecond: NUMBER,
			/** From one-second samples of all rounds; absent in windows shorter than two seconds. */
			rates: optional(objectOf({ requests: ref(RATE_FIGURES), bytes: ref(RATE_FIGURES) })),
			/** Sums over all rounds. */
			totals: optional(LOAD_TOTALS),
			/** Absent without stages, or if the driver does not report them. */
			steps: optional(
				described(listOf(ref(STEP_FIGURES)), 'of each stage in which as many connections were open all the time'),
			),
		}),
		'figures of a server that nothing else was loaded beside, each metric in its unit',
	),
);

export type ScalingStep = Infer<typeof SCALING_STEP>;
const SCALING_STEP = objectOf({
	workers: COUNT,
	/** Requests per second alone. */
	throughput: NUMBER,
	/** Also null without a one-worker step. */
	speedUp: described(NUMBER_OR_NULL, 'times one worker; null where it means nothing'),
	efficiency: described(NUMBER_OR_NULL, 'speed-up over the number of workers'),
	oversubscribed: described(FLAG, 'more workers than CPUs for them'),
	/** If set, the figure is a lower limit. */
	generatorBound: described(FLAG, 'the load generator was at its limit'),
	/** CPU time / wall time of all workers, and of the least and most busy one; null when unknown. */
	cpus: orNull(objectOf({ sum: NUMBER, least: NUMBER, most: NUMBER })),
	/** Resident bytes: of all workers, and of the largest one. Null if unknown. */
	memory: orNull(objectOf({ sum: NUMBER, most: NUMBER })),
});

/** One server measured with growing numbers of worker processes. */
export type Scaling = Infer<typeof SCALING>;
export const SCALING = define(
	'scaling',
	objectOf({
		server: TEXT,
		/** Ascending by `workers`. */
		steps: listOf(SCALING_STEP),
	}),
);

/** One server measured with growing numbers of connections. */
export type Ramp = Infer<typeof RAMP>;
export const RAMP = define(
	'ramp',
	objectOf({
		server: TEXT,
		/** Without the number of connections. */
		scenario: TEXT,
		/** Ascending by `connections`. */
		steps: listOf(ref(STEP_FIGURES)),
		/** Null if throughput still rises at the last step. */
		saturation: described(NUMBER_OR_NULL, 'connections from which on more bring at most 5 %'),
	}),
);
