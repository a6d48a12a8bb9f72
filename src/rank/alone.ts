import { max, mean, median, min, standardDeviation, sum as total } from 'simple-statistics';
import { METRIC_NAMES } from '../types/metric.ts';
import type { AloneFigures, LoadTotals, RateFigures } from '../types/ranking/load-figures.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';

/**
 * `median-round`: all figures of the round with the median requests per second. Of an even number of rounds, the upper
 * middle one counts.
 */
export type Aggregate = 'median' | 'mean' | 'median-round';

/** Returns a server's figures alone, one entry per round: first as the ranked server, then as a reference. */
export function aloneRounds(samples: readonly RankingSample[], server: string, scenario: string): AloneFigures[] {
	const validSamples = samples.filter((sample) => sample.scenario === scenario && sample.faults.length === 0);
	const asServer = validSamples.flatMap((sample) => (sample.server === server ? (sample.alone.server ?? []) : []));
	const asReference = validSamples.flatMap((sample) =>
		sample.reference === server ? (sample.alone.reference ?? []) : [],
	);
	return [...asServer, ...asReference];
}

/**
 * Returns the middle of each figure over rounds; null without rounds. Counts are summed and single seconds pooled.
 * Totals and steps that some rounds lack (in older logs) are omitted.
 */
export function middleOf(rounds: readonly AloneFigures[], aggregate: Aggregate): AloneFigures | null {
	if (rounds.length === 0) return null;
	if (aggregate === 'median-round') return medianRound(rounds);
	const middle = (values: readonly number[]): number =>
		aggregate === 'mean' ? mean(values as number[]) : median(values as number[]);
	const metrics = METRIC_NAMES.map((metric) => {
		const values = rounds.flatMap((round) => round.metrics[metric] ?? []);
		return [metric, values.length === 0 ? null : middle(values)] as const;
	});
	const rates = poolRates(rounds.flatMap((round) => round.rates ?? []));
	return {
		metrics: Object.fromEntries(metrics),
		latency: each(
			rounds.flatMap(({ latency }) => latency ?? []),
			middle,
		),
		bytesPerSecond: middle(rounds.map(({ bytesPerSecond }) => bytesPerSecond)),
		...(rates && { rates }),
		...stepsOf(rounds, middle),
		...totalsOf(rounds),
	};
}

function stepsOf(rounds: readonly AloneFigures[], middle: Middle): Pick<AloneFigures, 'steps'> {
	const all = rounds.flatMap(({ steps = [] }) => steps);
	const groups = [...Map.groupBy(all, ({ connections }) => connections).values()];
	const steps = groups.flatMap((group) => {
		const quantile = (of: 'p50' | 'p99'): number | null => {
			const quantiles = group.flatMap((step) => step[of] ?? []);
			return quantiles.length === 0 ? null : middle(quantiles);
		};
		const [{ connections } = { connections: 0 }] = group;
		if (group.length < rounds.length) return [];
		const throughput = middle(group.map((step) => step.throughput));
		return [{ connections, throughput, p50: quantile('p50'), p99: quantile('p99') }];
	});
	return steps.length === 0 ? {} : { steps };
}

function totalsOf(rounds: readonly AloneFigures[]): Pick<AloneFigures, 'totals'> {
	const totals = rounds.flatMap((round) => round.totals ?? []);
	return totals.length === rounds.length ? { totals: addUp(totals) } : {};
}

function addUp(totals: readonly LoadTotals[]): LoadTotals {
	const counts = totals.map(({ statuses: _, resent: __, ...count }) => count);
	const resent = sum(totals.map((one) => one.resent ?? 0));
	const statuses = addStatuses(totals.map((one) => one.statuses ?? {}));
	const isKnown = totals.every((one) => one.statuses !== undefined);
	return { ...(each(counts, sum) as LoadTotals), ...(resent > 0 && { resent }), ...(isKnown && { statuses }) };
}

export function addStatuses(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
	const counts = all.flatMap((statuses) => Object.entries(statuses));
	return Object.fromEntries(
		[...Map.groupBy(counts, ([status]) => status)].map(([status, statusCounts]) => [
			status,
			sum(statusCounts.map(([, count]) => count)),
		]),
	);
}

const sum: Middle = (values) => total(values as number[]);

/** Totals cover all rounds, so no failed request is hidden. */
function medianRound(rounds: readonly AloneFigures[]): AloneFigures | null {
	const sorted = rounds.toSorted((one, other) => (one.metrics.throughput ?? 0) - (other.metrics.throughput ?? 0));
	const middle = sorted[Math.floor(sorted.length / 2)];
	if (middle === undefined) return null;
	const { totals: _, rates: middleRates, ...figures } = middle;
	const rates = middleRates && poolRates([middleRates]);
	return { ...figures, ...(rates && { rates }), ...totalsOf(rounds) };
}

type Middle = (values: readonly number[]) => number;

function each<T extends object>(records: readonly T[], middle: Middle): T | null {
	const [first] = records;
	if (first === undefined) return null;
	const keys = (Object.keys(first) as (keyof T)[]).filter((key) => records.every((one) => one[key] !== undefined));
	return Object.fromEntries(keys.map((key) => [key, middle(records.map((one) => one[key] as number))])) as T;
}

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
function poolRates(rounds: readonly Rates[]): Rates | null {
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
	const samples = total(rounds.map((one) => one.samples));
	const average = (of: (round: RateFigures) => number): number =>
		total(rounds.map((one) => one.samples * of(one))) / samples;
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
