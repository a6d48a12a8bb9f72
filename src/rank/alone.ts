import { mean, median, sum as total } from 'simple-statistics';
import { METRIC_NAMES } from '../types/metric.ts';
import type { AloneFigures, LoadTotals } from '../types/ranking/load-figures.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';
import { poolRates } from './rate-figures.ts';

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
