/** Spread of d around the centre of each group. */
import { mean, median } from 'simple-statistics';
import { robustSdOf, TIMER_RESOLUTION } from '../../src/stats/moments.ts';
import type { Seconds } from '../../src/types/units.ts';
import { meanOf } from '../replay/share.ts';
import type { TimingCost } from '../results.ts';

export interface Spread {
	/** Values in all groups. */
	readonly count: number;
	/**
	 * Around each group's mean, with one degree of freedom lost for each group; log units, NaN without degrees of
	 * freedom.
	 */
	readonly sd: number;
	/** 1.4826 × the median distance from each group's median, at least the timer resolution; NaN without values. */
	readonly robustSd: number;
}

/** Figures of a line about the cost of certainty. */
export type Certainty = Pick<TimingCost, 'rounds' | 'sd' | 'robustSd' | 'bias' | 'secondsPerCell' | 'cost'>;

/** Returns the spread of the values (log units) within `groups`, for example the rounds of each of several series. */
export function spreadWithin(groups: readonly (readonly number[])[]): Spread {
	const filled = groups.filter((group) => group.length > 0);
	const fromMeans = centred(filled, mean);
	const freedom = fromMeans.length - filled.length;
	const squares = fromMeans.reduce((sum, value) => sum + value * value, 0);
	return {
		count: fromMeans.length,
		sd: freedom > 0 ? Math.max(Math.sqrt(squares / freedom), TIMER_RESOLUTION) : Number.NaN,
		robustSd: robustSdOf(centred(filled, median)),
	};
}

/** Returns every value's distance from the centre of its group, group after group. */
export function centred(
	groups: readonly (readonly number[])[],
	centreOf: (values: number[]) => number,
): readonly number[] {
	return groups.flatMap((group) => {
		const centre = group.length === 0 ? 0 : centreOf([...group]);
		return group.map((value) => value - centre);
	});
}

/**
 * Returns the figures of every line about `d` (log units, at least one) of a cell that took `secondsPerCell`: number of
 * values, spread around their common centre, mean in percent, and cost of certainty.
 */
export function certaintyOf(d: readonly number[], secondsPerCell: Seconds): Certainty {
	const { sd, robustSd } = spreadWithin([d]);
	const bias = meanOf(d.map((value) => 100 * value));
	return { rounds: d.length, sd, robustSd, bias, secondsPerCell, cost: costOf(sd, secondsPerCell) };
}

/**
 * Returns the cost of certainty, (SD in percent)² × seconds of a cell: the time for an interval of a given width is
 * proportional to it.
 */
export function costOf(sd: number, secondsPerCell: Seconds): number {
	return (100 * sd) ** 2 * secondsPerCell;
}
