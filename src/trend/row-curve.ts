import { clipOutliers } from './clip-outliers.ts';
import type { Chain } from './eras.ts';
import type { Curve } from './level-filter.ts';
import type { RowPoint } from './row-points.ts';

/** The part of a curve that does not depend on τ². */
export interface RowNumbers {
	readonly count: number;
	/** Log ratio against the era's anchor, and SE², of points with one run only. */
	readonly theta: Float64Array;
	readonly variance: Float64Array;
	/** Points with several runs, whose pooling depends on τ². */
	readonly several: readonly { readonly at: number; readonly runs: RowPoint['runs'] }[];
	/** Log ratio of the era's anchor against the first anchor. */
	readonly offset: Float64Array;
	/** See `Curve`. */
	readonly jump: Float64Array;
}

/** Weights for one τ², and values against the era's anchor. */
export interface Weighed {
	readonly weight: Float64Array;
	readonly value: Float64Array;
}

export function rowNumbers(points: readonly RowPoint[], chain: Chain): RowNumbers {
	const count = points.length;
	const [theta, variance] = [new Float64Array(count), new Float64Array(count)];
	const [offset, jump] = [new Float64Array(count), new Float64Array(count)];
	const several: RowNumbers['several'][number][] = [];
	points.forEach(({ point, runs }, at) => {
		const [only] = runs;
		if (only !== undefined && runs.length === 1) {
			theta[at] = only.theta;
			variance[at] = only.se * only.se;
		} else several.push({ at, runs });
		offset[at] = chain.offsets[point.era] as number;
		const before = points[at - 1]?.point.era ?? point.era;
		jump[at] = before === point.era ? 0 : chain.between(before, point.era);
	});
	return { count, theta, variance, several, offset, jump };
}

/** Writes the weights for τ² to `into` if given. */
export function weighPoints(
	{ count, theta, variance, several }: RowNumbers,
	tau2: number,
	into: Weighed = { weight: new Float64Array(count), value: new Float64Array(count) },
): Weighed {
	const { weight, value } = into;
	value.set(theta);
	for (let at = 0; at < count; at++) weight[at] = 1 / ((variance[at] as number) + tau2);
	for (const { at, runs } of several) {
		const weighed = weighRuns(runs, tau2);
		weight[at] = weighed.weight;
		value[at] = weighed.value;
	}
	return into;
}

/**
 * Returns a row's curve for τ². Unless `reach` is null, points are clipped to this many standard deviations around
 * their neighbours.
 */
export function curveOf(numbers: RowNumbers, tau2: number, reach: number | null): Curve {
	const { offset, jump } = numbers;
	const { weight, value } = weighPoints(numbers, tau2);
	const y = value.map((pointValue, at) => (offset[at] as number) + pointValue);
	const sd = weight.map((pointWeight) => 1 / Math.sqrt(pointWeight));
	return { y: reach === null ? y : clipOutliers(y, sd, reach), weight, jump };
}

function weighRuns(runs: RowPoint['runs'], tau2: number): { readonly weight: number; readonly value: number } {
	let [weight, sum] = [0, 0];
	for (const { theta, se } of runs) {
		const runWeight = 1 / (se * se + tau2);
		weight += runWeight;
		sum += runWeight * theta;
	}
	return { weight, value: sum / weight };
}
