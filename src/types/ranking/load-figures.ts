import type { MetricName } from '../metric.ts';
import {
	COUNT,
	define,
	described,
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
} from '../schema.ts';

/** By name of metric: a log of another release may know others. */
export const BY_METRIC = schemaOf<Readonly<Partial<Record<MetricName, number | null>>>>(mapOf(NUMBER_OR_NULL));

export type RateFigures = Infer<typeof RATE_FIGURES>;
export const RATE_FIGURES = define(
	'rates',
	described(
		objectOf({
			/** How many seconds. */
			samples: NUMBER,
			mean: NUMBER,
			/** As autocannon has it. */
			sd: described(NUMBER, 'population standard deviation'),
			min: NUMBER,
			p1: NUMBER,
			p2_5: NUMBER,
			p50: NUMBER,
			p97_5: NUMBER,
			/** In order; absent where they are of several rounds, and in older logs. */
			each: optional(described(listOf(NUMBER), 'of a log: the seconds themselves')),
		}),
		'rates of single seconds, per second',
	),
);

/** What a server did under counted load. */
export type LoadTotals = Infer<typeof LOAD_TOTALS>;
const LOAD_TOTALS = objectOf({
	requests: NUMBER,
	bytes: NUMBER,
	seconds: SECONDS,
	/** Connection errors, resets and timeouts. */
	errors: COUNT,
	/** Absent where they are not counted, and in older logs. */
	timeouts: optional(described(COUNT, 'those of the errors that were timeouts')),
	/** Absent without any. */
	resent: optional(described(COUNT, 'requests that were lost with a connection in use, and sent again')),
	/** Answers whose status or sampled body was not expected. */
	unexpected: COUNT,
	/** Absent where they are not counted, and in older logs. */
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
			/** Absent in older logs, like `sd`. */
			p97_5: optional(NUMBER),
			/** As autocannon has it. */
			sd: optional(described(NUMBER, 'population standard deviation')),
		}),
		'latency of a server alone, milliseconds',
	),
);

/** What a server answers with a number of connections, alone: requests per second, and milliseconds, null without an answer. */
export type StepFigures = Infer<typeof STEP_FIGURES>;
export const STEP_FIGURES = define(
	'step',
	objectOf({ connections: COUNT, throughput: NUMBER, p50: NUMBER_OR_NULL, p99: NUMBER_OR_NULL }),
);

/** What a server answers with nothing else loaded: one solo window, or the middle of several. Latency in milliseconds. */
export type AloneFigures = Infer<typeof ALONE_FIGURES>;
export const ALONE_FIGURES = define(
	'alone',
	described(
		objectOf({
			/** Null where it is not available. */
			metrics: BY_METRIC,
			latency: orNull(ref(LATENCY_FIGURES)),
			/** Bytes of answers per second, headers included. */
			bytesPerSecond: NUMBER,
			/** Of the samples of one second each that the windows are made of, of all rounds together; absent in windows shorter than two seconds, and in older logs. */
			rates: optional(objectOf({ requests: ref(RATE_FIGURES), bytes: ref(RATE_FIGURES) })),
			/** What was counted, of all rounds together; absent in older logs. */
			totals: optional(LOAD_TOTALS),
			/** Absent without stages, of drivers that do not report them, and in older logs. */
			steps: optional(
				described(listOf(ref(STEP_FIGURES)), 'of each stage in which as many connections were open all the time'),
			),
		}),
		'figures of a server that nothing else was loaded beside, each metric in its unit',
	),
);
