import { mean } from 'simple-statistics';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';
import type { Fraction } from '../types/units.ts';

/** Log ratios of a scenario against its weighted reference. */
export interface OwnReference {
	/** Signed like `RankingSample.d`. */
	readonly d: ReadonlyMap<RankingSample, number>;
	/** Weight of the reference process beside a row. The mean over this scenario and round has the rest. */
	readonly weight: Fraction;
}

/** Fewest degrees of freedom (rounds − rows) for an estimate of the weight. */
const FEWEST_DF = 20;

/**
 * Returns the log ratios of one scenario's `samples`, with the reference weighted so that they spread least.
 * Source: docs/decisions/0068-luck-of-a-process.md.
 */
export function weighReference(samples: readonly RankingSample[], metric: MetricName): OwnReference {
	const pairs = samples.flatMap((sample) => {
		const [d, r] = [sample.d[metric] ?? null, referenceOf(sample, metric)];
		return d === null ? [] : [{ sample, d, r: sample.faults.length > 0 ? null : r }];
	});
	const validPairs = pairs.flatMap((pair) => (pair.r === null ? [] : [{ ...pair, r: pair.r }]));
	const means = new Map(
		[...Map.groupBy(validPairs, ({ sample }) => sample.round)].map(([round, roundPairs]) => [
			round,
			mean(roundPairs.map(({ r }) => r)),
		]),
	);
	const lucks = new Map(validPairs.map(({ sample, r }) => [sample, r - (means.get(sample.round) ?? r)]));
	const rows = Map.groupBy(validPairs, ({ sample }) => sample.server);
	const weight =
		validPairs.length - rows.size < FEWEST_DF
			? 1
			: slopeWithin(
					[...rows.values()].map((rowPairs) =>
						rowPairs.map(({ sample, d }): Point => {
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

/** Log figure, signed so that larger is better. */
function referenceOf({ alone, server, reference }: RankingSample, metric: MetricName): number | null {
	const figure = alone.reference?.metrics[metric] ?? null;
	if (figure === null || !(figure > 0) || server === reference) return null;
	return METRICS[metric].better === 'higher' ? Math.log(figure) : -Math.log(figure);
}

interface Point {
	readonly x: number;
	readonly y: number;
}

/** Slope of y over x within groups (analysis of covariance), clamped to 0–1; 1 if x is constant. */
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
