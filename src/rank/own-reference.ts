/** How much a row is compared with the process of the reference beside it, and how much with all of them. */
import { mean } from 'simple-statistics';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { MeasureSample } from '../types/ranking/measure.ts';
import type { Fraction } from '../types/units.ts';

/** What all rounds of a scenario say of its reference. */
export interface OwnReference {
	/** Log ratios of each sample that has one, as `MeasureSample.d` has them, against the weighted reference. */
	readonly d: ReadonlyMap<MeasureSample, number>;
	/** How much the process beside it counts. The rest is the mean of all processes of the reference in this scenario and round. */
	readonly weight: Fraction;
}

/** Rounds less rows from which on the weight is known well enough. */
const FEWEST_DF = 20;

/**
 * Returns the log ratios of `samples`, which are of one scenario, with the reference weighted so that they spread least.
 *
 * What slows the machine slows server and reference alike, so their ratio should be that of neighbours in time. But some processes of a
 * server are faster than others, and such luck of the reference's process says nothing of the server beside it. With s and r, the
 * logarithms of what both reached, and m, the mean of r over all rows of the round, a ratio is s − w r − (1 − w) m. The weight w is the
 * slope of s − m over r − m within rows, between 0 and 1. Each row meets processes by chance, so no weight makes ratios larger or smaller
 * on average. Where little is known, as in small rankings, w is 1. Source: regression estimators (Cochran 1977, Sampling Techniques,
 * chapter 7), in comparisons on the web known as CUPED (Deng et al. 2013, https://doi.org/10.1145/2433396.2433413).
 */
export function weighReference(samples: readonly MeasureSample[], metric: MetricName): OwnReference {
	const pairs = samples.flatMap((sample) => {
		const [d, r] = [sample.d[metric] ?? null, referenceOf(sample, metric)];
		return d === null ? [] : [{ sample, d, r: sample.faults.length > 0 ? null : r }];
	});
	const known = pairs.flatMap((pair) => (pair.r === null ? [] : [{ ...pair, r: pair.r }]));
	const means = new Map(
		[...Map.groupBy(known, ({ sample }) => sample.round)].map(([round, own]) => [round, mean(own.map(({ r }) => r))]),
	);
	const lucks = new Map(known.map(({ sample, r }) => [sample, r - (means.get(sample.round) ?? r)]));
	const rows = Map.groupBy(known, ({ sample }) => sample.server);
	const weight =
		known.length - rows.size < FEWEST_DF
			? 1
			: slopeWithin(
					[...rows.values()].map((own) =>
						own.map(({ sample, d }): Point => {
							const luck = lucks.get(sample) ?? 0;
							return { x: luck, y: d + luck };
						}),
					),
				);
	return {
		d: new Map(pairs.map(({ sample, d }) => [sample, d + (1 - weight) * (lucks.get(sample) ?? 0)])),
		weight,
	};
}

/** What the reference reached, as a logarithm that is larger where it is better; null where nobody knows. */
function referenceOf({ alone, server, reference }: MeasureSample, metric: MetricName): number | null {
	const figure = alone.reference?.metrics[metric] ?? null;
	if (figure === null || !(figure > 0) || server === reference) return null;
	return METRICS[metric].better === 'higher' ? Math.log(figure) : -Math.log(figure);
}

interface Point {
	readonly x: number;
	readonly y: number;
}

/** Slope of y over x within groups (analysis of covariance), from 0 to 1; 1 where x does not differ. */
function slopeWithin(groups: readonly (readonly Point[])[]): Fraction {
	let [products, squares] = [0, 0];
	for (const points of groups) {
		const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
		for (const { x, y } of points) {
			products += (x - meanX) * (y - meanY);
			squares += (x - meanX) ** 2;
		}
	}
	return squares > 0 ? Math.min(1, Math.max(0, products / squares)) : 1;
}
