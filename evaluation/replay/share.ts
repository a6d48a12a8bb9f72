import { quantile } from 'simple-statistics';
import { betaQuantile, clopperPearson, studentQuantile } from '../../src/stats/distributions.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import type { Seconds } from '../../src/types/units.ts';
import type { Mean, Share, WallTime } from '../results.ts';

const TAIL = 0.025;

/**
 * Returns the share `count` of `of` with its exact 95 % binomial interval (Clopper and Pearson 1934). `independent`:
 * the equivalent number of trials without common rounds, for overlapping replays; the interval is then that of as many
 * trials with the same share, by the beta distribution, which needs no whole numbers. Throws a RangeError unless 0 ≤
 * count ≤ of are whole and `independent` is not below 0.
 */
export function shareOf(count: number, of: number, independent = of): Share {
	const whole = clopperPearson(count, of);
	if (!(independent >= 0)) throw new RangeError(`${independent} is no number of trials`);
	if (independent >= of) return { count, of, ...whole };
	const happened = (count / of) * independent;
	const others = independent - happened;
	return {
		count,
		of,
		low: count === 0 || independent === 0 ? 0 : betaQuantile(TAIL, happened, others + 1),
		high: count === of || independent === 0 ? 1 : 1 - betaQuantile(TAIL, others, happened + 1),
	};
}

/**
 * Returns the average of `values` with its 95 % interval by Student's t; null ends below two. Throws a RangeError for
 * an empty list.
 */
export function meanOf(values: readonly number[]): Mean {
	const moments = momentsOf(values);
	if (!moments) throw new RangeError('there is no mean of nothing');
	const { mean: value, se, df, rounds: of } = moments;
	if (df === 0) return { value, low: null, high: null, of };
	const half = -studentQuantile(TAIL, df) * se;
	return { value, low: value - half, high: value + half, of };
}

/** Returns the median and the 90th percentile of `seconds`. Throws for an empty list. */
export function wallTimeOf(seconds: readonly Seconds[]): WallTime {
	return { median: quantile([...seconds], 0.5), p90: quantile([...seconds], 0.9) };
}
