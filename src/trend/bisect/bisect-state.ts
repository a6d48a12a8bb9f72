import type { Seconds } from '../../types/units.ts';

/** Rounds of one commit against good. Commits of a range are numbered 1 to `count`, the last is bad; good is 0. */
export interface Probe {
	readonly commit: number;
	/** d of each round: log ratio against good, negative is worse. */
	readonly d: readonly number[];
	/** What measuring took. */
	readonly seconds: Seconds;
	/** What building the commit took before; 0 when it was built already. */
	readonly buildSeconds: Seconds;
}

/** A fresh duet of two commits of the range, decided by the sequential rule of every comparison. */
export interface Proof {
	readonly before: number;
	readonly after: number;
	readonly d: readonly number[];
	readonly outcome: 'shown' | 'refuted' | 'open';
}

/** All that is known while one bisect runs; what to do next follows from it and the rule alone. */
export interface BisectState {
	/** Commits after good, up to bad. */
	readonly count: number;
	/** Weights of the commits before anything is measured, of commits 1 to `count`; they need not add up to 1. */
	readonly prior: readonly number[];
	/** Size of the change and how sure it is, from a change point; null when nothing is known. */
	readonly expected: { readonly theta: number; readonly se: number } | null;
	readonly probes: readonly Probe[];
	/** Commits that could not be built or did not serve. */
	readonly broken: readonly number[];
	/** Commits that packed to the same code as good. */
	readonly same: readonly number[];
	readonly proofs: readonly Proof[];
}

export interface BisectRule {
	/** Standard deviation of one round before any is measured, and the factor it may be wrong by (one standard deviation). */
	readonly roundSd: number;
	readonly roundSdFactor: number;
	/** Standard deviation between builds of the same code. */
	readonly buildSd: number;
	/** Standard deviation of a change of which nothing is known. */
	readonly usualChange: number;
	/** Probability that nothing changed, and that there are two changes. */
	readonly none: number;
	readonly two: number;
	/** Rounds of one probe. */
	readonly rounds: number;
	/** Stop when the first bad commit is so probable. */
	readonly confidence: number;
	/** Seconds of a round and a build before any was timed. */
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

/** What the rounds so far say about a range. */
export interface Posterior {
	/** Probability that commit c is the first bad one, at index c − 1. With `none` they add up to 1. */
	readonly first: readonly number[];
	/** Probability that good and bad do not differ. */
	readonly none: number;
	/** Probability that there are two changes, and the most probable pair of them; null in a range of one commit. */
	readonly two: { readonly probability: number; readonly pair: TwoChanges | null };
	/** At index k − 1: the size of the change, given that the first bad commit is k or an earlier one. */
	readonly after: readonly Level[];
	/** Size of the change after the first bad commit, log ratio, and its standard deviation. */
	readonly theta: number;
	readonly thetaSd: number;
	/** Standard deviation of a round. */
	readonly roundSd: number;
}

/** A log ratio against good, and its standard deviation. */
export interface Level {
	readonly mean: number;
	readonly sd: number;
}

/** First and second changed commit, and the levels after each. */
export interface TwoChanges {
	readonly first: number;
	readonly second: number;
	readonly middle: number;
	readonly end: number;
}

/** A commit that changed nothing of what is packed is hardly the one: what its prior weight is multiplied by. */
export const SAME_CODE_PRIOR = 0.02;

/** Returns how the rounds of each probed commit add up, by commit. */
export function pooledProbes({ probes }: BisectState): ReadonlyMap<number, readonly number[]> {
	const pooled = new Map<number, number[]>();
	for (const { commit, d } of probes) pooled.set(commit, [...(pooled.get(commit) ?? []), ...d]);
	return pooled;
}
