/** Pure: 95 % intervals over rounds. */
import { studentQuantile } from '../../src/stats/distributions.ts';
import type { Moments } from '../../src/stats/moments.ts';

/** A mean, difference or ratio with its 95 % interval; unbounded ends are infinite. */
export interface Range {
	readonly centre: number;
	readonly low: number;
	readonly high: number;
}

const CONFIDENCE = 0.95;

/** Returns the mean of rounds with its interval. */
export function rangeOf({ mean, se, df }: Pick<Moments, 'mean' | 'se' | 'df'>): Range {
	const half = quantile(df) * se;
	return { centre: mean, low: mean - half, high: mean + half };
}

/** Returns the difference of two independent means, with the smaller degrees of freedom. */
export function differenceOf(one: Moments, other: Moments): Range {
	const se = Math.hypot(one.se, other.se);
	return rangeOf({ mean: one.mean - other.mean, se, df: Math.min(one.df, other.df) });
}

/**
 * Source: Fieller, "Some problems in interval estimation", Journal of the Royal Statistical Society B 16 (1954), for
 * independent means, with the smaller degrees of freedom. The ratio is unbounded if the divisor may be 0.
 */
export function ratioOf(over: Moments, under: Moments): Range {
	const t = quantile(Math.min(over.df, under.df));
	const centre = over.mean / under.mean;
	const g = ((t * under.se) / under.mean) ** 2;
	if (g >= 1) return { centre, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
	const root = Math.sqrt((1 - g) * over.se ** 2 + (centre * under.se) ** 2);
	const half = (t / Math.abs(under.mean)) * root;
	return { centre, low: (centre - half) / (1 - g), high: (centre + half) / (1 - g) };
}

function quantile(df: number): number {
	return -studentQuantile((1 - CONFIDENCE) / 2, df);
}
