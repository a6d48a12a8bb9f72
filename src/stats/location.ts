import {
	type Ends,
	hodgesLehmannOf,
	type IntervalLevels,
	signedRankAbove,
	signedRankBelow,
	signedRankEnds,
	type WalshAverages,
	walshAverages,
} from './hodges-lehmann.ts';
import { type Moments, momentsOf, TIMER_RESOLUTION } from './moments.ts';
import { studentCdf, studentQuantile, studentSurvival } from './student-t.ts';

/** Rounds from which on ranks take part: 2⁻⁹ is below the smallest level a look of 20 rounds gives them. Fixed in advance. */
export const RANKS_FROM = 9;
/**
 * What the standard error of the Hodges–Lehmann estimate is longer than that of the mean of normal rounds: √(π/3), from its
 * asymptotic efficiency of 3/π (Hodges and Lehmann 1963). Where rounds have heavier tails it is shorter, and this errs on the safe side.
 */
const RANKS_FACTOR = Math.sqrt(Math.PI / 3);
/** Error of each end of a 95 % interval. */
const END_TAIL = 0.025;
/** What t keeps of each level once ranks take part; they have the rest. */
const HALF = 0.5;

/** Where the rounds' d lie, and how surely: for Student's t, and from 9 rounds on for ranks too. */
export interface Location extends Moments {
	/** The estimate: Hodges–Lehmann from 9 rounds on, the mean before. */
	readonly centre: number;
	/** Share of every error level that is t's, 1 or ½; the rest belongs to ranks, whether or not they may speak. */
	readonly share: number;
	/** What ranks are read from; null where they say nothing: fewer rounds, or correlated ones, which ranks cannot allow for. */
	readonly averages: WalshAverages | null;
	/** Error common to all rounds, log units. Rounds do not show it, so it moves every limit. */
	readonly bound: number;
}

/**
 * Returns where `d` lies (log units); null for no rounds. `correction` multiplies the standard error, 1 for independent rounds; above 1
 * ranks are not used, and t does not get their half of the error level. `bound` is described at `Location`.
 */
export function locationOf(d: readonly number[], correction = 1, bound = 0): Location | null {
	const moments = momentsOf(d, correction);
	if (!moments) return null;
	if (d.length < RANKS_FROM) return { ...moments, centre: moments.mean, share: 1, averages: null, bound };
	const averages = walshAverages(d);
	const centre = hodgesLehmannOf(averages);
	return { ...moments, centre, share: HALF, averages: correction > 1 ? null : averages, bound };
}

/**
 * Returns the standard error (log units) of the centre of a number of rounds whose spread is known from elsewhere: `sd` is that of a
 * round. `correction` multiplies it, 1 for independent rounds.
 */
export function standardErrorOf(sd: number, rounds: number, correction = 1): number {
	const factor = rounds < RANKS_FROM ? correction : correction * RANKS_FACTOR;
	return Math.max((sd / Math.sqrt(rounds)) * factor, TIMER_RESOLUTION);
}

/** Returns how far a 95 % interval reaches to either side (log units), for a standard error with `df` degrees of freedom. */
export function reachOf({ se, df }: { readonly se: number; readonly df: number }): number {
	return -studentQuantile(END_TAIL, df) * se;
}

/**
 * Returns the p-value of "the location is `limit` or more", 0..1, small when it is clearly below: that of t, or from 9 rounds on
 * twice the smaller one of t and signed ranks, which by the union bound is valid however the two depend on each other. 1 for one
 * round.
 */
export function probabilityBelow(location: Location, limit: number): number {
	const { averages, mean, se, df, bound } = location;
	if (df === 0) return 1;
	const least = limit - bound;
	const ranks = averages ? signedRankBelow(averages, least) : 1;
	return combine(location, studentCdf((mean - least) / se, df), ranks);
}

/** Returns the mirror of `probabilityBelow`: the p-value of "the location is `limit` or less", small when it is clearly above. */
export function probabilityAbove(location: Location, limit: number): number {
	const { averages, mean, se, df, bound } = location;
	if (df === 0) return 1;
	const most = limit + bound;
	const ranks = averages ? signedRankAbove(averages, most) : 1;
	return combine(location, studentSurvival((mean - most) / se, df), ranks);
}

/**
 * Returns the ends of the interval that `probabilityBelow` and `probabilityAbove` do not exclude at `levels`: of t and ranks the
 * tighter one, each at its half of the level. An end that would pass the estimate is moved out to it. Null for one round.
 */
export function endsOf(location: Location, levels: IntervalLevels): Ends {
	const { centre, mean, se, df, share, averages, bound } = location;
	if (df === 0) return { low: null, high: null };
	const rest = 1 - share;
	const ranks = averages && signedRankEnds(averages, { low: levels.low * rest, high: levels.high * rest });
	const low = mean + studentQuantile(levels.low * share, df) * se;
	const high = mean - studentQuantile(levels.high * share, df) * se;
	return {
		low: Math.min(centre, Math.max(low, ranks?.low ?? Number.NEGATIVE_INFINITY)) - bound,
		high: Math.max(centre, Math.min(high, ranks?.high ?? Number.POSITIVE_INFINITY)) + bound,
	};
}

function combine({ share }: Location, student: number, ranks: number): number {
	return share === 1 ? student : Math.min(1, student / share, ranks / (1 - share));
}
