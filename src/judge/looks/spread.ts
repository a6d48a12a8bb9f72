/** The smallest threshold that a spread can decide. */
import { RANKS_FROM } from '../../stats/location.ts';
import { robustSdOf } from '../../stats/moments.ts';
import type { Fraction } from '../../types/units.ts';
import type { Estimate } from '../../types/verdict.ts';

/** A gate with a larger threshold misses most slowdowns, so none is advised. */
export const MOST_ADVISED: Fraction = 0.2;
const USUAL_ROUNDS = 20;
/** Smallest threshold that 20 rounds decide, in SDs of a round (docs/statistics.md 5.2). */
const DECIDABLE_SDS = 1.7;
/** Factor on the robust spread with ranks, found by simulation: docs/statistics.md, "How often it is wrong". */
export const RANKS_FACTOR = 1.4;

/** Returns how many rounds decide a threshold, not rounded; the inverse of `smallestDecidable`. */
export function roundsToDecide(sd: number, threshold: Fraction): number {
	return USUAL_ROUNDS * ((DECIDABLE_SDS * sd) / -Math.log1p(-threshold)) ** 2;
}

/**
 * Returns the smallest threshold that can be decided, 1 − exp(−1.7 s √(20 / n) − 4 b); null below two rounds. s is the
 * sample standard deviation or, with ranks, 1.4 times the robust one if that is smaller. b is `bound`, which narrows
 * the half of the threshold beyond the tolerance from both sides.
 */
export function smallestDecidable(
	{ sd, rounds, d }: Pick<Estimate, 'sd' | 'rounds' | 'd'>,
	bound = 0,
): Fraction | null {
	if (rounds < 2) return null;
	return decidableWith(rounds < RANKS_FROM ? sd : Math.min(sd, RANKS_FACTOR * robustSdOf(d)), rounds, bound);
}

/** The inverse of `decidableWith`: returns the spread. */
export function spreadBehind(smallest: Fraction, rounds: number): number {
	return -Math.log1p(-smallest) / (DECIDABLE_SDS * Math.sqrt(USUAL_ROUNDS / rounds));
}

/** Returns the smallest threshold that can be decided with a known spread. */
export function decidableWith(spread: number, rounds: number, bound = 0): Fraction {
	return -Math.expm1(-DECIDABLE_SDS * spread * Math.sqrt(USUAL_ROUNDS / rounds) - 4 * bound);
}
