import { mean, sampleVariance } from 'simple-statistics';
import type { Location } from '../../src/stats/location.ts';
import { momentsOf, TIMER_RESOLUTION } from '../../src/stats/moments.ts';
import { digamma, trigamma, trigammaInverse } from './polygamma.ts';

/** What the cells of a matrix have in common: a variance, and how many degrees of freedom it is worth. */
export interface Prior {
	readonly variance: number;
	readonly df: number;
}

/** Most degrees of freedom a prior may be worth; with few cells more would be overconfident (by simulation). */
const MOST_DF = { few: 8, many: 15 } as const;
const MANY_CELLS = 20;

/**
 * Returns the prior variance of cells whose d of each round are `cells`; null unless two cells have two rounds. With
 * f = n − 1 and e = ln s² − ψ(f/2) + ln(f/2) of each cell: ψ′(df/2) = var(e) − mean ψ′(f/2), df at its cap where the right side
 * is not positive or small, and ln variance = mean(e) + ψ(df/2) − ln(df/2). Cells may have unequal numbers of rounds. Source:
 * Smyth 2004, section 6.2; the cap is 15, below 20 cells 8, by simulation.
 */
export function priorOf(cells: readonly (readonly number[])[]): Prior | null {
	const known = cells.filter((d) => d.length >= 2);
	if (known.length < 2) return null;
	const levels = known.map((d) => {
		const half = (d.length - 1) / 2;
		return Math.log(varianceOf(d)) - digamma(half) + Math.log(half);
	});
	const ownNoise = mean(known.map((d) => trigamma((d.length - 1) / 2)));
	const most = known.length < MANY_CELLS ? MOST_DF.few : MOST_DF.many;
	const half = trigammaInverse(sampleVariance(levels) - ownNoise, most / 2);
	return { variance: Math.exp(mean(levels) + digamma(half) - Math.log(half)), df: 2 * half };
}

/**
 * Returns where `d` lies by Student's t alone, without ranks; with a prior the variance is (df₀ s₀² + f s²) / (df₀ + f) with
 * df₀ + f degrees of freedom. Null below two rounds. Source: Smyth 2004.
 */
export function locateByT(d: readonly number[], prior: Prior | null): Location | null {
	const moments = momentsOf(d);
	if (!moments || moments.df === 0) return null;
	const plain = { ...moments, centre: moments.mean, share: 1, averages: null };
	if (!prior) return plain;
	const df = prior.df + moments.df;
	const sd = Math.sqrt((prior.df * prior.variance + moments.df * varianceOf(d)) / df);
	return { ...plain, sd, se: Math.max(sd / Math.sqrt(d.length), TIMER_RESOLUTION), df };
}

function varianceOf(d: readonly number[]): number {
	return Math.max(sampleVariance(d as number[]), TIMER_RESOLUTION ** 2);
}
