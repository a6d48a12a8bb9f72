/** The contract of the rules that other tools decide by, and the little they share. */
import { mean } from 'simple-statistics';
import type { Seconds, Side } from '../../src/types/units.ts';

/** One process measured alone: what a benchmark tool calls a run. */
export interface ProcessRun {
	/** Answers per second of each window, in order; every window has the same length. */
	readonly rates: readonly number[];
	/** Wall time with start and warm-up. */
	readonly seconds: Seconds;
}

/** Runs of both sides in the order they were made: base[i] and head[i] belong to the same round, fresh and next to each other in time. */
export interface RunPairs {
	readonly base: readonly ProcessRun[];
	readonly head: readonly ProcessRun[];
}

export interface PeerVerdict {
	/** Says that head is slower. */
	readonly red: boolean;
	/** Says that it cannot tell; never together with `red`. Rules that always answer never say so. */
	readonly undecided: boolean;
	/** Wall time of the runs it made. */
	readonly seconds: Seconds;
	/** Pairs it has looked at: at most `pairs`, fewer when it was sure before. */
	readonly used: number;
}

export interface PeerRule {
	/** Short name without spaces, unique among the rules. */
	readonly rule: string;
	/** As a reader should see it. */
	readonly title: string;
	/** Where the rule is documented. */
	readonly reference: string;
	/** Pairs it uses at most. It makes do with fewer, see each rule. */
	readonly pairs: number;
	/** Returns what the rule says of `pairs`. Throws a RangeError when a run that it cannot do without is missing or has no windows. */
	decide(pairs: RunPairs): PeerVerdict;
}

/** Returns run `index` of `side`, counted from 0. Throws a RangeError when there is none or it has no windows. */
export function runAt(pairs: RunPairs, side: Side, index: number): ProcessRun {
	const run = pairs[side][index];
	if (!run) throw new RangeError(`run ${index + 1} of ${side} is missing`);
	if (run.rates.length === 0) throw new RangeError(`run ${index + 1} of ${side} has no windows`);
	return run;
}

/** Returns the first `most` pairs, or all where there are fewer. Throws a RangeError when there is none, or a run has no windows. */
export function firstPairs(pairs: RunPairs, most: number): RunPairs {
	const count = Math.max(1, Math.min(most, pairs.base.length, pairs.head.length));
	const indexes = Array.from({ length: count }, (_, index) => index);
	return {
		base: indexes.map((index) => runAt(pairs, 'base', index)),
		head: indexes.map((index) => runAt(pairs, 'head', index)),
	};
}

/** Returns answers per second over the whole run, which has windows. */
export function rateOf(run: ProcessRun): number {
	return mean(run.rates as number[]);
}

/** Returns the wall time of all of `runs`, one after the other. */
export function secondsOf(runs: readonly ProcessRun[]): Seconds {
	return runs.reduce((sum, run) => sum + run.seconds, 0);
}

/** Returns the part of `base` that `head` lacks, both rates: 0.05 for 5 % fewer answers per second, negative for more. */
export function dropOf(base: number, head: number): number {
	return (base - head) / base;
}
