import { mean, medianAbsoluteDeviation, sampleStandardDeviation } from 'simple-statistics';

/** Smallest standard error of a log ratio, because equal rounds are not perfect knowledge. */
export const TIMER_RESOLUTION = 1e-6;

/** Lag-1 autocorrelation above which standard errors are inflated (docs/statistics.md 6.5). */
const CORRELATED = 0.2;

/** 1 / Φ⁻¹(¾): from the median distance from the median to a normal standard deviation. */
const MAD_TO_SD = 1.4826;

export interface Moments {
	readonly rounds: number;
	readonly mean: number;
	/** NaN for one round. */
	readonly sd: number;
	/** Infinite for one round. */
	readonly se: number;
	readonly df: number;
}

/**
 * Returns mean, sample standard deviation and standard error of `d` (log units); null for no rounds. `correction`
 * multiplies the standard error, 1 for independent rounds. Source: SE = s / √n, docs/statistics.md, "Two questions, two
 * tests".
 */
export function momentsOf(d: readonly number[], correction = 1): Moments | null {
	if (d.length === 0) return null;
	const centre = mean(d as number[]);
	if (d.length === 1) {
		return { rounds: 1, mean: centre, sd: Number.NaN, se: Number.POSITIVE_INFINITY, df: 0 };
	}
	const sd = sampleStandardDeviation(d as number[]);
	const se = Math.max((sd / Math.sqrt(d.length)) * correction, TIMER_RESOLUTION);
	return { rounds: d.length, mean: centre, sd, se, df: d.length - 1 };
}

/**
 * Returns the robust standard deviation, 1.4826 × the median distance from the median; at least the timer resolution,
 * NaN without values. Source: Hampel 1974.
 */
export function robustSdOf(d: readonly number[]): number {
	if (d.length === 0) return Number.NaN;
	return Math.max(MAD_TO_SD * medianAbsoluteDeviation(d as number[]), TIMER_RESOLUTION);
}

/** Returns the lag-1 autocorrelation of `d`, −1..1; null below 4 rounds; 0 when all are equal. */
export function lag1Of(d: readonly number[]): number | null {
	if (d.length < 4) return null;
	const centre = mean(d as number[]);
	const residuals = d.map((value) => value - centre);
	const square = residuals.reduce((sum, value) => sum + value * value, 0);
	if (square === 0) return 0;
	return residuals.slice(1).reduce((sum, value, index) => sum + value * (residuals[index] as number), 0) / square;
}

/**
 * Returns the factor for standard errors at lag-1 autocorrelation r: √((1 + r) / (1 − r)) above 0.2, else 1. Source:
 * variance of the mean of an AR(1) series, docs/statistics.md 6.5.
 */
export function lag1Correction(lag1: number | null): number {
	if (lag1 === null || lag1 <= CORRELATED) return 1;
	const bounded = Math.min(lag1, 0.95);
	return Math.sqrt((1 + bounded) / (1 - bounded));
}
