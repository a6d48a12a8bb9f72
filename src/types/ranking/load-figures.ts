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
}

/** What a server did under counted load. */
export interface LoadTotals {
	readonly requests: number;
	readonly bytes: Bytes;
	readonly seconds: Seconds;
	/** Connection errors, resets and timeouts. */
	readonly errors: number;
	/** Answers whose status or sampled body was not expected. */
	readonly unexpected: number;
}
