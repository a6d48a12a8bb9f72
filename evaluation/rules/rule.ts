/** The contract of other tools' rules, and helpers they share. */
import { mean } from 'simple-statistics';
import type { Seconds, Side } from '../../src/types/units.ts';

/** One process measured alone, a "run" of benchmark tools. */
export interface ProcessRun {
	/** Answers per second of each window, in order; every window has the same length. */
	readonly rates: readonly number[];
	/** Wall time with start and warm-up. */
	readonly seconds: Seconds;
}

/**
 * Runs of both sides in the order they were made: base[i] and head[i] belong to the same round, both fresh, one right
 * after the other.
 */
export interface RunPairs {
	readonly base: readonly ProcessRun[];
	readonly head: readonly ProcessRun[];
}

export interface PeerVerdict {
	/** Head is slower. */
	readonly red: boolean;
	/** Not decided; never together with `red`. Always false for rules that always decide. */
	readonly undecided: boolean;
	/** Wall time of its runs. */
	readonly seconds: Seconds;
	/** Pairs it has used: at most `pairs`, fewer if it was sure before. */
	readonly used: number;
}

export interface PeerRule {
	/** Short name without spaces, unique among the rules. */
	readonly rule: string;
	/** Name for readers. */
	readonly title: string;
	/** Where the rule is documented. */
	readonly reference: string;
	/** Largest number of pairs it uses; each rule documents how it copes with fewer. */
	readonly pairs: number;
	/**
	 * Returns the verdict of the rule on `pairs`. Throws a RangeError if an indispensable run is missing or has no
	 * windows.
	 */
	decide(pairs: RunPairs): PeerVerdict;
}

/** Returns run `index` of `side`, counted from 0. Throws a RangeError if it is missing or has no windows. */
export function runAt(pairs: RunPairs, side: Side, index: number): ProcessRun {
	const run = pairs[side][index];
	if (!run) throw new RangeError(`run ${index + 1} of ${side} is missing`);
	if (run.rates.length === 0) throw new RangeError(`run ${index + 1} of ${side} has no windows`);
	return run;
}

/**
 * Returns the first `most` pairs, or all if there are fewer. Throws a RangeError without pairs, or if a run has no
 * windows.
 */
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

/** Returns the summed wall time of `runs`. */
export function secondsOf(runs: readonly ProcessRun[]): Seconds {
	return runs.reduce((sum, run) => sum + run.seconds, 0);
}

/**
 * Returns the relative drop from rate `base` to rate `head`: 0.05 for 5 % fewer answers per second, negative for more.
 */
export function dropOf(base: number, head: number): number {
	return (base - head) / base;
}
