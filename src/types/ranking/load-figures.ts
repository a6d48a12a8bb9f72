import type { MetricName } from '../metric.ts';
import type { Bytes, Seconds } from '../units.ts';

/** Rates of single seconds, per second. */
export interface RateFigures {
	/** How many seconds. */
	readonly samples: number;
	readonly mean: number;
	/** Population standard deviation, as autocannon has it. */
	readonly sd: number;
	readonly min: number;
	readonly p1: number;
	readonly p2_5: number;
	readonly p50: number;
	readonly p97_5: number;
	/** The seconds themselves, in order; absent where they are of several rounds, and in older logs. */
	readonly each?: readonly number[];
}

/** What a server did under counted load. */
export interface LoadTotals {
	readonly requests: number;
	readonly bytes: Bytes;
	readonly seconds: Seconds;
	/** Connection errors, resets and timeouts. */
	readonly errors: number;
	/** Those of the errors that were timeouts; absent where nobody knows, and in older logs. */
	readonly timeouts?: number;
	/** Requests lost with a reused connection and sent again; absent without any. */
	readonly resent?: number;
	/** Answers whose status or sampled body was not expected. */
	readonly unexpected: number;
	/** Answers by status; absent where nobody knows, and in older logs. */
	readonly statuses?: Readonly<Record<string, number>>;
}

/** What a server answers with nothing else loaded: one solo window, or the middle of several. Latency in milliseconds. */
export interface AloneFigures {
	/** By metric, in its unit; null where it is not available. */
	readonly metrics: Readonly<Partial<Record<MetricName, number | null>>>;
	readonly latency: LatencyFigures | null;
	/** Bytes of answers per second, headers included. */
	readonly bytesPerSecond: Bytes;
	/** Of the samples of one second each that the windows are made of, of all rounds together; absent in windows shorter than two seconds, and in older logs. */
	readonly rates?: { readonly requests: RateFigures; readonly bytes: RateFigures };
	/** What was counted, of all rounds together; absent in older logs. */
	readonly totals?: LoadTotals;
	/** Of every stage in which as many connections were open all the time; absent without stages, of drivers that do not tell, and in older logs. */
	readonly steps?: readonly StepFigures[];
}

/** What a server answers with a number of connections, alone: requests per second, and milliseconds, null without an answer. */
export interface StepFigures {
	readonly connections: number;
	readonly throughput: number;
	readonly p50: number | null;
	readonly p99: number | null;
}

/** Milliseconds. */
export interface LatencyFigures {
	readonly mean: number;
	readonly p2_5: number;
	readonly p50: number;
	readonly p75: number;
	readonly p90: number;
	readonly p95: number;
	readonly p99: number;
	readonly p99_9: number;
	readonly max: number;
	/** Absent in older logs, like `sd`. */
	readonly p97_5?: number;
	/** Population standard deviation, as autocannon has it. */
	readonly sd?: number;
}
