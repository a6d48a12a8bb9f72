import { mean, sampleVariance } from 'simple-statistics';
import { TIMER_RESOLUTION } from './moments.ts';
import { digamma, incompleteBeta, trigamma, trigammaInverse } from './special-functions.ts';

export interface Spread {
	readonly sd: number;
	/** Rounds − 1. */
	readonly df: number;
}

const NOISIER_TAIL = 0.01;

/**
 * Returns the pooled spread of several runs; null for none. Source: Σ νᵢ sᵢ² / Σ νᵢ of samples that share one variance.
 */
export function poolSpreads(spreads: readonly Spread[]): Spread | null {
	const usableSpreads = spreads.filter(({ sd, df }) => df > 0 && Number.isFinite(sd));
	const df = usableSpreads.reduce((sum, one) => sum + one.df, 0);
	if (df === 0) return null;
	const square = usableSpreads.reduce((sum, one) => sum + one.df * one.sd * one.sd, 0);
	return { sd: Math.sqrt(square / df), df };
}

/**
 * Caps of a typical spread's degrees of freedom, below and from `MANY` spreads. More would be overconfident (by
 * simulation).
 */
const MOST_DF = { few: 8, many: 15 } as const;
const MANY = 20;

/**
 * Returns the typical spread of spreads that differ, and the degrees of freedom that it is worth as a prior. Null below
 * two. Each spread has ν degrees of freedom and e = ln s² − ψ(ν/2) + ln(ν/2). Then ψ′(df/2) = var(e) − mean ψ′(ν/2),
 * where df is at its cap if the right side is not positive or small, and ln sd² = mean(e) + ψ(df/2) − ln(df/2). Source:
 * Smyth 2004, section 6.2, variances from a scaled inverse chi-squared distribution. The cap is 15, below 20 spreads 8,
 * by simulation.
 */
export function typicalSpread(spreads: readonly Spread[]): Spread | null {
	const usableSpreads = spreads.filter(({ sd, df }) => df > 0 && Number.isFinite(sd));
	if (usableSpreads.length < 2) return null;
	const ofLogs = new Map([...new Set(usableSpreads.map(({ df }) => df))].map((df) => [df, momentsOfLog(df)]));
	const levels = usableSpreads.map(
		({ sd, df }) => 2 * Math.log(Math.max(sd, TIMER_RESOLUTION)) - (ofLogs.get(df)?.mean ?? 0),
	);
	const byChance = mean(usableSpreads.map(({ df }) => ofLogs.get(df)?.variance ?? 0));
	const most = usableSpreads.length < MANY ? MOST_DF.few : MOST_DF.many;
	const df = 2 * trigammaInverse(sampleVariance(levels) - byChance, most / 2);
	return { sd: Math.exp((mean(levels) + momentsOfLog(df).mean) / 2), df };
}

/** Mean and variance of ln s² if the true variance is 1. */
function momentsOfLog(df: number): { readonly mean: number; readonly variance: number } {
	return { mean: digamma(df / 2) - Math.log(df / 2), variance: trigamma(df / 2) };
}

/**
 * Returns the spread by which a run is judged: `ownSpread` pooled with `earlier`, or alone if it is clearly larger
 * (one-sided F test at 1 %), because a busy machine does not share their variance. Null if unknown.
 */
export function spreadWith(ownSpread: Spread | null, earlier: readonly Spread[]): Spread | null {
	const before = poolSpreads(earlier);
	if (ownSpread === null || ownSpread.df === 0) return before;
	if (before === null) return ownSpread;
	if (fisherSurvival((ownSpread.sd / before.sd) ** 2, ownSpread.df, before.df) < NOISIER_TAIL) return ownSpread;
	return poolSpreads([ownSpread, before]);
}

/**
 * Returns P(F > f) for Fisher's F. Source: I_x(df2/2, df1/2) with x = df2/(df2 + df1 f) (Abramowitz and Stegun 26.6.2).
 */
export function fisherSurvival(f: number, df1: number, df2: number): number {
	if (Number.isNaN(f) || !(df1 > 0 && df2 > 0)) return Number.NaN;
	if (f <= 0) return 1;
	if (f === Number.POSITIVE_INFINITY) return 0;
	return incompleteBeta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);
}
