import { mean, variance } from 'simple-statistics';
import { studentSurvival } from '../../src/stats/distributions.ts';

/** Input of Welch's test for one side. */
export interface Sample {
	readonly size: number;
	readonly mean: number;
	/** Divided by size − 1 unless a rule says otherwise; NaN for one value. */
	readonly variance: number;
}

export interface WelchTest {
	/** Negative when head's mean is lower. */
	readonly t: number;
	/** Welch–Satterthwaite. */
	readonly df: number;
	/** Two-sided; NaN if a side has fewer than two values. */
	readonly p: number;
}

/** Returns size, mean and sample variance (divided by size − 1) of `values`, at least one. */
export function sampleOf(values: readonly number[]): Sample {
	const size = values.length;
	// simple-statistics divides by the size.
	const unbiased = size > 1 ? (variance(values as number[]) * size) / (size - 1) : Number.NaN;
	return { size, mean: mean(values as number[]), variance: unbiased };
}

/**
 * Returns Welch's t-test of the means of `base` and `head`, unpaired and with unequal variances. Without any spread p is 0 when the
 * means differ and 1 when they do not. Source: Welch 1947; df = (a + b)² / (a²/(m − 1) + b²/(n − 1)) with a, b the squared
 * standard errors of the means.
 */
export function welch(base: Sample, head: Sample): WelchTest {
	const baseSquare = base.variance / base.size;
	const headSquare = head.variance / head.size;
	const square = baseSquare + headSquare;
	const difference = head.mean - base.mean;
	if (square === 0) {
		const t = difference === 0 ? 0 : Math.sign(difference) * Number.POSITIVE_INFINITY;
		return { t, df: base.size + head.size - 2, p: difference === 0 ? 1 : 0 };
	}
	const t = difference / Math.sqrt(square);
	const df = square ** 2 / (baseSquare ** 2 / (base.size - 1) + headSquare ** 2 / (head.size - 1));
	return { t, df, p: 2 * studentSurvival(Math.abs(t), df) };
}
