import type { Seconds } from '../../types/units.ts';

/** The rounds that compared one commit with the good one. Commits are numbered from 0 (good) to `count` (bad). */
export interface Probe {
	readonly commit: number;
	/** Log ratio of each round against good; negative is worse. */
	readonly d: readonly number[];
	readonly seconds: Seconds;
	/** 0 if the commit was built before. */
	readonly buildSeconds: Seconds;
}

/** A fresh duet, decided by the sequential rule of comparisons. */
export interface Proof {
	readonly before: number;
	readonly after: number;
	readonly d: readonly number[];
	readonly outcome: 'shown' | 'refuted' | 'open';
}

export interface BisectState {
	readonly count: number;
	/** Weights of commits 1 to `count`, with any sum. */
	readonly prior: readonly number[];
	/** Size from a change point; null if unknown. */
	readonly expected: { readonly theta: number; readonly se: number } | null;
	readonly probes: readonly Probe[];
	/** Commits that did not build or serve. */
	readonly broken: readonly number[];
	/** Commits that pack to the same code as good. */
	readonly same: readonly number[];
	readonly proofs: readonly Proof[];
}

export interface BisectRule {
	/** Prior SD of a round, and the factor of its uncertainty (one SD). */
	readonly roundSd: number;
	readonly roundSdFactor: number;
	/** SD between builds of the same code. */
	readonly buildSd: number;
	/** Prior SD of a change. */
	readonly usualChange: number;
	/** Prior probabilities of no change and of two. */
	readonly none: number;
	readonly two: number;
	readonly rounds: number;
	/** Probability at which the search stops. */
	readonly confidence: number;
	/** Used until a round or build was timed. */
	readonly roundSeconds: Seconds;
	readonly buildSeconds: Seconds;
}

export const BISECT_RULE: BisectRule = {
	roundSd: 0.025,
	roundSdFactor: 1.6,
	buildSd: 0.003,
	usualChange: 0.05,
	none: 0.03,
	two: 0.07,
	rounds: 3,
	confidence: 0.95,
	roundSeconds: 6,
	buildSeconds: 15,
};

export interface Posterior {
	/** P(commit c is the first bad one) at index c − 1; with `none` they add up to 1. */
	readonly first: readonly number[];
	/** P(good and bad do not differ). */
	readonly none: number;
	/** P(two changes), and the most probable pair. */
	readonly two: { readonly probability: number; readonly pair: TwoChanges | null };
	/** At index k − 1: size of the change if the first bad commit is at most k. */
	readonly after: readonly Level[];
	readonly theta: number;
	readonly thetaSd: number;
	readonly roundSd: number;
}

export interface Level {
	readonly mean: number;
	readonly sd: number;
}

/** The commits that changed, and the level after each. */
export interface TwoChanges {
	readonly first: number;
	readonly second: number;
	readonly middle: number;
	readonly end: number;
}

/** Factor on the prior of a commit that left the package unchanged. */
export const SAME_CODE_PRIOR = 0.02;

export function pooledProbes({ probes }: BisectState): ReadonlyMap<number, readonly number[]> {
	const pooled = new Map<number, number[]>();
	for (const { commit, d } of probes) pooled.set(commit, [...(pooled.get(commit) ?? []), ...d]);
	return pooled;
}
