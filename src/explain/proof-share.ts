import type { Interval } from '../types/verdict.ts';

/** Log ratios; negative is worse. */
export interface LogEstimate {
	readonly centre: number;
	readonly low: number;
	readonly high: number;
}

export interface Share {
	readonly share: number;
	/** Null if the loss is not clear of 0. */
	readonly shareInterval: Pick<Interval, 'low' | 'high'>;
}

/**
 * Returns the share of head's loss that is gone, 1 − θ(without) / θ(head), from independent rounds. Source of the
 * interval: Fieller 1954, with half-widths in place of t · se.
 */
export function shareOf(head: LogEstimate, without: LogEstimate): Share {
	const [x, y] = [head.centre, without.centre];
	const [u, v] = [halfOf(head), halfOf(without)];
	const share = 1 - y / x;
	const a = x * x - u * u;
	const root = (x * y) ** 2 - a * (y * y - v * v);
	if (!(a > 0) || !(root >= 0)) return { share, shareInterval: { low: null, high: null } };
	const ends = [1 - (x * y + Math.sqrt(root)) / a, 1 - (x * y - Math.sqrt(root)) / a];
	return { share, shareInterval: { low: Math.min(...ends), high: Math.max(...ends) } };
}

function halfOf({ low, high }: LogEstimate): number {
	return (high - low) / 2;
}
