/** Pure: figures of `benchmarks/rates.ts`, a duet at a fixed rate beside alternating windows. */
import { changeOf } from '../../src/stats/estimate.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import type { Design } from '../../src/types/config.ts';
import { METRICS, type MetricName } from '../../src/types/metric.ts';
import type { Seconds } from '../../src/types/units.ts';
import { differenceOf, type Range, rangeOf, ratioOf } from './ranges.ts';

/** One round of one case in one design. */
export interface RatesRound {
	/** The fault in head. */
	readonly planted: string;
	readonly design: Design;
	readonly round: number;
	readonly seconds: Seconds;
	/** Log ratio head against base of each metric, signed so that negative is worse; null if unknown. */
	readonly d: Readonly<Partial<Record<MetricName, number | null>>>;
}

/** One metric of one case: the change (head − base) / base in each design. */
export interface RatesFigures {
	readonly planted: string;
	readonly metric: MetricName;
	readonly rounds: number;
	readonly duet: Range;
	readonly alternating: Range;
	/** The duet's mean log ratio over that of alternating windows: 1 if both show the same change. */
	readonly ratio: Range;
	/** The interval of the difference of both log ratios contains 0. */
	readonly agree: boolean;
}

/** For a spread. */
const FEWEST = 2;

/**
 * Returns the figures of each case and metric with at least two rounds of both designs, in the order of measurement.
 */
export function describeRates(rounds: readonly RatesRound[], metrics: readonly MetricName[]): RatesFigures[] {
	return [...new Set(rounds.map(({ planted }) => planted))].flatMap((planted) =>
		metrics.flatMap((metric) => {
			const of = (design: Design) => {
				const group = rounds.filter((round) => round.planted === planted && round.design === design);
				return momentsOf(group.flatMap(({ d }) => d[metric] ?? []));
			};
			const [duet, alternating] = [of('duet'), of('alternating')];
			if (duet === null || alternating === null || Math.min(duet.rounds, alternating.rounds) < FEWEST) return [];
			const difference = differenceOf(duet, alternating);
			return [
				{
					...{ planted, metric, rounds: Math.min(duet.rounds, alternating.rounds) },
					duet: asChange(metric, rangeOf(duet)),
					alternating: asChange(metric, rangeOf(alternating)),
					ratio: ratioOf(duet, alternating),
					agree: difference.low <= 0 && difference.high >= 0,
				},
			];
		}),
	);
}

function asChange(metric: MetricName, { centre, low, high }: Range): Range {
	const [one, other] = [changeOf(metric, low), changeOf(metric, high)];
	const [least, most] = METRICS[metric].better === 'higher' ? [one, other] : [other, one];
	return { centre: changeOf(metric, centre), low: least, high: most };
}
