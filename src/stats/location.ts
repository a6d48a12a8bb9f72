import { studentCdf, studentQuantile, studentSurvival } from './distributions.ts';
import { type Moments, momentsOf, TIMER_RESOLUTION } from './moments.ts';
import {
	type Ends,
	hodgesLehmannOf,
	type IntervalLevels,
	signedRankAbove,
	signedRankBelow,
	signedRankEnds,
	type WalshAverages,
	walshAverages,
} from './signed-rank.ts';

/**
 * Ranks are used from this number of rounds on. It is fixed in advance: 2⁻⁹ is below their smallest level in 20 rounds.
 */
export const RANKS_FROM = 9;
/**
 * Standard error of Hodges–Lehmann over that of the mean for normal rounds, √(π/3), from the asymptotic efficiency 3/π
 * (Hodges and Lehmann 1963). With heavier tails it is smaller, so this is on the safe side.
 */
const RANKS_FACTOR = Math.sqrt(Math.PI / 3);
const END_TAIL = 0.025;
/** Share of each error level that t has beside ranks. */
const HALF = 0.5;

/** Location of the rounds' d: by Student's t, and from 9 rounds on by ranks too. */
export interface Location extends Moments {
	/** Hodges–Lehmann estimate from 9 rounds on, the mean before. */
	readonly centre: number;
	/** Share of every error level for t, 1 or ½. Ranks have the rest, even if they are not used. */
	readonly share: number;
	/** Used by the rank test. Null below 9 rounds, and for correlated rounds, which ranks cannot allow for. */
	readonly averages: WalshAverages | null;
	/** Error common to all rounds, in log units. It moves every limit. */
	readonly bound: number;
}

/**
 * Returns the location of `d` (log units); null without rounds. `correction` multiplies the standard error. Above 1
 * ranks are not used, and their half of the level is lost. `bound`: see `Location`.
 */
export function locationOf(d: readonly number[], correction = 1, bound = 0): Location | null {
	const moments = momentsOf(d, correction);
	if (!moments) return null;
	if (d.length < RANKS_FROM) return { ...moments, centre: moments.mean, share: 1, averages: null, bound };
	const averages = walshAverages(d);
	const centre = hodgesLehmannOf(averages);
	return { ...moments, centre, share: HALF, averages: correction > 1 ? null : averages, bound };
}

export function standardErrorOf(sd: number, rounds: number, correction = 1): number {
	const factor = rounds < RANKS_FROM ? correction : correction * RANKS_FACTOR;
	return Math.max((sd / Math.sqrt(rounds)) * factor, TIMER_RESOLUTION);
}

/** Returns the half-width of a 95 % interval (log units). */
export function reachOf({ se, df }: { readonly se: number; readonly df: number }): number {
	return -studentQuantile(END_TAIL, df) * se;
}

/**
 * Returns the p-value of "the location is `limit` or more": t's or, from 9 rounds on, twice the smaller one of t and
 * signed ranks, valid under any dependence by the union bound. 1 for one round.
 */
export function probabilityBelow(location: Location, limit: number): number {
	const { averages, mean, se, df, bound } = location;
	if (df === 0) return 1;
	const least = limit - bound;
	const ranks = averages ? signedRankBelow(averages, least) : 1;
	return combine(location, studentCdf((mean - least) / se, df), ranks);
}

/** Returns the p-value of "the location is `limit` or less". */
export function probabilityAbove(location: Location, limit: number): number {
	const { averages, mean, se, df, bound } = location;
	if (df === 0) return 1;
	const most = limit + bound;
	const ranks = averages ? signedRankAbove(averages, most) : 1;
	return combine(location, studentSurvival((mean - most) / se, df), ranks);
}

/**
 * Returns the ends that `probabilityBelow` and `probabilityAbove` do not exclude at `levels`: the tighter one of t and
 * ranks, each at its share of the level, but never past the estimate. Null for one round.
 */
export function endsOf(location: Location, levels: IntervalLevels): Ends {
	const { centre, mean, se, df, share, averages, bound } = location;
	if (df === 0) return { low: null, high: null };
	const rankShare = 1 - share;
	const ranks = averages && signedRankEnds(averages, { low: levels.low * rankShare, high: levels.high * rankShare });
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
