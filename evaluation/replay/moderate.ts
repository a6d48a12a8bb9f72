import { sampleVariance } from 'simple-statistics';
import type { Location } from '../../src/stats/location.ts';
import { momentsOf, TIMER_RESOLUTION } from '../../src/stats/moments.ts';
import { typicalSpread } from '../../src/stats/pooled-spread.ts';

/** The common variance of a matrix's cells, and its equivalent degrees of freedom. */
export interface Prior {
	readonly variance: number;
	readonly df: number;
}

/** Returns the prior variance of cells whose d of each round are `cells`; null unless two cells have two rounds. */
export function priorOf(cells: readonly (readonly number[])[]): Prior | null {
	const usable = cells.filter((d) => d.length >= 2);
	const typical = typicalSpread(usable.map((d) => ({ sd: Math.sqrt(varianceOf(d)), df: d.length - 1 })));
	return typical && { variance: typical.sd ** 2, df: typical.df };
}

/**
 * Returns the location of `d` by Student's t alone, without ranks; with a prior the variance is (df₀ s₀² + f s²) / (df₀
 * + f) with df₀ + f degrees of freedom. Null below two rounds. Source: Smyth 2004.
 */
export function locateByT(d: readonly number[], prior: Prior | null): Location | null {
	const moments = momentsOf(d);
	if (!moments || moments.df === 0) return null;
	const plain = { ...moments, centre: moments.mean, share: 1, averages: null, bound: 0 };
	if (!prior) return plain;
	const df = prior.df + moments.df;
	const sd = Math.sqrt((prior.df * prior.variance + moments.df * varianceOf(d)) / df);
	return { ...plain, sd, se: Math.max(sd / Math.sqrt(d.length), TIMER_RESOLUTION), df };
}

function varianceOf(d: readonly number[]): number {
	return Math.max(sampleVariance(d as number[]), TIMER_RESOLUTION ** 2);
}
