import { locationOf, reachOf, standardErrorOf } from '../stats/location.ts';
import { momentsOf } from '../stats/moments.ts';
import { poolSpreads, type Spread, typicalSpread } from '../stats/pooled-spread.ts';
import type { Ranged } from '../types/ranking/measure.ts';
import type { Fraction } from '../types/units.ts';

/** Where the logarithm of a share lies, and how surely. */
export interface LogShare {
	readonly theta: number;
	readonly se: number;
	readonly df: number;
}

/** Returns the spread of one row's rounds; null below two. */
export function spreadOf(d: readonly number[]): Spread | null {
	const moments = momentsOf(d);
	return moments === null || moments.df === 0 ? null : { sd: moments.sd, df: moments.df };
}

/**
 * Returns where the log ratios `d` of a row lie; null while their spread is not known. The centre is that of a comparison: the
 * mean, from 9 rounds on Hodges–Lehmann.
 *
 * Three rounds that lie close together by chance would claim too much, so the spread is the row's own where it is above what the
 * `others` of its kind let expect, and that where it is below: a row that is noisier than the others must not borrow their calm.
 *
 * - Of many rows it is known how much they differ. The typical spread is then worth so many degrees of freedom, which the row has besides
 *   its own.
 * - Of few rows, their pooled spread is expected, and a row above it has its own degrees of freedom alone. With four rows of three rounds,
 *   one up to four times as noisy, 95 % intervals miss in 2.6 to 6.2 % of runs; with the pooled spread for all the noisy one misses
 *   in 11 to 30 %.
 */
export function logShareOf(d: readonly number[], others: readonly Spread[]): LogShare | null {
	const location = locationOf(d);
	if (location === null) return null;
	const own = spreadOf(d);
	const all = own === null ? others : [own, ...others];
	const spread = (all.length < MANY_ROWS ? null : amongMany(own, all)) ?? amongFew(own, all);
	if (spread === null) return null;
	return { theta: location.centre, se: standardErrorOf(spread.sd, d.length), df: spread.df };
}

/** Rows from which on it is known how much their spreads differ. */
const MANY_ROWS = 12;
/**
 * A row gets no more rounds once its interval is narrow, so intervals that are narrow by chance stay so. With standard errors longer by
 * this, 95 % intervals of 12 to 130 rows miss in 3 to 6 % of runs, those of rows three times as noisy in 4 to 9 % (simulated).
 */
const STOPPED_EARLY = 1.1;

function amongMany(own: Spread | null, all: readonly Spread[]): Spread | null {
	const [typical, pooled] = [typicalSpread(all), poolSpreads(all)];
	const together = typical && poolSpreads(own ? [own, typical] : [typical]);
	if (together === null || pooled === null) return null;
	// Nothing is known better than from all rounds together.
	return { sd: STOPPED_EARLY * Math.max(own?.sd ?? 0, together.sd), df: Math.min(together.df, pooled.df) };
}

function amongFew(own: Spread | null, all: readonly Spread[]): Spread | null {
	const pooled = poolSpreads(all);
	return own !== null && (pooled === null || own.sd >= pooled.sd) ? own : pooled;
}

/** Returns a share and its 95 % interval, as ratios: 0.63 is 63 % of the reference. */
export function shareOf({ theta, se, df }: LogShare): Ranged {
	const reach = reachOf({ se, df });
	return { value: Math.exp(theta), low: Math.exp(theta - reach), high: Math.exp(theta + reach) };
}

/** Returns half the width of a share's interval as a part of the share itself: 0.04 is ±4 %. */
export function halfWidthOf({ value, low, high }: Ranged): number {
	return (high - low) / 2 / value;
}

/**
 * What a row needs on average beyond the rounds that would do if the spread were known: where its own is above the others' it counts,
 * and is known from few rounds. Simulated with 132 rows and with 4, spreads of 0.4 to 1.25 times the precision.
 */
const UNKNOWN_SPREAD_ROUNDS = 2;

/**
 * Returns how many rounds a row is expected to need until half its interval is `precision`, a part of the share, where its rounds spread
 * by `spread` (log units) as those of all `rows` rows do. Not a whole number: it is an average.
 */
export function expectedRounds(precision: Fraction, spread: number, rows: number, fewest: number): number {
	const reach = reachOf({ se: spread, df: Math.max(1, rows * (fewest - 1)) });
	return Math.max(fewest, UNKNOWN_SPREAD_ROUNDS + (reach / Math.asinh(precision)) ** 2);
}

/**
 * Returns the ratio of two shares of one reference, with its 95 % interval. Both were measured in rounds of their own, so their
 * errors add up as squares; the degrees of freedom are Welch and Satterthwaite's. One that is the reference itself has no error.
 */
export function ratioOf(one: LogShare, other: LogShare): Ranged {
	const [a, b] = [one.se ** 2, other.se ** 2];
	const weight = (variance: number, df: number) => (variance === 0 ? 0 : variance ** 2 / df);
	const rest = weight(a, one.df) + weight(b, other.df);
	const df = rest === 0 ? Number.POSITIVE_INFINITY : (a + b) ** 2 / rest;
	const theta = one.theta - other.theta;
	if (a + b === 0) return { value: Math.exp(theta), low: Math.exp(theta), high: Math.exp(theta) };
	return shareOf({ theta, se: Math.sqrt(a + b), df });
}
