/** The smallest threshold that rounds of some spread can decide. */
import { RANKS_FROM } from '../../stats/location.ts';
import { robustSdOf } from '../../stats/moments.ts';
import type { Fraction } from '../../types/units.ts';
import type { Estimate } from '../../types/verdict.ts';

/** Rounds a run usually has at most: what the smallest decidable threshold is scaled to. */
const USUAL_ROUNDS = 20;
/** Threshold that 20 rounds can decide, in round standard deviations (docs/statistics.md 5.2). */
const DECIDABLE_SDS = 1.7;
/** What ranks need more than t would of a spread without the rounds far out; by simulation: docs/statistics.md, "How often it is wrong". */
export const RANKS_FACTOR = 1.4;

/** Returns how many rounds with the standard deviation `sd` can decide a threshold, not rounded: the inverse of `smallestDecidable`. */
export function roundsToDecide(sd: number, threshold: Fraction): number {
	return USUAL_ROUNDS * ((DECIDABLE_SDS * sd) / -Math.log1p(-threshold)) ** 2;
}

/**
 * Returns the smallest threshold that rounds of this spread can decide, about 1 − exp(−1.7 s √(20 / n) − 4 b); null below two rounds. s is
 * the sample standard deviation, or, where ranks take part, 1.4 times the robust one if that is less. b is `bound`, the error common to all
 * rounds: it narrows, from both sides, the half of the threshold that lies beyond the tolerance.
 */
export function smallestDecidable(
	{ sd, rounds, d }: Pick<Estimate, 'sd' | 'rounds' | 'd'>,
	bound = 0,
): Fraction | null {
	if (rounds < 2) return null;
	return decidableWith(rounds < RANKS_FROM ? sd : Math.min(sd, RANKS_FACTOR * robustSdOf(d)), rounds, bound);
}

/** The same for a spread that is known. */
export function decidableWith(spread: number, rounds: number, bound = 0): Fraction {
	return -Math.expm1(-DECIDABLE_SDS * spread * Math.sqrt(USUAL_ROUNDS / rounds) - 4 * bound);
}
