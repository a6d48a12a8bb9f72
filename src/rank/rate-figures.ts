import { max, mean, min, standardDeviation, sum } from 'simple-statistics';
import type { AloneFigures, RateFigures } from '../types/ranking/load-figures.ts';

type Rates = NonNullable<AloneFigures['rates']>;

export function rateFigures(values: readonly number[]): RateFigures {
	const sorted = values.toSorted((one, other) => one - other);
	const at = (p: number) => quantileSorted(sorted, p);
	return {
		samples: values.length,
		mean: mean(sorted),
		sd: standardDeviation(sorted),
		min: at(0),
		p1: at(0.01),
		p2_5: at(0.025),
		p50: at(0.5),
		p97_5: at(0.975),
	};
}

/** Returns pooled statistics of all rounds, without the single seconds; null without rounds. */
export function poolRates(rounds: readonly Rates[]): Rates | null {
	if (rounds.length === 0) return null;
	return { requests: pool(rounds.map(({ requests }) => requests)), bytes: pool(rounds.map(({ bytes }) => bytes)) };
}

function pool(rounds: readonly RateFigures[]): RateFigures {
	const values = rounds.map(({ each }) => each ?? []);
	return values.every(({ length }) => length > 0) ? rateFigures(values.flat()) : poolFigures(rounds);
}

/**
 * Logs of older releases have no single seconds. Mean, SD and minimum follow from those of the rounds; of quantiles,
 * only bounds are known.
 */
function poolFigures(rounds: readonly RateFigures[]): RateFigures {
	const samples = sum(rounds.map((one) => one.samples));
	const average = (of: (round: RateFigures) => number): number =>
		sum(rounds.map((one) => one.samples * of(one))) / samples;
	const centre = average((one) => one.mean);
	const [p1, p2_5, p97_5] = (['p1', 'p2_5', 'p97_5'] as const).map((key) => rounds.map((one) => one[key]));
	return {
		samples,
		mean: centre,
		sd: Math.sqrt(average((one) => one.sd ** 2 + (one.mean - centre) ** 2)),
		min: min(rounds.map((one) => one.min)),
		p1: min(p1 ?? []),
		p2_5: min(p2_5 ?? []),
		p50: average((one) => one.p50),
		p97_5: max(p97_5 ?? []),
	};
}

/** The quantile at position p (n − 1), as in `histogramQuantile`. */
function quantileSorted(sorted: readonly number[], p: number): number {
	const position = p * (sorted.length - 1);
	const [lowerValue = 0, upperValue = lowerValue] = sorted.slice(Math.floor(position), Math.floor(position) + 2);
	return lowerValue + (upperValue - lowerValue) * (position - Math.floor(position));
}
