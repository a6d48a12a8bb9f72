/** Ratios of servers: from shares of one reference, and from speeds alone. */
import { locationOf, reachOf, standardErrorOf } from '../stats/location.ts';
import { momentsOf } from '../stats/moments.ts';
import { poolSpreads, type Spread, typicalSpread } from '../stats/pooled-spread.ts';
import type { MetricName } from '../types/metric.ts';
import type { Ranged, RankingRow } from '../types/ranking/ranking.ts';
import type { Fraction } from '../types/units.ts';

export interface LogShare {
	readonly theta: number;
	readonly se: number;
	readonly df: number;
}

export function spreadOf(d: readonly number[]): Spread | null {
	const moments = momentsOf(d);
	return moments === null || moments.df === 0 ? null : { sd: moments.sd, df: moments.df };
}

/**
 * Estimates the location of a row's log ratios `d`; null while their spread is unknown. The centre is that of
 * comparisons.
 *
 * Three rounds may lie close by chance, so the larger spread counts: the row's own, or that of the `others` of its
 * kind. With few others, a larger spread has only the row's degrees of freedom: otherwise 95 % intervals of noisy rows
 * of three rounds miss in 11 to 30 % of runs.
 */
export function logShareOf(d: readonly number[], others: readonly Spread[]): LogShare | null {
	const location = locationOf(d);
	if (location === null) return null;
	const rowSpread = spreadOf(d);
	const all = rowSpread === null ? others : [rowSpread, ...others];
	const spread = (all.length < MANY_ROWS ? null : amongMany(rowSpread, all)) ?? amongFew(rowSpread, all);
	if (spread === null) return null;
	return { theta: location.centre, se: standardErrorOf(spread.sd, d.length), df: spread.df };
}

/** Fewest rows that show how much spreads differ. */
const MANY_ROWS = 12;
/**
 * Factor on standard errors. A row stops once its interval is narrow, so intervals narrow by chance stay so. With this
 * factor, 95 % intervals of 12 to 130 rows miss in 3 to 6 % of runs, and those of rows three times as noisy in 4 to 9 %
 * (simulated).
 */
const STOPPED_EARLY = 1.1;

function amongMany(rowSpread: Spread | null, all: readonly Spread[]): Spread | null {
	const [typical, pooled] = [typicalSpread(all), poolSpreads(all)];
	const together = typical && poolSpreads(rowSpread ? [rowSpread, typical] : [typical]);
	if (together === null || pooled === null) return null;
	// Limited to the degrees of freedom of all rounds together.
	return { sd: STOPPED_EARLY * Math.max(rowSpread?.sd ?? 0, together.sd), df: Math.min(together.df, pooled.df) };
}

function amongFew(rowSpread: Spread | null, all: readonly Spread[]): Spread | null {
	const pooled = poolSpreads(all);
	return rowSpread !== null && (pooled === null || rowSpread.sd >= pooled.sd) ? rowSpread : pooled;
}

/** Returns a share with its 95 % interval: 0.63 is 63 % of the reference. */
export function shareOf({ theta, se, df }: LogShare): Ranged {
	const reach = reachOf({ se, df });
	return { value: Math.exp(theta), low: Math.exp(theta - reach), high: Math.exp(theta + reach) };
}

export function halfWidthOf({ value, low, high }: Ranged): number {
	return (high - low) / 2 / value;
}

/**
 * Mean number of extra rounds needed because few rounds estimate a spread badly. Simulated with 132 and 4 rows, whose
 * spreads were 0.4 to 1.25 times the precision.
 */
const UNKNOWN_SPREAD_ROUNDS = 2;

/**
 * Returns the expected number of rounds (mean, fractional) until the half-width is `precision`, a fraction of the
 * share, if all `rows` rows spread by `spread` (log units).
 */
export function expectedRounds(precision: Fraction, spread: number, rows: number, fewest: number): number {
	const reach = reachOf({ se: spread, df: Math.max(1, rows * (fewest - 1)) });
	return Math.max(fewest, UNKNOWN_SPREAD_ROUNDS + (reach / Math.asinh(precision)) ** 2);
}

/** Returns the ratio of two shares of one reference, with its 95 % interval. The reference itself has no error. */
export function ratioOf(one: LogShare, other: LogShare): Ranged {
	return meanRatioOf([[one, other]]);
}

/**
 * Returns the geometric mean of ratios of shares, with its 95 % interval; 1 for a share over itself. Shares have
 * separate rounds, so their variances add up, with the degrees of freedom of Welch and Satterthwaite.
 */
export function meanRatioOf(pairs: readonly (readonly [LogShare, LogShare])[]): Ranged {
	const terms = pairs.flatMap(([one, other]) => (one === other ? [] : [one, other]));
	const variance = terms.reduce((sum, { se }) => sum + se ** 2, 0);
	const theta = pairs.reduce((sum, [one, other]) => sum + one.theta - other.theta, 0) / pairs.length;
	if (variance === 0) return { value: Math.exp(theta), low: Math.exp(theta), high: Math.exp(theta) };
	const weights = terms.reduce((sum, { se, df }) => sum + (se === 0 ? 0 : (se ** 2) ** 2 / df), 0);
	return shareOf({ theta, se: Math.sqrt(variance) / pairs.length, df: variance ** 2 / weights });
}

type Judged = Pick<RankingRow, 'alone' | 'judgedBy' | 'logShare'>;

/** Whether requests per second, or CPU time in their place, judge a row. */
export function isRate(judgedBy: MetricName): boolean {
	return judgedBy === 'throughput' || judgedBy === 'cpu-per-request';
}

/**
 * Returns a server's speed alone: requests per second, or per second of CPU time if a preset's driver was at its limit.
 */
export function speedOf({ alone, judgedBy, logShare }: Judged): number | null {
	if (judgedBy !== 'cpu-per-request' || logShare !== null) return alone?.metrics.throughput ?? null;
	const cpu = alone?.metrics['cpu-per-request'] ?? null;
	return cpu === null || cpu <= 0 ? null : 1 / cpu;
}

/** Returns the ratio of two speeds alone; NaN if unknown. */
export function speedRatio(one: Judged, other: Judged): number {
	// Rows with different judges have only throughput in common.
	if (one.judgedBy !== other.judgedBy)
		return (one.alone?.metrics.throughput ?? Number.NaN) / (other.alone?.metrics.throughput ?? Number.NaN);
	return (speedOf(one) ?? Number.NaN) / (speedOf(other) ?? Number.NaN);
}

/**
 * Returns the ratio of two servers' requests per second alone, with its 95 % interval: Welch's t on the logs of their
 * rounds. Null below two rounds.
 */
export function aloneRatio(
	one: Pick<RankingRow, 'throughputs'>,
	other: Pick<RankingRow, 'throughputs'>,
): Ranged | null {
	const [a, b] = [one, other].map(({ throughputs }) =>
		throughputs.length < 2 ? null : logShareOf(throughputs.map(Math.log), []),
	);
	return a && b ? ratioOf(a, b) : null;
}
